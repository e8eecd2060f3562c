"""The best k for an m, and the best m for a k, of k^m-anonymity."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from shoal.data import Part
from shoal.display import Displayed, Summary
from shoal.errors import WordingError
from shoal.models import PrivacyModel, Verdict, promises
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


Judging = Callable[[PrivacyModel], Verdict]
"""Judges a promise on the records, wherever they are."""


def item_limits(
    given: Mapping[str, object], judging: Judging, longest: int, records: int, part: Part | None, *, joined: bool
) -> ItemLimitsResult:
    """Find the largest k for a given m, or the largest m for a given k; the promise names the part of a survey.

    ``longest`` is the largest number of items of a record.
    """
    began = time.perf_counter()
    if len(given) != 1:
        raise WordingError("Give k or m, and the other is found.", "Use shoal check where both are given.")
    settings = {"k": 2, "m": 1, **given}
    asked = promises.read("km-anonymity:" + ",".join(f"{key}={value}" for key, value in settings.items()))
    letter = next(iter(given))
    known = {letter: int(getattr(asked, letter))}
    longest = max(longest, 1)
    if letter == "m":
        k, m = int(judging(_km(2, known["m"])).level["k"]), known["m"]
    else:
        k, m = known["k"], _largest_m(known["k"], longest, judging)
    promise = replace(_km(k, m), part=part) if m is not None and k > 1 else None
    every = letter == "k" and m == longest
    return ItemLimitsResult(known, k, m, every, promise, records, time.perf_counter() - began, joined)


def _km(k: int, m: int) -> PrivacyModel:
    return promises.read(f"km-anonymity:k={k},m={m}")


def _largest_m(k: int, longest: int, judging: Judging) -> int | None:
    """Return the last m that holds; what holds for an m holds for every smaller one."""
    m = 0
    while m < longest and judging(_km(k, m + 1)).holds:
        m += 1
    return m or None
