"""A measure: a number from original and published records, with a name, a unit and a place in the list."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from shoal.data import PARTS, Part, Ratings, Survey
from shoal.progress import stage
from shoal.wording import Catalog

from .comparison import Comparison

__all__ = ["MEASURES", "Measure", "Measured", "Unmeasurable", "figures_of", "measure", "measure_behind", "measured"]


Compute = Callable[[Comparison], int | float]


class Unmeasurable(Exception):  # noqa: N818 - it never leaves the room: it becomes the reason why a number is missing
    """These records do not allow a measure to be computed; the text says why, without a value of a record."""


@dataclass(frozen=True)
class Measure:
    """A number from original and published records."""

    name: str
    unit: str
    compute: Compute
    quick: bool
    """Whether it takes no longer than reading the data; a release is measured by the quick ones alone."""
    place: int
    """Where it stands in the list: measures are printed from the lowest place to the highest."""
    unchanged: float | None
    """Its value where everything is published as it was; None where that depends on the data."""
    draws: bool = False
    """Whether it draws samples, queries or splits, so that the order of records may change which are drawn."""
    table_unit: str | None = None
    """The unit on tables, where it differs from that on ratings."""
    of_marks: bool = False
    """Whether it is about how items are rated, so that sets, which have no ratings, have no such number."""
    of_items: bool = False
    """Whether it compares records item by item, so that there is no such number where items are generalized."""
    of_samples: bool = False
    """Whether it is by sampling weights; unless asked for by name, it is left out where there are none."""
    whole: bool = False
    """Whether it is about whole records, in a survey too; other measures are of its answers and demographics each."""
    of_ratings: bool = False
    """Whether it counts ratings: there are none in a table, and it says nothing of the demographics of a survey."""

    def __call__(self, comparison: Comparison) -> int | float:
        """Return the number, or raise :class:`Unmeasurable`."""
        if self.of_marks and isinstance(comparison.whole, Ratings) and comparison.whole.is_sets:
            raise Unmeasurable("It is about ratings, and sets only say who has what.")
        if self.of_items and comparison.exact is not None:
            raise Unmeasurable("Items are published generalized, and it compares them one by one.")
        return self.compute(comparison)

    def unit_for(self, kind: str | None) -> str:
        """Return the unit for a kind of records (``ratings`` or ``table``); else, every unit it may have."""
        if self.table_unit is None or kind == "ratings":
            return self.unit
        return self.table_unit if kind == "table" else f"{self.unit} (ratings), {self.table_unit} (tables)"

    @property
    def meaning(self) -> str:
        """The definition in one sentence: the first line of the docstring, without a leading "Return"."""
        assert self.compute.__doc__, "every measure is defined in a sentence"
        sentence = self.compute.__doc__.strip().splitlines()[0].removeprefix("Return ")
        return sentence[:1].upper() + sentence[1:]


MEASURES: Catalog[Measure] = Catalog(
    "measure", "shoal.utility", group="shoal.measures", order=lambda each: (each.place, each.name)
)
"""Every measure by the name it is reported under."""

_LAST = 1000


def measure(
    name: str,
    *,
    unit: str,
    table_unit: str | None = None,
    quick: bool = True,
    place: int = _LAST,
    unchanged: float | None = None,
    draws: bool = False,
    of_marks: bool = False,
    of_items: bool = False,
    of_samples: bool = False,
    whole: bool = False,
    of_ratings: bool = False,
) -> Callable[[Compute], Measure]:
    """Make a measure of a function, and register it; the first line of the function's docstring is its meaning."""

    def register(compute: Compute) -> Measure:
        made = Measure(
            name,
            unit,
            compute,
            quick,
            place,
            unchanged,
            draws,
            table_unit,
            of_marks,
            of_items,
            of_samples,
            whole,
            of_ratings,
        )
        MEASURES.add(made)
        return made

    return register


@dataclass(frozen=True)
class Measured:
    """Numbers by name; and for measures that these records do not allow, the reasons."""

    values: Mapping[str, int | float]
    reasons: Mapping[str, str]


def measured(comparison: Comparison, measures: Iterable[Measure]) -> Measured:
    """Compute measures one after the other; of a survey, by part where they are not about whole records."""
    values: dict[str, int | float] = {}
    reasons: dict[str, str] = {}
    compared = _compared(comparison)
    for each in measures:
        for prefix, part in compared[each.whole].items():
            if prefix and _is_of_the_other_part(each, part):
                continue
            name = f"{prefix}{each.name}"
            with stage(f"measuring: {name}"):
                try:
                    values[name] = each(part)
                except Unmeasurable as unmeasurable:
                    if not prefix or str(unmeasurable) not in _OF_THE_OTHER_PART:
                        reasons[name] = str(unmeasurable)
    return Measured(values, reasons)


def _is_of_the_other_part(measure: Measure, part: Comparison) -> bool:
    """Decide whether a measure says nothing of one part of a survey, which goes without saying."""
    if measure.of_samples:
        return part.weights is None
    return measure.of_ratings and not isinstance(part.whole, Ratings)


_OF_THE_OTHER_PART = ("Defined on ratings only.", "Defined on tables only.")
"""Reasons that go without saying where both parts of a survey are measured."""


def _compared(comparison: Comparison) -> dict[bool, dict[str, Comparison]]:
    """Return what is compared, by what is written before the names of measures: for those on whole records, and not."""
    whole = {"": comparison}
    if not isinstance(comparison.whole, Survey):
        return {True: whole, False: whole}
    return {True: whole, False: {f"{part}: ": comparison.part(part) for part in PARTS}}


def measure_behind(name: str) -> tuple[Measure | None, str | None]:
    """Return the measure that a figure is named after, if any, and the kind of records it was computed on.

    The kind is known of figures of a survey alone, whose names begin with the part.
    """
    for part, kind in (("demographics", "table"), ("answers", "ratings")):
        if name.startswith(f"{part}: "):
            return MEASURES.get(name.removeprefix(f"{part}: ")), kind
    return MEASURES.get(name), None


def figures_of(values: Mapping[str, int | float], part: Part) -> dict[str, int | float]:
    """Return the figures of one part of a survey under their plain names, and those on whole records."""
    others = tuple(f"{each}: " for each in PARTS if each != part)
    return {name.removeprefix(f"{part}: "): value for name, value in values.items() if not name.startswith(others)}
