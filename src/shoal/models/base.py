"""Privacy models: what a promise is, and the verdict on it.

A promise says what evidence it needs and judges it. Whatever else methods, attacks and reports want to know of one they
ask it too, so that they need not know which promises there are: the properties and methods of :class:`PrivacyModel`
have defaults that are right, if not always sharp, for a promise that only says what it needs and how it judges.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

import numpy as np

from shoal.data import Part, Records
from shoal.display import Displayed, Summary
from shoal.evidence import Evidence, GroupCounts, Need, NeedGroups, NeedNeighborhoods, NeedPartition
from shoal.wording import Registry, Worded
from shoal.wording.format import format_level

from .shortfall import Shortfall

__all__ = ["Caveat", "PrivacyModel", "Verdict", "at_least", "at_most", "leading_promise", "promised_k", "promises"]


@dataclass(frozen=True)
class Caveat:
    """A sentence that must stand wherever the promise does; it contains no value of a record."""

    sentence: str
    vacuous: bool
    """Whether the promise asks nothing of these records, so that it is published only if the owner accepts that."""


@dataclass(frozen=True, repr=False)
class Verdict(Displayed):
    """Whether a promise holds, how far it is reached, and where it fails."""

    promise: str
    """The promise in words."""
    holds: bool
    level: Mapping[str, int | float]
    """The best parameters the data meet, by name."""
    violations: int
    """How many records break the promise."""
    violating: np.ndarray = field(repr=False, compare=False)
    """Where it fails: a mask over groups, or over records for promises on neighborhoods and partitions."""
    why: tuple[str, ...] = ()
    """Why it does not hold, in sentences; none of them contains a value of a record."""
    caveat: Caveat | None = None
    """What the promise does not cover in the records it was judged on."""
    counted: Mapping[str, int] = field(default_factory=dict, repr=False, compare=False)
    """What ``why`` and the level rest on, in numbers of records: those of parts of the records add up."""

    def __post_init__(self) -> None:
        for key, reached in self.level.items():
            # a fraction or a number of NumPy's could not be written to a certificate or as JSON
            if not isinstance(reached, int | float) or isinstance(reached, bool):
                raise TypeError(f"the level {key!r} of {self.promise!r} is neither int nor float")

    @property
    def reached(self) -> str:
        """The level in words."""
        return format_level(self.level)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Why it does not hold, and what it does not cover, in sentences."""
        return self.why if self.caveat is None else (*self.why, self.caveat.sentence)

    def _summary(self) -> Summary:
        broken = () if self.holds else (("violations", f"{self.violations:,}"),)
        facts = (("reached", self.reached), *broken)
        title = f"{self.promise}: {'holds' if self.holds else 'does not hold'}"
        return Summary(title, self.holds, facts, sentences=self.remarks)


@dataclass(frozen=True)
class PrivacyModel(Worded, ABC):
    """A promise: frozen, comparable, and written as one wording."""

    kinds: ClassVar[frozenset[str]]
    """The kinds of records it can be made on."""
    merge_safe: ClassVar[bool]
    """Whether merging two groups that keep it always yields a group that keeps it."""

    less_is_better: ClassVar[frozenset[str]] = frozenset()
    """The parameters of which less promises more; of all others more does."""

    part: Part | None = field(default=None, kw_only=True)
    """The part of a survey that it is made on alone; without it, the whole of what is published of a person."""

    @property
    @abstractmethod
    def need(self) -> Need:
        """The evidence it is judged on."""

    @property
    @abstractmethod
    def fewest_records(self) -> int:
        """How many records it takes for it to be possible at all; where it is judged on groups, in every group."""

    @property
    @abstractmethod
    def meaning(self) -> str:
        """What it means for a person in the data, and what it does not protect from: for reports and certificates."""

    @property
    def stated_meaning(self) -> str:
        """What it means, and of which part of a survey, where it names one."""
        return self.meaning if self.part is None else f"Of the {self.part} alone: {self.meaning}"

    @abstractmethod
    def judge(self, evidence: Evidence) -> Verdict:
        """Decide exactly whether it holds."""

    @property
    def grow_safe(self) -> bool:
        """Whether adding any records to a group that keeps it always yields a group that keeps it."""
        return False

    @property
    def needs_sensitive(self) -> bool:
        """Whether it is about sensitive values."""
        return self.need.sensitive

    @property
    def hidden_among(self) -> int | None:
        """How many people anybody is hidden among, at least: a parameter named ``k``. None where it has none."""
        return getattr(self, "k", None)

    @property
    def radius(self) -> Fraction | None:
        """How far apart records may be that hide each other; 0 where they must be equal.

        None where it does not promise that records hide each other.
        """
        if isinstance(self.need, NeedNeighborhoods | NeedPartition):
            return self.need.epsilon
        return Fraction(0) if isinstance(self.need, NeedGroups) and self.hidden_among is not None else None

    @property
    def kept_by_equal(self) -> int | None:
        """How many people with equal records suffice for each of them to keep it, whatever the others have.

        None where their number does not decide.
        """
        return self.hidden_among if self.radius is not None and not self.needs_sensitive else None

    @property
    def sufficient_values(self) -> int | None:
        """How many different values of each sensitive attribute suffice in a group of ``fewest_records`` people.

        0 where every such group keeps the promise; None where the number of values does not decide.
        """
        return None

    @property
    def weaker(self) -> "PrivacyModel":
        """A promise that follows from it and is quicker to judge; itself where there is none."""
        return self

    @property
    def by_partition(self) -> "PrivacyModel":
        """The same promise asked of disjoint groups where it is asked of overlapping neighborhoods; else itself."""
        return self

    def merged(self, verdicts: Sequence[Verdict]) -> Verdict:
        """Return the verdict on all groups from the verdicts on some of them each, among all records.

        Of each parameter the worst level counts: the least, or the greatest where ``less_is_better``.
        """
        assert verdicts, "no groups were judged"
        return Verdict(
            str(self),
            all(verdict.holds for verdict in verdicts),
            self._merged_level([verdict.level for verdict in verdicts]),
            sum(verdict.violations for verdict in verdicts),
            np.concatenate([verdict.violating for verdict in verdicts]),
        )

    def _merged_level(self, levels: Sequence[Mapping[str, int | float]]) -> dict[str, int | float]:
        worst = {key: max if key in self.less_is_better else min for key in levels[0]}
        return {key: worst[key](level[key] for level in levels) for key in levels[0]}

    def caveat(self, records: Records) -> Caveat | None:  # noqa: ARG002
        """Return what the promise does not cover in these records, though its wording might suggest it."""
        return None

    def hopeless(self, evidence: Evidence) -> np.ndarray:
        """Return the mask of the groups that break it and every part of which breaks it too, however they are split.

        A search of ever finer groups need not go on from them. A promise may leave out some, never name too many.
        """
        violating = self.judge(evidence).violating
        return violating if self.grow_safe else np.zeros_like(violating)

    def fewest_broken(self, evidence: GroupCounts) -> np.ndarray:
        """Return for each group how many of its records are in parts that break it, at least, however it is split.

        Parts are judged as groups of the same records as a whole, of which nobody has more than one. A promise may
        return less, never too many.
        """
        return np.where(self.hopeless(evidence), evidence.sizes, 0)

    def shortfall(self, evidence: Evidence) -> Shortfall | None:
        """Return which sensitive attribute of each group or record falls short of the promise, and by how much.

        None where it is not about sensitive attributes. Unless a promise knows better, the first attribute is named
        that alone breaks it in a group of enough people, without numbers.
        """
        if not isinstance(evidence, GroupCounts) or not evidence.sensitive or not self.needs_sensitive:
            return None
        found = Shortfall.nowhere(len(evidence))
        found.blame(self.broken_alone(evidence) & (evidence.sizes >= self.fewest_records))
        return found

    def broken_alone(self, evidence: GroupCounts) -> np.ndarray:
        """Return for each sensitive attribute, a line each, the groups that break it if no other attribute counts."""
        alone = [GroupCounts(evidence.sizes, (counts,)) for counts in evidence.sensitive]
        return np.stack([self.judge(counts).violating for counts in alone])


promises: Registry[PrivacyModel] = Registry("promise", "shoal.models")


def leading_promise(models: Iterable[PrivacyModel]) -> PrivacyModel | None:
    """Return the promise that hides people among others and is named first when a release is described.

    Promises on neighborhoods come before those on the sizes of groups, and these before those on sensitive values; of
    several the first.
    """
    hiding = [model for model in models if model.hidden_among is not None]
    return min(hiding, key=lambda model: isinstance(model.need, NeedGroups) + _on_values(model), default=None)


def promised_k(models: Iterable[PrivacyModel]) -> int | None:
    """Return how many people the leading promise hides anybody among; None where no promise does."""
    leading = leading_promise(models)
    return None if leading is None else leading.hidden_among


def _on_values(model: PrivacyModel) -> bool:
    return isinstance(model.need, NeedGroups) and model.needs_sensitive


_UNIT = 10**6


def at_most(number: Fraction) -> float:
    """Round down: for levels of which more is better."""
    return number.numerator * _UNIT // number.denominator / _UNIT


def at_least(number: Fraction) -> float:
    """Round up: for levels of which less is better."""
    return -(-number.numerator * _UNIT // number.denominator) / _UNIT
