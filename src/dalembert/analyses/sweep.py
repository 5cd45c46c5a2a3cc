"""sweep: one analysis for many variants of a model; a table of what came out.

    many = da.sweep(m, {"speed": [5, 10, 20], "l": [1, 2]}, da.simulate, 2.0, outputs={"peak": "max A.force"})
    many["peak"], many.failed, many.to_csv("sweep.csv")

A variant is the model with other values of some parameters; or, where ``model`` is a function, what it returns for them.
With ``save=`` every finished variant is on disk before it is reported, and the same call takes up where it was stopped.
A variant that fails is a row with its message; the others go on.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from dalembert.analyses.studies import pool
from dalembert.analyses.studies.journal import Journal
from dalembert.analyses.studies.key import first_key, key
from dalembert.analyses.studies.outputs import extractors, plain, units
from dalembert.analyses.studies.variants import variants
from dalembert.errors import AnalysisError, DalembertError, hint
from dalembert.model.model import Model
from dalembert.results.table import SweepTable


class Job:
    """The k-th variant: (outputs) or a message."""

    def __init__(self, model, rows, analysis, args, options, wanted):
        self.model, self.rows, self.analysis, self.args, self.options, self.wanted = model, rows, analysis, args, options, wanted

    def variant(self, k: int) -> Any:
        if not isinstance(self.model, Model):
            return self.model(**self.rows[k])
        other = self.model.copy()
        for name, value in self.rows[k].items():
            other.parameters[name] = value
        return other

    def part(self, chunk: list[int]) -> Job:
        """The same for a few variants."""
        return Job(self.model, {k: self.rows[k] for k in chunk}, self.analysis, self.args, self.options, self.wanted)

    def result(self, k: int) -> Any:
        return self.analysis(self.variant(k), *self.args, **self.options)

    def __call__(self, k: int) -> dict[str, Any] | str:
        try:
            result = self.result(k)
            return {name: plain(take(result)) for name, take in self.wanted.items()}
        except Exception as error:  # whatever goes wrong in one variant must not end the others
            return str(error) if isinstance(error, DalembertError) else f"{type(error).__name__}: {error}"


class Keep:
    """Results kept whole, for small sweeps without outputs."""

    def __init__(self, job: Job):
        self.job = job
        self.results: dict[int, Any] = {}

    def __call__(self, k: int) -> dict[str, Any] | str:
        try:
            self.results[k] = self.job.result(k)
            return {}
        except Exception as error:
            return str(error) if isinstance(error, DalembertError) else f"{type(error).__name__}: {error}"


def sweep(model: Model | Callable, values: Any, analysis: Callable, *args: Any, outputs: Any = None, on: Any = None,
          sampling: str = "grid", count: int | None = None, seed: int = 0, workers: int | None = None, save: Any = None,
          progress: Callable[[int, int], object] | None = None, **options: Any) -> SweepTable:
    """Compute ``analysis(variant, *args, **options)`` for all variants of a model and keep ``outputs`` of each.

    Parameters
    ----------
    model : Model or function
        Its parameters are varied; or a function of them that makes the model.
    values : dict or list
        {parameter: values}, or a list of dicts, one per variant.
    analysis : function
        As ``da.simulate``; of the variant and what follows.
    *args : Any
        Further arguments of the analysis.
    outputs : optional
        What is kept of each result: channels ("max A.force"), functions, or a dict of these; left out: the results
        themselves, in ``.results``.
    on : optional
        A dask.distributed client or the address of a scheduler to compute on.
    sampling : str, default "grid"
        "grid", "list" (values side by side), "random" or "latin" (values are intervals).
    count : int, optional
        How many random or latin samples.
    seed : int, default 0
        Of the samples.
    workers : int, optional
        Processes on this machine; left out: its cores.
    save : path, optional
        A journal; a sweep that was stopped is taken up again.
    progress : function, optional
        Called with the number of variants done and of all.
    **options : Any
        Named arguments of the analysis.

    Returns
    -------
    SweepTable
        One row per variant; ``failed`` lists those without an answer, with the reason.
    """
    rows = variants(values, sampling, count, seed)
    check_variants(model, rows, analysis)
    wanted = extractors(outputs if outputs is not None else {})
    job = Job(model, rows, analysis, args, options, wanted)
    keep = Keep(job) if outputs is None else None
    if keep is not None and (save is not None or on is not None):
        raise AnalysisError("sweep: say what to keep with outputs={name: channel or function}; whole results stay in "
                            "this process")
    table = SweepTable(list(rows[0]), list(wanted), rows, units(wanted, lambda: job.variant(0)))
    journal = None if save is None else Journal(save, key(job), first_key(job), len(rows), list(wanted))
    try:
        if journal is not None:
            for k, row in journal.done.items():
                table.put(k, row["error"] if "error" in row else row["out"])
        todo = [k for k in range(len(rows)) if k not in table.known]
        if keep is not None:
            chunks = pool.compute(keep, todo, 1)
        elif on is not None:
            chunks = pool.on_cluster(job, todo, on)
        else:
            chunks = pool.compute(job, todo, pool.cores() if workers is None else workers)
        for chunk in chunks:
            fresh = [(k, out) for k, out in chunk if k not in table.known]
            if journal is not None and fresh:
                journal.add([{"k": k, **({"error": out} if isinstance(out, str) else {"out": out})} for k, out in fresh])
            for k, out in fresh:
                table.put(k, out)
            if progress is not None:
                progress(len(table.known), len(rows))
    finally:
        if journal is not None:
            journal.close()
    if keep is not None:
        table.results = [keep.results.get(k) for k in range(len(rows))]
    return table


def check_variants(model, rows, analysis, question: str = "sweep") -> None:
    """Refuse, in the name of the question, what no variant could be made of."""
    if not callable(analysis):
        raise AnalysisError(f"{question}: the third argument is the analysis, as da.simulate; got {analysis!r}")
    if isinstance(model, Model):
        for name in rows[0]:
            if name not in model.parameters:
                raise AnalysisError(f"{question}: model '{model.name}' has no parameter '{name}'{hint(name, model.parameters)} "
                                    f"(parameters: {', '.join(model.parameters) or 'none'})")
    elif not callable(model):
        raise AnalysisError(f"{question}: the first argument is a Model or a function that makes one, got {model!r}")
    else:
        try:
            inspect.signature(model).bind(**rows[0])
        except TypeError as error:
            raise AnalysisError(f"{question}: {getattr(model, '__name__', 'the function')} cannot be called with "
                                f"{', '.join(rows[0])}: {error}") from None
        except ValueError:
            pass
