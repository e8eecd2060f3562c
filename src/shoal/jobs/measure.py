"""Utility and information loss: every measure of a release, computed anew from its ledger."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl

from shoal.anonymizers import methods
from shoal.anonymizers.decomposition.purpose import Purpose
from shoal.data import Microdata, Role
from shoal.engines import LocalEngine
from shoal.engines.people_by_group import records_by_group
from shoal.errors import WordingError
from shoal.models import leading_promise, promises
from shoal.plots import draw_sweep, plot_folder
from shoal.utility import MEASURES, QUICK, Comparison, measured

from .release_and_truth import ReleaseAndTruth

__all__ = [
    "MeasureResult",
    "SeveralMeasured",
    "compared",
    "instead_of_ratings",
    "kind_of",
    "measure",
    "measure_several",
    "measured_as",
]


@dataclass(frozen=True)
class MeasureResult:
    """Every measure by name."""

    measures: Mapping[str, int | float]
    reasons: Mapping[str, str]
    """Why a measure that was asked for is not among them."""
    method: str
    k: int | None
    """The k that is promised; None where the certificate promises none."""
    epsilon: Fraction | None
    kind: str
    """Of the records: it decides units."""

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {"measures": dict(self.measures), "not_measured": dict(self.reasons)}


def measure(
    folder: str | Path,
    ledger: str | Path,
    *,
    everything: bool = False,
    seed: int = 0,
    target: str | None = None,
    useful: str | None = None,
) -> MeasureResult:
    """Compare a release with the originals in its ledger.

    With ``everything``, also by the measures that take longer; ``seed`` is where their random queries, samples and
    splits come from, ``target`` the column of a table that models are to predict, and ``useful`` how useful its
    quasi-identifiers are, ``age:1;zip:0.5``: those not named not at all.
    """
    pair = ReleaseAndTruth.read(folder, ledger)
    comparison = compared(pair, seed=seed, target=target, useful=useful)
    for name, given in (("predict", target), ("useful", useful)):
        if given is not None and not everything:
            raise WordingError(
                f"The measures that take {name!r} into account are among those that take longer.", "Add --all."
            )
    return measured_as(comparison, pair.certificate.method, everything=everything)


def measured_as(comparison: Comparison, method: str, *, everything: bool = False) -> MeasureResult:
    """Measure what a method published, beside its originals."""
    found = measured(comparison, MEASURES.values() if everything else QUICK)
    return MeasureResult(found.values, found.reasons, method, comparison.k, comparison.epsilon, comparison.whole.kind)


def compared(
    pair: ReleaseAndTruth, *, seed: int = 0, target: str | None = None, useful: str | None = None
) -> Comparison:
    """Put originals and published records side by side."""
    _refuse_unknown(target, pair)
    priorities = None if useful is None else _priorities(useful, pair)
    engine = LocalEngine()
    sizes = records_by_group(pair.published, engine.group(pair.published))
    models = [promises.read(certified.promise) for certified in pair.certificate.promises]
    leading = leading_promise(models)
    k = None if leading is None else leading.hidden_among
    epsilon = leading.radius if leading is not None and pair.published.kind == "ratings" else None
    replaced = bool(instead_of_ratings(pair.certificate.method))
    return Comparison(
        pair.original, pair.origins, pair.published, sizes, epsilon, seed, pair.places, k, target, priorities, replaced
    )


def kind_of(releases: Mapping[str, MeasureResult]) -> str | None:
    """Return the kind of records that releases have in common; None where it differs."""
    kinds = {each.kind for each in releases.values()}
    return kinds.pop() if len(kinds) == 1 else None


def instead_of_ratings(method: str) -> str:
    """Return what a method, given by its wording, publishes in the place of ratings; nothing where it is unknown."""
    try:
        return methods.read(method).instead_of_ratings
    except WordingError:  # the desk has a method of its own, and a certificate may name any
        return ""


def _priorities(useful: str, pair: ReleaseAndTruth) -> dict[str, Fraction]:
    table = pair.original
    if not isinstance(table, Microdata):
        raise WordingError("Only columns of a table can be more and less useful.")
    names = [column.name for column in table.quasi_identifiers]
    return dict(zip(names, Purpose(useful).of(table), strict=True))


def _refuse_unknown(target: str | None, pair: ReleaseAndTruth) -> None:
    if target is None:
        return
    table = pair.published
    if not isinstance(table, Microdata):
        raise WordingError("Only a column of a table can be named to be predicted.")
    if table[target].role is Role.IDENTIFIER:
        raise WordingError(f"The column {target!r} names people, and cannot be predicted.", "Name another column.")


@dataclass(frozen=True)
class SeveralMeasured:
    """The measures of each release by the name of its folder, and the plots that were made of them."""

    releases: Mapping[str, MeasureResult]
    plots: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints: of one release its measures, of several a list."""
        drawn = {"plots": list(self.plots)} if self.plots else {}
        if len(self.releases) == 1:
            (only,) = self.releases.values()
            return {**only.to_json(), **drawn}
        measured = [{"release": name, **_promise(each), **each.to_json()} for name, each in self.releases.items()]
        return {"releases": measured, **drawn}


def measure_several(
    folders: Sequence[str | Path],
    ledgers: Sequence[str | Path],
    *,
    everything: bool = False,
    seed: int = 0,
    plot: str | Path | None = None,
    target: str | None = None,
    useful: str | None = None,
) -> SeveralMeasured:
    """Compare releases with the originals in their ledgers, given in the same order; draw into a folder if asked."""
    if len(folders) != len(ledgers):
        raise WordingError(
            f"There are {len(folders)} releases and {len(ledgers)} ledgers.",
            "Give --ledger once for each release, in the same order.",
        )
    if len({str(folder) for folder in folders}) < len(folders):
        raise WordingError("A release is given twice.")
    pairs = zip(folders, ledgers, strict=True)
    asked = {"everything": everything, "seed": seed, "target": target, "useful": useful}
    with nullcontext() if plot is None else plot_folder(plot) as drawn_into:
        releases = {str(each): measure(each, ledger, **asked) for each, ledger in pairs}
        if drawn_into is None:
            return SeveralMeasured(releases)
        return SeveralMeasured(
            releases, tuple(str(file) for file in draw_sweep(_frame(releases), drawn_into, kind=kind_of(releases)))
        )


def _promise(result: MeasureResult) -> dict[str, Any]:
    epsilon = None if result.epsilon is None else float(result.epsilon)
    return {"method": result.method, "k": result.k, "epsilon": epsilon}


def _frame(releases: Mapping[str, MeasureResult]) -> pl.DataFrame:
    for name, result in releases.items():
        if result.k is None:
            raise WordingError(f"The release {name} promises no k that its measures could be drawn against.")
    names = dict.fromkeys(name for each in releases.values() for name in each.measures)
    schema = {"method": pl.String, "k": pl.Int64, "epsilon": pl.Float64, **dict.fromkeys(names, pl.Float64)}
    return pl.DataFrame([{**_promise(each), **each.measures} for each in releases.values()], schema=schema)
