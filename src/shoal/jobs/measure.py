"""Utility and information loss: every measure of a release, computed anew from its ledger."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import polars as pl

from shoal.anonymizers import methods
from shoal.anonymizers.decomposition.purpose import Purpose
from shoal.data import Microdata, Ratings, Records, Role, Survey, part_of
from shoal.display import Displayed, Summary, Table
from shoal.display.summary import listed
from shoal.engines import LocalEngine
from shoal.engines.people_by_group import records_by_group
from shoal.errors import WordingError
from shoal.io.folders.release import ReleaseFolder
from shoal.models import leading_promise, promises
from shoal.plots import draw_sweep, plot_folder
from shoal.progress import whole
from shoal.utility import MEASURES, QUICK, Comparison, Prediction, Queries, measure_behind, measured
from shoal.wording.format import format_count, format_number
from shoal.wording.settings import read_settings

from .phases import MEASURING
from .release_and_truth import GivenLedger, GivenRelease, ReleaseAndTruth

__all__ = [
    "MeasureResult",
    "SeveralMeasured",
    "compared",
    "instead_of_ratings",
    "kind_of",
    "measure",
    "measure_several",
    "measured_as",
    "measures_table",
    "not_measured",
    "refuse_prediction",
]


@dataclass(frozen=True, repr=False)
class MeasureResult(Displayed):
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

    @property
    def table(self) -> Table:
        """A line a measure."""
        return measures_table({"value": self})

    def _summary(self) -> Summary:
        title = f"MeasureResult: {format_count(len(self.measures), 'measure')}"
        missing = tuple(not_measured({"": self}))
        return Summary(title, facts=(("method", self.method),), tables=(self.table,), sentences=missing)

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {"measures": dict(self.measures), "not_measured": dict(self.reasons)}


@whole("measuring", *MEASURING)
def measure(
    folder: GivenRelease,
    ledger: GivenLedger,
    *,
    everything: bool = False,
    seed: int = 0,
    queries: Queries | str | None = None,
    prediction: Prediction | str | None = None,
    test_on: tuple[GivenRelease, GivenLedger] | None = None,
    useful: str | None = None,
) -> MeasureResult:
    """Compare a release with the originals in its ledger.

    With ``everything``, also by the measures that take longer; ``seed`` is where their random queries, samples and
    splits come from. ``queries`` says which COUNT queries are asked, ``width=2,selectivity=0.05,count=100``, and
    ``prediction`` what classifiers predict, ``target=income,trials=50,records=2000``: they are trained on this release
    and tested on other records of it, or on those of another release, whose folder and ledger are ``test_on``.
    ``useful`` is how useful quasi-identifiers are, ``age:1;zip:0.5``: those not named not at all.
    """
    asked = {"queries": queries, "prediction": prediction, "test_on": test_on, "useful": useful}
    for name, given in asked.items():
        if given is not None and not everything:
            raise WordingError(
                f"The measures that take {name!r} into account are among those that take longer.", "Add --all."
            )
    pair = ReleaseAndTruth.read(folder, ledger)
    comparison = compared(pair, seed=seed, queries=queries, prediction=prediction, useful=useful)
    if test_on is not None:
        comparison = _tested_on(comparison, folder, test_on)
    return measured_as(comparison, pair.certificate.method, everything=everything)


def measured_as(comparison: Comparison, method: str, *, everything: bool = False) -> MeasureResult:
    """Measure what a method published, beside its originals."""
    measures = MEASURES.values() if everything else QUICK
    found = measured(comparison, [each for each in measures if not each.of_samples or comparison.weights is not None])
    return MeasureResult(found.values, found.reasons, method, comparison.k, comparison.epsilon, comparison.whole.kind)


def compared(
    pair: ReleaseAndTruth,
    *,
    seed: int = 0,
    queries: Queries | str | None = None,
    prediction: Prediction | str | None = None,
    useful: str | None = None,
) -> Comparison:
    """Put originals and published records side by side."""
    asked, predicted = read_settings(Queries, queries or ""), read_settings(Prediction, prediction or "")
    refuse_prediction(predicted, pair.published)
    priorities = None if useful is None else _priorities(useful, pair)
    engine = LocalEngine()
    sizes = records_by_group(pair.published, engine.group(pair.published))
    models = [promises.read(certified.promise) for certified in pair.certificate.promises]
    leading = leading_promise(models)
    k = None if leading is None else leading.hidden_among
    epsilon = leading.radius if leading is not None and pair.published.kind != "table" else None
    replaced = bool(instead_of_ratings(pair.certificate.method))
    return Comparison(
        pair.original,
        pair.origins,
        pair.published,
        sizes,
        epsilon,
        seed,
        pair.places,
        k,
        priorities,
        replaced,
        asked,
        predicted,
        exact=pair.exact,
    )


def _tested_on(comparison: Comparison, folder: GivenRelease, test_on: tuple[GivenRelease, GivenLedger]) -> Comparison:
    """Return the comparison with another release that classifiers are tested on."""
    if _place(test_on[0]) == _place(folder):
        raise WordingError(
            "A release cannot be tested on itself.", "Leave --test-on out: it then is, on other records."
        )
    if comparison.prediction.training != Prediction.training:
        raise WordingError(
            "Where another release is tested on, all of its records are for testing.", "Leave 'training' out."
        )
    other = ReleaseAndTruth.read(*test_on)
    if other.published.kind != comparison.whole.kind:
        raise WordingError("Classifiers of ratings cannot be tested on a table, nor those of a table on ratings.")
    return replace(comparison, tested_on=compared(other, prediction=comparison.prediction))


def _place(release: GivenRelease) -> object:
    """Return what tells a release from others: where it is, or the object itself."""
    return id(release) if isinstance(release, ReleaseFolder) else Path(release).resolve()


def kind_of(releases: Mapping[str, MeasureResult]) -> str | None:
    """Return the kind of records that releases have in common; None where it differs."""
    kinds = {each.kind for each in releases.values()}
    return kinds.pop() if len(kinds) == 1 else None


def instead_of_ratings(method: str) -> str:
    """Return what a method, given by its wording, publishes in the place of ratings; nothing where it is unknown."""
    try:
        return methods.read(method).instead_of_ratings
    except WordingError:  # the desk has methods of its own, and a certificate may name any
        return _AT_THE_DESK.get(method, "")


_AT_THE_DESK: Final = {"nested-profiles": "averages of ratings"}
"""What methods that only the desk has publish in the place of ratings."""


def _priorities(useful: str, pair: ReleaseAndTruth) -> dict[str, Fraction]:
    table = part_of(pair.original, "demographics")
    if not isinstance(table, Microdata):
        raise WordingError("Only columns of a table can be more and less useful.")
    names = [column.name for column in table.quasi_identifiers]
    return dict(zip(names, Purpose(useful).of(table), strict=True))


def refuse_prediction(prediction: Prediction, records: Records) -> None:
    """Refuse a target that these records do not have, and settings that would be ignored."""
    target = prediction.target
    if isinstance(records, Survey):
        if prediction != Prediction():
            raise WordingError(
                "What is predicted of a survey, and from what, cannot be said yet.", "Leave the prediction out."
            )
        return
    if isinstance(records, Ratings):
        _ = target is None or records.place_of(target)  # raises where there is no such item
        return
    assert isinstance(records, Microdata)
    if prediction.features != Prediction.features:
        raise WordingError("A column of a table is predicted from all other columns.", "Leave 'features' out.")
    if target is not None and not records[target].role.leaves:
        names = "names people" if records[target].role is Role.IDENTIFIER else "is not published"
        raise WordingError(f"The column {target!r} {names}, and cannot be predicted.", "Name another column.")


def measures_table(releases: Mapping[str, MeasureResult]) -> Table:
    """Return a line a measure and a column a release."""
    names = _in_order(name for each in releases.values() for name in each.measures)
    rows = [
        [
            name,
            *(format_number(each.measures[name]) if name in each.measures else "–" for each in releases.values()),
            _unit(name, kind_of(releases)),
        ]
        for name in names
    ]
    return Table.of("Measures", ["measure", *releases, "unit"], rows, ("unit",), most=len(rows))


def _in_order(names: Iterable[str]) -> list[str]:
    """Return names of figures in the order of measures, those of the parts of a survey side by side."""
    found = {name: measure_behind(name)[0] for name in names}
    places = {each.name: place for place, each in enumerate(MEASURES.values())}
    known = [(places[measure.name], name) for name, measure in found.items() if measure is not None]
    return [name for _, name in sorted(known)]


def _unit(name: str, kind: str | None) -> str:
    measure, of_part = measure_behind(name)
    return "" if measure is None else measure.unit_for(of_part or kind)


def not_measured(releases: Mapping[str, MeasureResult]) -> Iterator[str]:
    """Say which measures could not be computed, and why."""
    missing: dict[str, dict[str, None]] = {}
    for name, why in (pair for each in releases.values() for pair in each.reasons.items()):
        missing.setdefault(why, {})[name] = None
    for why, without in missing.items():
        yield f"not measured: {', '.join(without)}. {why}"


@dataclass(frozen=True, repr=False)
class SeveralMeasured(Displayed):
    """The measures of each release by the name of its folder, and the plots that were made of them."""

    releases: Mapping[str, MeasureResult]
    plots: tuple[str, ...] = ()

    def _summary(self) -> Summary:
        title = f"SeveralMeasured: {format_count(len(self.releases), 'release')}"
        facts = (("plots", listed(self.plots)),) if self.plots else ()
        return Summary(title, None, facts, (measures_table(self.releases),), tuple(not_measured(self.releases)))

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
    queries: Queries | str | None = None,
    prediction: Prediction | str | None = None,
    test_on: tuple[str | Path, str | Path] | None = None,
    useful: str | None = None,
    plot: str | Path | None = None,
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
    settings = {"queries": queries, "prediction": prediction, "test_on": test_on, "useful": useful}
    asked: dict[str, Any] = {"everything": everything, "seed": seed, **settings}
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
