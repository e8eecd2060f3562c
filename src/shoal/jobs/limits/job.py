"""The best k, ε and l that data meet: one or two of them are given, the others sought."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, get_args

from shoal.data import PARTS, Microdata, Part, Ratings, Records, Survey, part_of
from shoal.display import Displayed, Summary
from shoal.engines import LocalEngine
from shoal.engines.neighbor_search import Search
from shoal.errors import DataError, SchemaError, WordingError
from shoal.io import Data
from shoal.io.schemas import GivenSchema
from shoal.jobs.read import read
from shoal.models import PrivacyModel, promises
from shoal.models.k_epsilon import Semantics, span, vacuous_from
from shoal.models.spread import AllNull, Reading, Spread
from shoal.wording.format import format_count

from .item_limits import ItemLimitsResult, item_limits
from .neighborhood_limits import NeighborhoodLimits
from .partition_limits import PartitionLimits

__all__ = ["LimitsResult", "limits"]

_LETTERS = ("k", "epsilon", "l")
_BEST = {"epsilon": "smallest epsilon", "k": "largest k", "l": "largest l"}


@dataclass(frozen=True, repr=False)
class LimitsResult(Displayed):
    """What was given, and the best that goes with it; nothing where it cannot be met."""

    given: Mapping[str, int | Fraction]
    k: int | None
    epsilon: Fraction | None
    l: Fraction | None  # noqa: E741 - the letter of the literature
    """Rounded down to millionths where it was sought; nothing too where no issue is sensitive."""
    semantics: Semantics
    promise: PrivacyModel | None
    """The promise these make together; nothing where they make none."""
    proven: bool
    """Whether nothing better exists for certain; by neighborhoods it always is so."""
    records: int
    seconds: float
    reasons: tuple[str, ...] = ()
    """Why something sought was not found, in sentences."""
    span: Fraction = Fraction(0)
    """The epsilon from which on nothing is said of how people rated."""
    vacuous_from: Fraction = Fraction(0)
    """The epsilon from which on nothing is said of answers at all."""
    joined: bool = False
    """Whether people are compared within classes of equal demographics."""

    @property
    def vacuous(self) -> bool:
        """Whether the epsilon given or found asks nothing of these records."""
        return not self.joined and self.epsilon is not None and self.epsilon >= self.vacuous_from

    @property
    def question(self) -> str:
        """What the limits are of, in words."""
        given = " and ".join(f"{letter} = {_in_full(value)}" for letter, value in self.given.items())
        groups = ", in groups" if self.semantics == "partition" else ""
        within = ", among people of equal demographics" if self.joined else ""
        return f"{format_count(self.records, 'record')}{groups}{within}, given {given}"

    @property
    def answers(self) -> tuple[tuple[str, str], ...]:
        """What was sought, in words, each with what was found."""
        return tuple(
            (best, _in_full(getattr(self, letter))) for letter, best in _BEST.items() if letter not in self.given
        )

    @property
    def remarks(self) -> tuple[str, ...]:
        """What else is to be said of the answers, in sentences."""
        absent = self.l is None and not self.reasons
        return (
            *self.reasons,
            *(("No issue is declared sensitive, so there is no l.",) if absent else ()),
            *(("With k = 1 nobody is hidden.",) if self.k == 1 else ()),
            *(() if self.proven else ("Not every split into groups was tried, so something better may exist.",)),
        )

    @property
    def vacuity(self) -> str:
        """From which epsilon on less is said than it seems."""
        if self.joined:
            return (
                f"From epsilon = {_in_full(self.vacuous_from)} on, any two people of equal demographics are near, and "
                "every answer is about demographics alone."
            )
        if self.span == self.vacuous_from:
            return f"From epsilon = {_in_full(self.span)} on, any two records are near and every answer is vacuous."
        return (
            f"From epsilon = {_in_full(self.span)} on, only which issues people rated is protected, not how; "
            f"from {_in_full(self.vacuous_from)} on, any two records are near and every answer is vacuous."
        )

    def _summary(self) -> Summary:
        facts = self.answers if self.promise is None else (*self.answers, ("holds", str(self.promise)))
        empty = ("These answers protect nobody.",) if self.vacuous else ()
        return Summary(f"LimitsResult: {self.question}", None, facts, sentences=(*self.remarks, *empty, self.vacuity))

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        published: dict[str, Any] = {
            "given": {letter: _plain(value) for letter, value in self.given.items()},
            **{letter: _plain(getattr(self, letter)) for letter in _LETTERS},
            "semantics": self.semantics,
            "promise": None if self.promise is None else str(self.promise),
            "vacuous": self.vacuous,
            "span": _plain(self.span),
            "vacuous_from": _plain(self.vacuous_from),
            "records": self.records,
            "seconds": round(self.seconds, 3),
        }
        if self.semantics == "partition":
            published["proven"] = self.proven
        return {**published, "reasons": list(self.reasons)} if self.reasons else published


def limits(
    data: Data,
    given: Mapping[str, int | float | str | Fraction],
    schema: GivenSchema | None = None,
    *,
    semantics: Semantics = "neighborhood",
    spread: Reading = "non-null",
    all_null: AllNull = "refuse",
    search: Search = "auto",
    duplicates: Literal["refuse", "last", "mean"] = "refuse",
    part: Part | None = None,
) -> LimitsResult | ItemLimitsResult:
    """Find the largest k, the smallest ε and the largest l that go with what is given of them.

    Of a survey they are those of both parts together, people being compared with those of equal demographics; with
    ``part="answers"`` they are those of the answers alone.

    Given m, or k where the data are sets, the limits are those of k^m-anonymity: the largest k, or the largest m.

    Given ε: the largest k, and the largest l with it. Given k: the smallest ε, and the largest l with it. Given l: the
    smallest ε with a k of at least 2, and the largest k with it. Given two: the third. An ε that is sought is a whole
    number of steps of the scale. The answer also says from which ε on the promise is vacuous
    (:mod:`shoal.models.k_epsilon`), whatever k is reached there.
    """
    began = time.perf_counter()
    settings = {"semantics": semantics, "spread": spread, "all_null": all_null}
    asked = None if "m" in given else _read_given(given, settings)
    if search not in get_args(Search):
        raise WordingError(f"The search cannot be {search!r}.", f"It is one of: {', '.join(get_args(Search))}.")
    speaks_of_l = "l" in given or (len(given) == 2 and "m" not in given)
    records = _fitting(read(data, schema, duplicates=duplicates).records, part, speaks_of_l=speaks_of_l)
    ratings = records.ratings if isinstance(records, Survey) else records
    if asked is None or ratings.is_sets:
        _refuse_ratings_of_sets(given)
        return item_limits(records, given, LocalEngine(search=search), part)
    if not ratings.has_sensitive and (spread, all_null) != ("non-null", "refuse"):
        raise SchemaError(
            "The spread is one of sensitive ratings, and no issue is declared sensitive.",
            'Write sensitive = ["…"] in the schema, or leave out what says how to take it.',
        )
    known = {letter: getattr(asked, letter) for letter in _LETTERS if letter in given}
    kind = PartitionLimits if semantics == "partition" else NeighborhoodLimits
    seeker = kind(records, LocalEngine(search=search), Spread(spread, all_null))
    found = _sought(seeker, known, has_l=ratings.has_sensitive)
    joined = isinstance(records, Survey)
    reasons = _reasons(known, found, len(ratings), has_l=ratings.has_sensitive, joined=joined)
    promise = _promise(known, found, settings, has_l=ratings.has_sensitive)
    return LimitsResult(
        given=known,
        **found,
        semantics=semantics,
        promise=None if promise is None else replace(promise, part=part),
        proven=seeker.proven,
        records=len(ratings),
        seconds=time.perf_counter() - began,
        reasons=reasons,
        span=span(ratings.scale),
        vacuous_from=vacuous_from(ratings),
        joined=joined,
    )


def _read_given(given: Mapping[str, object], settings: Mapping[str, str]) -> PrivacyModel:
    """Read what is given as a promise is read; what is left open stands as something harmless."""
    for letter in given:
        if letter not in _LETTERS:
            raise WordingError(f"There is no parameter {letter!r}.", f"Known are: {', '.join(_LETTERS)} and m.")
    if not given:
        raise WordingError("Nothing is given to find the limits for.", "Add --given k=5, for example.")
    if len(given) == len(_LETTERS):
        raise WordingError("k, epsilon and l are all given, so nothing is left to find.", "Use shoal check for that.")
    return _k_epsilon({"k": 2, "epsilon": 0, "l": 0, **given, **settings})


def _refuse_ratings_of_sets(given: Mapping[str, object]) -> None:
    for letter in given:
        if letter not in ("k", "m"):
            raise WordingError(f"Of items alone there is no {letter}.", "Give k or m.")


def _k_epsilon(settings: Mapping[str, object]) -> PrivacyModel:
    """Return the promise of which the limits are sought."""
    return promises.read("k-epsilon:" + ",".join(f"{key}={value}" for key, value in settings.items()))


def _fitting(records: Records, part: Part | None, *, speaks_of_l: bool) -> Ratings | Survey:
    """Return the part of the data that is asked about; refuse data for which the question means nothing."""
    _refuse_part(records, part)
    records = part_of(records, part)
    if isinstance(records, Survey) and not records.table.has_observable:
        records = records.ratings  # nobody is told apart by demographics
    if isinstance(records, Microdata):
        raise WordingError(f"Limits of k, epsilon and l are those of ratings, and these data are a {records.kind}.")
    assert isinstance(records, Ratings | Survey)
    ratings = records.ratings if isinstance(records, Survey) else records
    if not records.has_observable:
        raise SchemaError(
            "There are no limits to find: no issue is declared as known to others.",
            "Leave some items out of 'sensitive'.",
        )
    if speaks_of_l and not ratings.has_sensitive:
        raise SchemaError(
            "An l speaks of sensitive ratings, and no issue is declared sensitive.",
            'Write sensitive = ["…"] in the schema, or give k or epsilon alone.',
        )
    if not len(records):
        raise DataError("There are no records.", "Give a file with records.")
    return records


def _refuse_part(records: Records, part: Part | None) -> None:
    if part is not None and part not in PARTS:
        raise WordingError(f"There is no part {part!r}.", "Ask for the answers, or leave out the part.")
    if part is not None and not isinstance(records, Survey):
        raise WordingError(
            f"Limits of the {part} are asked for, and these data are {records.kind} alone.",
            "Leave out the part: it is for surveys, which have answers and demographics.",
        )
    if part == "demographics":
        raise WordingError(
            "Of demographics alone there is no epsilon and no l to find.",
            "The largest k is what `shoal check --model k-anonymity:k=2,part=demographics` says is reached.",
        )


def _sought(seeker: NeighborhoodLimits | PartitionLimits, given: Mapping[str, Any], *, has_l: bool) -> dict[str, Any]:
    """Complete what is given."""
    k, epsilon, l = (given.get(letter) for letter in _LETTERS)  # noqa: E741
    if epsilon is None:
        epsilon = seeker.smallest_epsilon(k or 2, l)
    if epsilon is not None:
        if k is None:
            k = seeker.largest_k(epsilon, l)
        if l is None and k is not None and has_l:
            l = seeker.largest_l(epsilon, k)  # noqa: E741
    return {"k": k, "epsilon": epsilon, "l": l}


def _promise(
    given: Mapping[str, Any], found: Mapping[str, Any], settings: Mapping[str, str], *, has_l: bool
) -> PrivacyModel | None:
    """Return the promise that was found to hold; an l of 0 that nobody asked for says nothing and is left out."""
    k, epsilon, l = (found[letter] for letter in _LETTERS)  # noqa: E741
    if k is None or k < 2 or epsilon is None or (has_l and l is None):
        return None
    if l or given.get("l"):
        return _k_epsilon({**found, **settings})
    return _k_epsilon({"k": k, "epsilon": epsilon, "semantics": settings["semantics"]})


def _reasons(
    given: Mapping[str, Any], found: Mapping[str, Any], records: int, *, has_l: bool, joined: bool
) -> tuple[str, ...]:
    """Say why something that was sought was not found."""
    if found["epsilon"] is None and records < given.get("k", 2):
        return (f"There are {records:,} records, fewer than k.",)
    if found["epsilon"] is None and joined and "l" not in given:
        return ("Some class of equal demographics has fewer people than k, whatever epsilon is.",)
    if found["epsilon"] is None:
        return (f"No epsilon keeps this l with {'this k' if 'k' in given else 'a k of at least 2'}.",)
    if found["k"] is None:
        return ("At this epsilon, no k of at least 2 goes with this l.",)
    if found["l"] is None and has_l:
        return ("At this epsilon this k does not hold, so no l goes with them.",)
    return ()


def _plain(number: int | Fraction | None) -> int | float | None:
    """Return a number as JSON has it."""
    if isinstance(number, Fraction):
        return int(number) if number.denominator == 1 else float(number)
    return number


def _in_full(number: int | Fraction | None) -> str:
    """Write a number in full: a rounded one might not hold."""
    if number is None:
        return "–"
    return f"{number:,}" if isinstance(number, int) else f"{float(number):.15g}"
