# Everything below needs make and Python 3.11 or newer, nothing else.
#   PYTHON=python3.12 make test      another interpreter for a fresh .venv
#   make test ARGS="-m 'not slow'"   further arguments to pytest

PYTHON ?= python3
ARGS   ?=
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := .stamps/install

# The tests run one process per core, so each process gets one thread.
ONE_THREAD := OMP_NUM_THREADS=1 MKL_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test bench lint clean

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | while IFS='|' read -r name text; do \
		printf '%-14s %s\n' "$$name" "$$text"; done

demo: $(STAMP)  ## simulate a ready mechanism and say where the results are
	@$(BIN)/dalembert demo

test: $(STAMP)  ## run all tests, one process per core
	@$(ONE_THREAD) $(BIN)/python -m pytest -n auto $(ARGS)

bench: $(STAMP)  ## time one solve of the equations on mechanisms of growing size
	@$(ONE_THREAD) $(BIN)/python benchmarks/solve.py
	@$(ONE_THREAD) $(BIN)/python benchmarks/symbolic.py

lint: $(STAMP)  ## check style, types and layers
	$(BIN)/python -m ruff check .
	$(BIN)/python -m mypy
	PYTHONPATH=src $(BIN)/lint-imports

clean:  ## remove the environment, caches and build output
	rm -rf $(VENV) .stamps build dist out src/*.egg-info
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
	@mkdir -p $(@D) && touch $@
