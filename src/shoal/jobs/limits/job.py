"""The best k, ε and l that data meet: one or two of them are given, the others sought."""

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, cast, get_args, overload

import numpy as np

from shoal.backends.spark import SparkFrame
from shoal.data import PARTS, Microdata, Part, Ratings, Records, Survey, part_of
from shoal.engines import LocalEngine, judge
from shoal.engines.neighbor_search import Search
from shoal.errors import DataError, SchemaError, WordingError
from shoal.io import Data
from shoal.io.schemas import GivenSchema
from shoal.jobs.asked_engine import AskedEngine, asked_engine
from shoal.jobs.engine_choice import none_unless
from shoal.jobs.phases import CHECKING
from shoal.jobs.ratings_on_disk import opened_ratings, ratings_on_disk
from shoal.jobs.read import read
from shoal.models import PrivacyModel, promises
from shoal.models.k_epsilon import Semantics, span, vacuous_from
from shoal.models.spread import AllNull, Reading, Spread
from shoal.progress import whole

from .item_limits import ItemLimitsResult, Judging, item_limits
from .limits_on_disk import LimitsOnDisk, judging_on_disk
from .limits_result import LimitsResult
from .neighborhood_limits import NeighborhoodLimits
from .partition_limits import PartitionLimits
from .table_limits import TableLimitsResult, table_limits

if TYPE_CHECKING:
    from shoal.partitioned.ratings import PartitionedRatings

    _Limited = Ratings | Survey | PartitionedRatings

__all__ = ["LimitsResult", "limits"]

_LETTERS = ("k", "epsilon", "l")


@overload
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
    engine: AskedEngine = "auto",
    memory: str | None = None,
    spark_master: str | None = None,
    spark_staging: str | None = None,
) -> LimitsResult | ItemLimitsResult: ...


@overload
def limits(
    data: Data | SparkFrame,
    given: None = None,
    schema: GivenSchema | None = None,
    *,
    engine: AskedEngine = ...,
    memory: str | None = ...,
    spark_master: str | None = ...,
    spark_staging: str | None = ...,
) -> TableLimitsResult: ...


@whole("finding limits", *CHECKING)
def limits(
    data: Data | SparkFrame,
    given: Mapping[str, int | float | str | Fraction] | None = None,
    schema: GivenSchema | None = None,
    *,
    semantics: Semantics = "neighborhood",
    spread: Reading = "non-null",
    all_null: AllNull = "refuse",
    search: Search = "auto",
    duplicates: Literal["refuse", "last", "mean"] = "refuse",
    part: Part | None = None,
    engine: AskedEngine = "auto",
    memory: str | None = None,
    spark_master: str | None = None,
    spark_staging: str | None = None,
) -> LimitsResult | ItemLimitsResult | TableLimitsResult:
    """Find the largest k, the smallest ε and the largest l that go with what is given of them.

    Of a table nothing is given: its limits are the largest k and l, and the smallest t, that it meets as it stands.

    Of a survey they are those of both parts together, people being compared with those of equal demographics; with
    ``part="answers"`` they are those of the answers alone.

    Given m, or k where the data are sets, the limits are those of k^m-anonymity: the largest k, or the largest m.

    Given ε: the largest k, and the largest l with it. Given k: the smallest ε, and the largest l with it. Given l: the
    smallest ε with a k of at least 2, and the largest k with it. Given two: the third. An ε that is sought is a whole
    number of steps of the scale. The answer also says from which ε on the promise is vacuous
    (:mod:`shoal.models.k_epsilon`), whatever k is reached there.

    ``engine`` says where records are: ``local`` in memory, ``stream`` on disk; ``auto`` leaves them on disk if they
    would take more than ``memory``, such as ``4GiB``, which is half of what the machine has unless said. ``spark``, or
    a session of Spark, leaves them on a cluster: ``spark_master`` is its address, ``spark_staging`` a folder that all
    its executors see.
    """
    asked = _Asked(given, semantics, spread, all_null, search, part) if given else None
    with ExitStack() as stack:
        where = stack.enter_context(asked_engine(engine, data, spark_master, spark_staging))
        if asked is None:
            return table_limits(data, schema, where, memory)
        on_disk = ratings_on_disk(data, schema, where, memory, duplicates, asked.obstacle)
        if on_disk is not None:
            return _limits_of(stack.enter_context(opened_ratings(on_disk)), asked)
        none_unless(where, "Of ratings, only those with one a line stay on disk.")
        assert not isinstance(data, SparkFrame)
        return _limits_of(read(data, schema, duplicates=duplicates).records, asked)


@dataclass(frozen=True)
class _Asked:
    """What is asked of some records."""

    given: Mapping[str, int | float | str | Fraction]
    semantics: Semantics
    spread: Reading
    all_null: AllNull
    search: Search
    part: Part | None
    began: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        if self.search not in get_args(Search):
            known = ", ".join(get_args(Search))
            raise WordingError(f"The search cannot be {self.search!r}.", f"It is one of: {known}.")
        _ = self.promise  # what is written wrongly is told before the long work

    @property
    def settings(self) -> dict[str, str]:
        """How a promise is to be taken."""
        return {"semantics": self.semantics, "spread": self.spread, "all_null": self.all_null}

    @cached_property
    def promise(self) -> PrivacyModel | None:
        """What is given, as a promise; nothing where the limits of items alone are sought."""
        return None if "m" in self.given else _read_given(self.given, self.settings)

    def obstacle(self) -> WordingError | None:
        """Return why the limits can be found in memory alone, if they can."""
        if self.semantics != "partition":
            return None
        return WordingError(
            "Groups are looked for among all records at once, which needs the ratings in memory.",
            "Read them into memory (--engine local), or ask for semantics=neighborhood.",
        )

    @property
    def speaks_of_l(self) -> bool:
        """Whether an l is given or sought."""
        return "l" in self.given or (len(self.given) == 2 and "m" not in self.given)


def _limits_of(records: "Records | PartitionedRatings", asked: _Asked) -> LimitsResult | ItemLimitsResult:
    """Find the limits of records, wherever they are."""
    fitting = _fitting(records, asked.part, speaks_of_l=asked.speaks_of_l)
    ratings = fitting.ratings if isinstance(fitting, Survey) else fitting
    joined = isinstance(fitting, Survey)
    if asked.promise is None or ratings.is_sets:
        _refuse_ratings_of_sets(asked.given)
        judging, longest = _judging_items(fitting, asked.search)
        return item_limits(asked.given, judging, longest, len(ratings), asked.part, joined=joined)
    if not ratings.has_sensitive and (asked.spread, asked.all_null) != ("non-null", "refuse"):
        raise SchemaError(
            "The spread is one of sensitive ratings, and no issue is declared sensitive.",
            'Write sensitive = ["…"] in the schema, or leave out what says how to take it.',
        )
    known = {letter: getattr(asked.promise, letter) for letter in _LETTERS if letter in asked.given}
    seeker = _seeker(fitting, asked)
    found = _sought(seeker, known, has_l=ratings.has_sensitive)
    promise = _promise(known, found, asked.settings, has_l=ratings.has_sensitive)
    return LimitsResult(
        given=known,
        **found,
        semantics=asked.semantics,
        promise=None if promise is None else replace(promise, part=asked.part),
        proven=seeker.proven,
        records=len(ratings),
        seconds=time.perf_counter() - asked.began,
        reasons=_reasons(known, found, len(ratings), has_l=ratings.has_sensitive, joined=joined),
        span=span(ratings.scale),
        vacuous_from=vacuous_from(ratings),
        joined=joined,
    )


def _seeker(records: "_Limited", asked: _Asked) -> NeighborhoodLimits | PartitionLimits:
    spread = Spread(asked.spread, asked.all_null)
    if not isinstance(records, Ratings | Survey):
        return LimitsOnDisk(records, asked.search, spread)
    kind = PartitionLimits if asked.semantics == "partition" else NeighborhoodLimits
    return kind(records, LocalEngine(search=asked.search), spread)


def _judging_items(records: "_Limited", search: Search) -> tuple[Judging, int]:
    """Return how promises on items are judged, and how many items a record has at most."""
    if not isinstance(records, Ratings | Survey):
        return judging_on_disk(records), records.longest
    ratings = records.ratings if isinstance(records, Survey) else records
    engine = LocalEngine(search=search)
    longest = int(np.diff(ratings.observable.indptr).max(initial=0))
    return lambda model: judge(records, [model], engine).verdicts[0], longest


def _read_given(given: Mapping[str, object], settings: Mapping[str, str]) -> PrivacyModel:
    """Read what is given as a promise is read; what is left open stands as something harmless."""
    for letter in given:
        if letter not in _LETTERS:
            raise WordingError(f"There is no parameter {letter!r}.", f"Known are: {', '.join(_LETTERS)} and m.")
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


def _fitting(records: "Records | PartitionedRatings", part: Part | None, *, speaks_of_l: bool) -> "_Limited":
    """Return the part of the data that is asked about; refuse data for which the question means nothing."""
    _refuse_part(records, part)
    records = part_of(records, part)
    if isinstance(records, Survey) and not records.table.has_observable:
        records = records.ratings  # nobody is told apart by demographics
    if isinstance(records, Microdata):
        raise WordingError(
            f"Limits of k, epsilon and l are those of ratings, and these data are a {records.kind}.",
            "Leave out --given: of a table nothing is given.",
        )
    assert isinstance(records, Ratings | Survey) or records.kind == Ratings.kind
    records = cast("_Limited", records)
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
