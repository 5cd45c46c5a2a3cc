# Everything below needs make and Python 3.11 or newer, nothing else.
#   PYTHON=python3.12 make test      another interpreter for a fresh .venv
#   make test ARGS="-m 'not slow'"   further arguments to pytest

PYTHON ?= python3
ARGS   ?=
PYTHONS ?= $(PYTHON)
FROM   ?= 0
FOLDER ?= src/dalembert/contacts
SEED   ?= 0
JOBS   ?= 1
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := .stamps/install
LIGHT  := .stamps/light
DOCS_STAMP := .stamps/docs
PEERS  := exudyn mujoco pin drake opensim
TOUCH_PEERS := mujoco pybullet rapier3d
BENCH  := .venv-bench
TOUCH  := .venv-contact

# The tests run one process per core, so each process gets one thread.
ONE_THREAD := OMP_NUM_THREADS=1 MKL_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test instructions nightly latex agree gradients hunt faults keep redundant docs bench bench-contact fuzz-contact wheel release look startup studio-speed lint page clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | while IFS='|' read -r name text; do \
		printf '%-14s %s\n' "$$name" "$$text"; done

demo: $(LIGHT)  ## simulate the ready mechanisms: out/demo/index.html, a gallery of their pages (15 MB; two or three minutes the first time)
	@$(BIN)/dalembert demo

# Hundreds of its processes load the same modules: their bytecode is kept even where the machine says not to.
test: $(STAMP)  ## run all tests, one process per core
	@PYTHONDONTWRITEBYTECODE= $(ONE_THREAD) $(BIN)/python -m pytest -n auto $(ARGS)

bench: .stamps/bench  ## measure speed and accuracy beside the peers; table, figures and plots to docs/benchmarks
	@$(ONE_THREAD) $(BENCH)/bin/python -m benchmarks $(ARGS)

instructions: $(STAMP)  ## machine instructions of the kernels against those stored (needs valgrind; two minutes)
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.instructions $(ARGS)

bench-contact: .stamps/contact  ## pouring scene and small cases of contact beside MuJoCo, Bullet and Rapier, to docs/benchmarks
	@$(ONE_THREAD) $(TOUCH)/bin/python -m benchmarks.contact $(ARGS)

fuzz-contact: $(STAMP)  ## 10,000 pairs of shapes (thin, huge, tiny, coincident), random scenes whose energy may not rise, stepping against events in 200
	@DALEMBERT_SHAPES=10000 DALEMBERT_ENERGY=20 DALEMBERT_EVENT_SCENES=200 $(ONE_THREAD) $(BIN)/python -m pytest -n auto $(ARGS) \
		tests/contacts/test_fuzz.py tests/contacts/test_energy.py tests/contacts/test_convergence.py

wheel: $(STAMP)  ## build a wheel that carries the compiled kernels, into dist (minutes; later only what was edited)
	@rm -rf build/lib build/bdist.*
	$(BIN)/python -m pip wheel -q --no-build-isolation --no-deps -w dist .

release: look lint docs  ## build and check wheels, sdist, docs and changelog; PYTHONS="python3.11 python3.12 python3.13" tries those
	@rm -rf build/lib build/bdist.*
	$(BIN)/python tests/wheel/release.py $(foreach p,$(PYTHONS),--python $(p)) $(ARGS)

look: $(STAMP)  # before an hour of building: do the interpreters run, do the texts agree about the version
	@$(BIN)/python tests/wheel/release.py --look $(foreach p,$(PYTHONS),--python $(p))

startup: .stamps/bench wheel  ## CPU of a fresh process from the wheel beside the peers, and where it goes
	@$(ONE_THREAD) $(BENCH)/bin/python benchmarks/first_result.py --wheel dist/dalembert-*manylinux*.whl

studio-speed: $(STAMP)  ## from slider to draw call in the studio, in a real browser (a quiet machine; a minute)
	@$(ONE_THREAD) $(BIN)/python benchmarks/studio.py $(ARGS)

agree: $(STAMP)  ## compare the formulations on 600 random mechanisms
	@DALEMBERT_MECHANISMS=600 $(ONE_THREAD) $(BIN)/python -m pytest -n auto tests/formulations/test_agreement.py

gradients: $(STAMP)  ## derivatives of runs of 200 random mechanisms against Richardson differences, tangents and way back
	@DALEMBERT_GRADIENTS=200 $(ONE_THREAD) $(BIN)/python -m pytest -n auto $(ARGS) tests/analyses/test_random_derivatives.py

redundant: $(STAMP)  ## 200 over-constrained mechanisms and Sarrus at 30 heights: all forms, all integrators
	@DALEMBERT_HEIGHTS=30 DALEMBERT_REDUNDANT=200 $(ONE_THREAD) $(BIN)/python -m pytest -n auto tests/formulations/test_overconstrained.py

nightly: $(STAMP)  ## mangled files (20,000 of each family), kills (50), full disks: hours of what the tests do briefly
	@$(ONE_THREAD) DALEMBERT_FUZZ=40 DALEMBERT_FAMILIES=20000 DALEMBERT_KILLS=50 $(BIN)/python -m pytest -n auto $(ARGS) \
		tests/fuzz tests/analyses/test_sweep.py tests/analyses/test_journal.py tests/results/test_killed.py tests/io/test_writers.py tests/workshop/test_killed.py

latex: $(STAMP)  ## take all derivations of the catalogue through pdfLaTeX (needs texlive-latex-base, -extra)
	@command -v pdflatex > /dev/null || { echo "pdflatex is not installed (Debian: apt-get install texlive-latex-base texlive-latex-extra)" >&2; exit 1; }
	@$(ONE_THREAD) DALEMBERT_LATEX=all $(BIN)/python -m pytest -n auto $(ARGS) tests/symbolic/test_presentation.py

hunt: COUNT ?= 1000
hunt: $(STAMP)  ## ask random mechanisms by two routes each: COUNT=1000 cases from seed FROM=0 on; goes on where it stopped
	@$(ONE_THREAD) $(BIN)/python tests/hunt/hunt.py --count $(COUNT) --first $(FROM) $(ARGS)

faults: COUNT ?= 20
faults: $(STAMP)  ## plant faults one by one and show which no test notices: FOLDER="…" COUNT=20 SEED=0 TESTS="…" PLAIN=1 (Python mode) AGAIN=1
	@$(ONE_THREAD) $(BIN)/python tests/faults/plant.py $(FOLDER) --count $(COUNT) --seed $(SEED) --jobs $(JOBS) \
		$(if $(TESTS),--tests $(TESTS)) $(if $(PLAIN),--plain) $(if $(AGAIN),--again) $(ARGS)

keep: $(STAMP)  ## keep what the runs of tests/contacts tell now where it is meant to differ, show what does: ARGS=FILES; WIDER=1 (rounding)
	@DALEMBERT_KEEP=$(if $(WIDER),wider,anew) $(ONE_THREAD) $(BIN)/python -m pytest -q -n auto $(or $(ARGS),tests/contacts)

docs: $(DOCS_STAMP)  ## build the documentation: docs/_build/html/index.html
	@$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build/html
	@echo "see docs/_build/html/index.html"

lint: $(STAMP)  ## check style, types and layers
	$(BIN)/python -m ruff check .
	$(BIN)/python -m mypy
	PYTHONPATH=src $(BIN)/lint-imports

page:  ## build the page that shows results from its sources in page/ (needs Node)
	cd page && npm ci --silent && npm run --silent build && node studio.mjs

clean:  ## remove the environment, caches and build output
	rm -rf $(VENV) $(BENCH) $(TOUCH) .stamps build dist out docs/_build docs/_generated src/*.egg-info
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests -type d -name __pycache__ -prune -exec rm -rf {} +

# pyvenv.cfg and not bin/python: the latter is a link to a file older than any stamp.
$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "dalembert needs Python 3.11 or newer; try: make PYTHON=python3.11 test" >&2; exit 1; }
	@echo "Creating $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv --clear $(VENV)

$(STAMP): $(VENV)/pyvenv.cfg pyproject.toml constraints.txt
	@echo "Installing dalembert and its dependencies into $(VENV) (a minute or two, only when they change)"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@mkdir -p $(@D) && touch $(LIGHT) $@

# What the demo needs and nothing else: half a minute.  Modules are translated when they are first imported, not all of them now.
$(LIGHT): $(VENV)/pyvenv.cfg pyproject.toml constraints.txt
	@echo "Installing dalembert and what it runs on into $(VENV) (half a minute, only when they change)"
	@$(BIN)/python -m pip install -qq --no-compile --disable-pip-version-check -c constraints.txt -e '.[symbolic,compile]'
	@mkdir -p $(@D) && touch $@

$(DOCS_STAMP): $(STAMP)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[docs]'
	@mkdir -p $(@D) && touch $@

# A peer without a wheel for this machine is reported as missing; the others still run.
.stamps/bench: pyproject.toml constraints.txt benchmarks/requirements.txt
	@echo "Installing dalembert and its peers ($(PEERS)) into $(BENCH) (some minutes, only when they change)"
	@$(PYTHON) -m venv --clear $(BENCH)
	@$(BENCH)/bin/python -m pip install -qq --disable-pip-version-check -c constraints.txt -c benchmarks/requirements.txt \
		-e '.[dev,plot]'
	@for peer in $(PEERS); do \
		$(BENCH)/bin/python -m pip install -qq --disable-pip-version-check -c constraints.txt -c benchmarks/requirements.txt $$peer \
		|| echo "$$peer cannot be installed on this machine: it will be marked as missing"; done
	@mkdir -p $(@D) && touch $@

.stamps/contact: pyproject.toml constraints.txt benchmarks/requirements.txt
	@echo "Installing dalembert and its peers in contact ($(TOUCH_PEERS)) into $(TOUCH) (a minute or two, only when they change)"
	@$(PYTHON) -m venv --clear $(TOUCH)
	@$(TOUCH)/bin/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e .
	@for peer in $(TOUCH_PEERS); do \
		$(TOUCH)/bin/python -m pip install -qq --disable-pip-version-check -c constraints.txt -c benchmarks/requirements.txt $$peer \
		|| echo "$$peer cannot be installed on this machine: it will be marked as missing"; done
	@mkdir -p $(@D) && touch $@
