"""The best k for an m, and the best m for a k, of k^m-anonymity."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from shoal.data import Part, Ratings, Survey
from shoal.display import Displayed, Summary
from shoal.engines import Engine, judge
from shoal.errors import WordingError
from shoal.models import PrivacyModel, promises
from shoal.wording.format import format_count

__all__ = ["ItemLimitsResult", "item_limits"]


@dataclass(frozen=True, repr=False)
class ItemLimitsResult(Displayed):
    """How many items may be known, and how many people then hold them all."""

    given: Mapping[str, int]
    k: int
    m: int | None
    """Nothing where not even one item may be known."""
    every_m: bool
    """Whether k holds however many items are known."""
    promise: PrivacyModel | None
    """The promise these make together; nothing where they make none."""
    records: int
    seconds: float
    joined: bool = False
    """Whether people are counted within classes of equal demographics."""

    @property
    def question(self) -> str:
        """What the limits are of, in words."""
        given = " and ".join(f"{letter} = {value:,}" for letter, value in self.given.items())
        within = ", among people of equal demographics" if self.joined else ""
        return f"{format_count(self.records, 'record')}{within}, given {given}"

    @property
    def answers(self) -> tuple[tuple[str, str], ...]:
        """What was sought, in words, each with what was found."""
        if "m" in self.given:
            return (("largest k", f"{self.k:,}"),)
        return (("largest m", "–" if self.m is None else f"{self.m:,}"),)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What else is to be said of the answers, in sentences."""
        few = "Some item is held by fewer people than k."
        if self.joined:
            few = "Some class of equal demographics has fewer people than k, or some item of it is held by fewer."
        return (
            *((few,) if self.m is None else ()),
            *(("No record has more items, so k holds however many are known.",) if self.every_m else ()),
            *(("With k = 1 nobody is hidden.",) if self.k == 1 else ()),
        )

    def _summary(self) -> Summary:
        facts = self.answers if self.promise is None else (*self.answers, ("holds", str(self.promise)))
        return Summary(f"ItemLimitsResult: {self.question}", None, facts, sentences=self.remarks)

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {
            "given": dict(self.given),
            "k": self.k,
            "m": self.m,
            "every_m": self.every_m,
            "promise": None if self.promise is None else str(self.promise),
            "records": self.records,
            "seconds": round(self.seconds, 3),
        }


def item_limits(
    records: Ratings | Survey, given: Mapping[str, object], engine: Engine, part: Part | None = None
) -> ItemLimitsResult:
    """Find the largest k for a given m, or the largest m for a given k; the promise names the part of a survey."""
    began = time.perf_counter()
    if len(given) != 1:
        raise WordingError("Give k or m, and the other is found.", "Use shoal check where both are given.")
    settings = {"k": 2, "m": 1, **given}
    asked = promises.read("km-anonymity:" + ",".join(f"{key}={value}" for key, value in settings.items()))
    letter = next(iter(given))
    known = {letter: int(getattr(asked, letter))}
    joined = isinstance(records, Survey)
    ratings = records.ratings if joined else records
    longest = max(int(np.diff(ratings.observable.indptr).max(initial=0)), 1)
    if letter == "m":
        k, m = _level(records, known["m"], engine), known["m"]
    else:
        k, m = known["k"], _largest_m(records, known["k"], longest, engine)
    promise = replace(_km(k, m), part=part) if m is not None and k > 1 else None
    every = letter == "k" and m == longest
    return ItemLimitsResult(known, k, m, every, promise, len(records), time.perf_counter() - began, joined)


def _km(k: int, m: int) -> PrivacyModel:
    return promises.read(f"km-anonymity:k={k},m={m}")


def _level(records: Ratings | Survey, m: int, engine: Engine) -> int:
    return int(judge(records, [_km(2, m)], engine).verdicts[0].level["k"])


def _largest_m(records: Ratings | Survey, k: int, longest: int, engine: Engine) -> int | None:
    """Return the last m that holds; what holds for an m holds for every smaller one."""
    m = 0
    while m < longest and judge(records, [_km(k, m + 1)], engine).holds:
        m += 1
    return m or None
