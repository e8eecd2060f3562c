"""What every k, and every ε or m, would cost by every method, for an owner to choose from. Nothing is published."""

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import polars as pl

from shoal.anonymizers import Anonymizer
from shoal.data import Records
from shoal.data.fingerprint import fingerprint
from shoal.display import Displayed, Picture, Summary
from shoal.engines import refuse_misfits
from shoal.errors import MissingExtraError, WordingError
from shoal.io import Data
from shoal.io.folders.ledger import read_secret
from shoal.io.folders.sweep import SweepFolder
from shoal.io.schemas import GivenSchema
from shoal.jobs.measure import refuse_prediction
from shoal.jobs.phases import SWEEPING
from shoal.jobs.read import read
from shoal.models import PrivacyModel
from shoal.models.asked_models import AskedModels, asked_models
from shoal.models.k_epsilon import Semantics
from shoal.plan import Plan
from shoal.plots import draw_sweep
from shoal.progress import stage, whole
from shoal.utility import MEASURES, Prediction, Queries, WarnAt, warnings_of
from shoal.version import __version__
from shoal.wording.format import format_count
from shoal.wording.settings import read_settings

from .cost_tables import cost_tables, curves, points_by_method
from .grid import Grid
from .measures import asked_measures, missing_points, not_measured
from .point import Failure, Point, Terms
from .workers import run_points

__all__ = ["SweepResult", "sweep", "sweep_table"]


_TEXTS = {"method": pl.String, "holds": pl.Boolean, "refused": pl.String, "promise": pl.String}
_NOT_ALWAYS = ("epsilon", "l", "m", "l reached")


def sweep_table(points: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Return one row a point, by method, ε or m, and k; what a refused point does not have is null."""
    names = ["method", "k", "epsilon", "l", "m", "holds", "refused", "k reached", "l reached", "records"]
    rows = [_row(point) for point in points]
    names += [name for name, measure in MEASURES.items() if measure.quick or any(name in row for row in rows)]
    names += ["seconds", "peak MiB", "promise"]
    columns = {name: _column(name, [row.get(name) for row in rows]) for name in names}
    kept = {name: column for name, column in columns.items() if name not in _NOT_ALWAYS or column.is_not_null().any()}
    order = [name for name in ("method", "epsilon", "m", "k", "promise") if name in kept]
    return pl.DataFrame(kept).sort(order)


def _row(point: Mapping[str, Any]) -> dict[str, Any]:
    reached = {f"{letter} reached": level for letter, level in point.get("level", {}).items()}
    return {**point, **reached, **point.get("measures", {}), "peak MiB": point["peak_mib"]}


def _column(name: str, values: list[Any]) -> pl.Series:
    """Return a column of texts or numbers; whole numbers stay whole."""
    whole = all(value is None or isinstance(value, int) for value in values)
    return pl.Series(values, dtype=_TEXTS.get(name, pl.Int64 if whole else pl.Float64), strict=False)


@dataclass(frozen=True, repr=False)
class SweepResult(Displayed):
    """The points of a sweep, those of earlier runs included, and what was written of them."""

    records: int
    points: tuple[dict[str, Any], ...]
    """The finished points, in the order of the table."""
    failed: tuple[Failure, ...]
    """The points that came to no end in this run."""
    run: int
    """How many points this run finished."""
    table: str
    plots: tuple[str, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    """What the owner must know before choosing a point, in sentences."""
    seconds: float
    measured: tuple[str, ...] = ()
    """The measures that were asked for besides the quick ones."""

    kind: str = "table"
    """Of the records: it decides units."""

    def _summary(self) -> Summary:
        refused = sum(not point["holds"] for point in self.points)
        points = f"{format_count(len(self.points), 'point')} on {format_count(self.records, 'record')}"
        tables = [
            replace(next(cost_tables(each, ())), caption=f"{method}: what each promise costs")
            for method, each in points_by_method(self.points).items()
        ]
        failed = (f"failed: {each.method}, {each.promise}. {each.fault}" for each in self.failed)
        sentences = (*failed, *(f"Warning: {each}" for each in self.warnings), *self.notes)
        return Summary(
            f"SweepResult: {points}, {refused:,} refused", None, (("table", self.table),), (*tables,), sentences
        )

    def _pictures(self) -> Iterator[Picture]:
        yield from curves(self.points, self.kind)

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {
            "records": self.records,
            "points": list(self.points),
            "failed": [vars(failure) for failure in self.failed],
            "run": self.run,
            "table": self.table,
            "plots": list(self.plots),
            "notes": list(self.notes),
            "warnings": list(self.warnings),
            "seconds": round(self.seconds, 3),
        }


@whole("comparing promises", *SWEEPING)
def sweep(
    data: Data,
    *,
    k: Sequence[int] | str,
    method: Sequence[str | Anonymizer] | str,
    out: str | Path,
    epsilon: Sequence[float | Fraction] | str = (),
    m: Sequence[int] | str = (),
    schema: GivenSchema | None = None,
    models: AskedModels | None = None,
    model: AskedModels | None = None,
    l: float | str | Fraction | None = None,  # noqa: E741 - the letter of the literature
    semantics: Semantics = "neighborhood",
    withhold: str | float | Fraction = "0",
    accept: str | Sequence[str] = (),
    warn_below: str | float | None = None,
    warn_unique: str | float | None = None,
    duplicates: Literal["refuse", "last", "mean"] = "refuse",
    jobs: int = 2,
    seed: int | None = None,
    secret: str | Path | None = None,
    measure: Sequence[str] = (),
    queries: Queries | str | None = None,
    prediction: Prediction | str | None = None,
    force: bool = False,
) -> SweepResult:
    """Try every method under every promise of a grid, and write one table and its plots.

    >>> shoal.sweep("survey.csv", k=[5, 10, 20], epsilon=[0, 1, 2], method=["none"], out="sweep")  # doctest: +SKIP

    On ratings the grid is k × ε and its promise (k,ε)- or, with ``l``, (k,ε,l)-anonymity; with ``m``, on ratings and on
    sets, it is k × m and its promise k^m-anonymity; on tables, and where neither is given on sets and surveys, it is k,
    and its promise k-anonymity. ``models`` are promises to keep beside it. A point that is refused is an answer too.
    Finished points are kept: the same call goes on where an earlier one was stopped, and a larger grid of the same data
    adds to it; a folder of other data or settings is emptied only with ``force``. ``jobs`` points are worked on at a
    time, each in a process of its own; with 1, in this one. ``warn_below`` and ``warn_unique`` are those of a plan: at
    which shares the owner is warned that little is left, or that many records are exactly original and unique.

    Every point has the quick measures, and those named in ``measure``; a finished point that lacks one of these is run
    again. ``queries`` and ``prediction`` are those of :func:`shoal.measure`. Seconds and memory are without them.

    Nothing leaves, so the same ``seed`` gives the same table; with the ``secret`` of a release besides (the file of its
    ledger), methods draw as they do for that release.
    """
    began = time.perf_counter()
    if jobs < 1:
        raise WordingError("A sweep needs at least one job at a time.")
    grid = Grid(method, k, epsilon, m)
    hidden = None if secret is None else read_secret(secret)
    asked = asked_measures(measure, settings=queries is not None or prediction is not None)
    terms = replace(
        _terms(asked_models(models, model), withhold, accept, seed, str(out)),
        secret=hidden,
        queries=read_settings(Queries, queries or ""),
        prediction=read_settings(Prediction, prediction or ""),
    )
    at = _warn_at(warn_below, warn_unique, str(out))
    records = read(data, schema, duplicates=duplicates).records
    refuse_prediction(terms.prediction, records)
    points = grid.points(records, l, semantics)
    refuse_misfits(
        records, [min((point.promise for point in points), key=lambda each: each.fewest_records), *terms.models]
    )
    with SweepFolder.opened(Path(out), _common_settings(records, terms, l, semantics), force=force) as folder:
        missing = [*missing_points(points, asked, folder.points)]
        try:
            failed = _run(records, missing, terms, jobs, folder)
        finally:  # an interrupted sweep has something to show too
            table = sweep_table(folder.points.values())
            file = folder.write_table(table)
        plots, notes = _drawn(table, folder.path, records.kind)
        finished = [folder.points[key] for key in table.select("method", "promise").iter_rows()]
    return SweepResult(
        records=len(records),
        points=tuple(finished),
        failed=tuple(failed),
        run=len(missing) - len(failed),
        table=str(Path(out) / file.name),
        plots=tuple(str(Path(out) / plot.name) for plot in plots),
        notes=(*notes, *not_measured(finished, asked)),
        warnings=tuple(_warnings(finished, at)),
        seconds=time.perf_counter() - began,
        measured=asked,
        kind=records.kind,
    )


def _terms(
    models: Sequence[PrivacyModel],
    withhold: str | float | Fraction,
    accept: str | Sequence[str],
    seed: int | None,
    out: str,
) -> Terms:
    """Read what is the same at every point, by the rules of a plan."""
    plan = Plan.of(data="", models=(), out=out, withhold=withhold, accept=accept, seed=seed)
    return Terms(tuple(models), plan.share_withheld, plan.accept, plan.seed)


def _warn_at(below: str | float | None, unique: str | float | None, out: str) -> WarnAt:
    """Read at which shares the owner is warned, by the rules of a plan."""
    said = {"warn_below": below, "warn_unique": unique}
    settings = {name: share for name, share in said.items() if share is not None}
    return Plan.of(data="", models=(), out=out, **settings).warn_at


def _warnings(points: Sequence[Mapping[str, Any]], at: WarnAt) -> Iterator[str]:
    """Return the warnings that each point gives rise to, under its name."""
    for point in points:
        if point["holds"]:
            for warning in warnings_of(point["measures"], at):
                yield f"{point['method']}, {point['promise']}: {warning}"


def _common_settings(records: Records, terms: Terms, l: object, semantics: Semantics) -> dict[str, Any]:  # noqa: E741
    """Return what points must share to stand in one table."""
    return {
        "version": __version__,
        "kind": records.kind,
        "records": len(records),
        "sha256": fingerprint(records),
        "model": [str(model) for model in terms.models],
        "l": None if l is None else str(Fraction(str(l))),
        "semantics": semantics,
        "withhold": str(terms.withhold),
        "accept": sorted(terms.accept),
        "seed": terms.seed,
        "secret": None if terms.secret is None else hashlib.sha256(terms.secret).hexdigest(),
        "queries": str(terms.queries),
        "prediction": str(terms.prediction),
    }


def _run(records: Records, points: Sequence[Point], terms: Terms, jobs: int, folder: SweepFolder) -> list[Failure]:
    """Run what is missing, keep each point as soon as it is there, and give those that failed."""
    outcomes = run_points(records, points, terms, jobs)
    failed: list[Failure] = []
    try:
        with stage("sweeping", len(points)) as work:
            for outcome in outcomes:
                if isinstance(outcome, Failure):
                    failed.append(outcome)
                else:
                    folder.add(outcome)
                work.advance()
    except KeyboardInterrupt:
        raise KeyboardInterrupt("finished points are kept, and the same command goes on from there.") from None
    finally:
        outcomes.close()  # ends the workers at once
    return failed


def _drawn(table: pl.DataFrame, folder: Path, kind: str) -> tuple[list[Path], tuple[str, ...]]:
    shown = [name for name in MEASURES if name in table.columns and table[name].is_not_null().any()]
    if not shown:
        return [], ("No point keeps its promise, so there is nothing to draw.",)
    letters = [letter for letter in ("k", "epsilon", "m") if letter in table.columns]
    try:
        return draw_sweep(table.select("method", *letters, *shown, "seconds"), folder, kind=kind), ()
    except MissingExtraError as error:
        return [], (str(error),)
