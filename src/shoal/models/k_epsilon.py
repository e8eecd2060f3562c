"""(k,ε)- and (k,ε,l)-anonymity of ratings: every record has k−1 others within ε on every issue, and they differ enough.

*Definition* (2 and 3 of the survey-rating papers, 6.2 and 6.3 of the thesis). The dissimilarity of two ratings is their
difference; of two nulls 0; of a rating and a null r, the highest rating (see :class:`shoal.data.Scale` for other
scales). Two records are ε-proximate when no non-sensitive issue has a dissimilarity above ε. The papers use two
meanings that are not the same, so both have a name here:

* ``semantics=neighborhood`` (Definition 2, and the default): every record has at least k−1 *other* records ε-proximate
  to it. With l, in every record's neighborhood, itself included, the ratings of every sensitive issue spread by at
  least l.
* ``semantics=partition`` (what the papers' algorithms build): the records can be split into groups of at least k, any
  two of a group ε-proximate, and with l, the ratings of every sensitive issue spread by at least l in every group. It
  implies the first meaning for k, not the other way round.

On a survey, only records of people with equal demographics are ε-proximate: the promise is made of the answers within
each class of demographics.

What spread means where ratings are missing is said by ``spread`` and ``all_null`` (:mod:`shoal.models.spread`).

*Guarantee.* An attacker who considers all records within a tolerance equally likely, a tolerance wider by ε than the
person's own record needs, is left with at least k of them. Nothing more: records within ε may all differ, and whoever
takes the nearest one may find the right one, with exact knowledge and with rough knowledge
(:mod:`shoal.attacks.known_items.nearest`). l says that sensitive ratings among them are not all alike; it is weak: on
1…5, l = 1 still allows a guess that is right 93 times in 100.

*Assumption.* Attackers do not distinguish records within their tolerance; ε and l are in units of the ratings.

*Reference.* Sun, Wang, Li, Pei 2010, Definitions 1–3; thesis ch. 6 and 7. Larger ε is the *weaker* promise: (k,ε)
implies (k,ε′) for every ε′ ≥ ε, against what the thesis says in 6.2.2 and 6.4.3. With l and neighborhoods it does not:
a larger neighborhood can spread less. Definition 3 as printed asks nothing of a record without neighbors; here
(k,ε,l) always includes (k,ε). It is not merge-safe: two groups within ε need not be within ε together.

From which ε on (k,ε)-anonymity says nothing of the records it is made on.

*Definition.* ε *reaches the span* of a scale when no two ratings of it are more than ε apart. Then two records are
ε-proximate exactly when the same issues are missing in both, whatever was rated. From the distance of a missing
rating on, any two records are. The promise is *vacuous* on records when every two records with the same issues rated
as these would be ε-proximate, whatever their ratings: where ε reaches the span and all records rate the same issues,
and where a missing rating is within ε of a rating. In between it still says something of which issues people rated,
and nothing of how.

Only the scale and the places of missing ratings count. Ratings that happen to lie within ε of each other are what the
promise asks for, and nothing against it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal, Protocol, Self, cast

import numpy as np

from shoal.data import Records, Scale, Survey
from shoal.errors import InternalError, WordingError
from shoal.evidence import (
    Evidence,
    NeedNeighborhoods,
    NeedPartition,
    NeedSpread,
    Neighborhoods,
    ProximatePartition,
)
from shoal.wording.format import format_count

from .base import Caveat, PrivacyModel, Verdict, promises
from .shortfall import Shortfall
from .spread import AllNull, Reading, Spread

__all__ = ["KEpsilon", "Semantics", "epsilon_caveat", "span", "vacuous_from"]


Semantics = Literal["neighborhood", "partition"]


@promises.add
@dataclass(frozen=True)
class KEpsilon(PrivacyModel):
    """Every record has at least k−1 others within ε on every non-sensitive issue; with l, sensitive ratings spread."""

    name: ClassVar[str] = "k-epsilon"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings", "survey"})
    merge_safe: ClassVar[bool] = False

    k: int
    epsilon: Fraction
    l: Fraction | None = None  # noqa: E741 - the letter of the literature
    semantics: Semantics = "neighborhood"
    spread: Reading | None = None
    all_null: AllNull | None = None

    def __post_init__(self) -> None:
        if self.k < 2:
            raise WordingError("k-epsilon needs a k of at least 2: with k = 1 nobody is hidden.")
        if self.epsilon < 0:
            raise WordingError("k-epsilon needs an epsilon of at least 0: differences are not negative.")
        if self.l is not None and self.l < 0:
            raise WordingError("k-epsilon needs an l of at least 0: spreads are not negative.")
        if self.l is None and (self.spread or self.all_null):
            raise WordingError("k-epsilon knows spread and all_null only together with l.", "Add l=1, for example.")
        if self.l is not None:  # said in full, so that a certificate leaves nothing open
            object.__setattr__(self, "spread", self.spread or "non-null")
            object.__setattr__(self, "all_null", self.all_null or "refuse")

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (
            cls(2, Fraction(0)),
            cls(2, Fraction(1)),
            cls(3, Fraction(1, 2)),
            cls(2, Fraction(7)),
            cls(2, Fraction(1), Fraction(1)),
            cls(2, Fraction(2), Fraction(1, 2), all_null="accept"),
            cls(2, Fraction(1), Fraction(1), spread="pairwise"),
            cls(2, Fraction(3), Fraction(1), spread="over-all", all_null="accept"),
            cls(2, Fraction(1), Fraction(0)),
            cls(2, Fraction(1), semantics="partition"),
            cls(3, Fraction(2), semantics="partition"),
            cls(2, Fraction(100), semantics="partition"),
            cls(2, Fraction(1), Fraction(1), semantics="partition"),
            cls(2, Fraction(7), Fraction(1, 2), semantics="partition", spread="pairwise"),
        )

    @property
    def need(self) -> NeedNeighborhoods | NeedPartition:
        """How many records are within ε of each, or a partition; with l, the sensitive ratings too."""
        if self.semantics == "partition":
            return NeedPartition(self.epsilon, self.k, self._need_spread())
        return NeedNeighborhoods(self.epsilon, enough=self.k - 1, spread=self._need_spread())

    def _need_spread(self) -> NeedSpread | None:
        return None if self.l is None else self._spread.need(self.l)

    @property
    def weaker(self) -> PrivacyModel:
        """Groups that are pairwise within ε are neighborhoods; what l asks of these does not follow."""
        return KEpsilon(self.k, self.epsilon, part=self.part) if self.semantics == "partition" else self

    @property
    def by_partition(self) -> PrivacyModel:
        """The same with ``semantics=partition``."""
        return replace(self, semantics="partition")

    @property
    def _spread(self) -> Spread:
        return Spread(self.spread or "non-null", self.all_null or "refuse")

    @property
    def fewest_records(self) -> int:
        """A record and its k−1 neighbors."""
        return self.k

    @property
    def meaning(self) -> str:
        """In words."""
        apart = f"{float(self.epsilon):g} on any non-sensitive issue"
        if self.semantics == "partition":
            said = (
                f"The records can be split into groups of at least {self.k}, and no two records of a group differ by "
                f"more than {apart}."
            )
        else:
            said = f"Every record has at least {self.k - 1} others that differ from it by no more than {apart}."
        if self.l is not None:
            said += f" Among them, the ratings of every sensitive issue spread by at least {float(self.l):g}."
        if not self.epsilon:
            return f"{said} With an ε of 0 these records are equal: no rating distinguishes them."
        return (
            f"{said} An attacker who considers all records within a tolerance equally likely, a tolerance wider by "
            f"{float(self.epsilon):g} than the person's own record needs, is left with at least {self.k} candidates. "
            "It does not protect against an attacker who picks the nearest record, however rough that attacker's "
            "knowledge."
        )

    def caveat(self, records: Records) -> Caveat | None:
        """Return what remains of the promise where ε reaches the span of the scale."""
        if isinstance(records, Survey) and records.table.has_observable:
            return _caveat_within_classes(self.epsilon, records.ratings)
        answers = records.ratings if isinstance(records, Survey) else cast(Rated, records)
        caveat = epsilon_caveat(self.epsilon, answers)
        if caveat is None or not caveat.vacuous or self.l is None:
            return caveat
        sets = "records grouped at will" if self.semantics == "partition" else "all records together"
        return replace(caveat, sentence=f"{caveat.sentence} l is asked of {sets} then, and protects nobody by itself.")

    def judge(self, evidence: Evidence) -> Verdict:
        """Compare numbers of neighbors with k−1, or sizes of groups with k; with l, squared spreads with l²."""
        if self.semantics == "partition":
            assert isinstance(evidence, ProximatePartition)
            return self._judge_partition(evidence)
        assert isinstance(evidence, Neighborhoods)
        assert evidence.epsilon == self.epsilon
        return self._judge_neighborhoods(evidence)

    def shortfall(self, evidence: Evidence) -> Shortfall | None:
        """Find in each neighborhood that spreads too little the sensitive issue that spreads least, exactly."""
        moments = evidence.moments if isinstance(evidence, Neighborhoods) else None
        if self.l is None or moments is None or not moments.given.shape[1]:  # items that nobody rated have no moments
            return None
        fails = np.flatnonzero(~self._spread.reaches(moments, self.l))
        worst, spreads = self._spread.least_spread_item(moments.take(fails))
        found = Shortfall.nowhere(len(moments))
        found.worst[fails], found.reached[fails], found.needed[fails] = worst, spreads, float(self.l)
        return found

    def _judge_neighborhoods(self, evidence: Neighborhoods) -> Verdict:
        lonely = evidence.others < self.k - 1
        level: dict[str, int | float] = {"k": int(evidence.others.min()) + 1 if len(evidence) else 1}
        counted = {_LONELY: evidence.count(lonely)}
        alike = np.zeros_like(lonely)
        if self.l is not None:
            assert evidence.moments is not None
            alike = ~self._spread.reaches(evidence.moments, self.l)
            level["l"] = self._spread.reached(evidence.moments, self.l)
            spreading = evidence.count(self._spread.defined(evidence.moments))
            counted |= {_ALIKE: evidence.count(alike), _SPREADING: spreading}
        broken = lonely | alike
        why = self._why(counted)
        return Verdict(str(self), not broken.any(), level, evidence.count(broken), broken, why, counted=counted)

    def _why(self, counted: Mapping[str, int]) -> tuple[str, ...]:
        """Say how many records break the promise, and by what."""
        why = [_few(counted[_LONELY], self.k)] if counted[_LONELY] else []
        if self.l is not None and counted[_ALIKE]:
            sets = format_count(counted[_ALIKE], "neighborhood")
            why.append(f"In {sets} some sensitive issue spreads by less than {float(self.l):g}.")
        return tuple(why)

    def merged(self, verdicts: Sequence[Verdict]) -> Verdict:
        """Return the verdict on all neighborhoods; where none of a part has a spread, its level says nothing."""
        if self.semantics == "partition":
            raise InternalError("A partition is looked for among all records, not in parts of them.")
        counted = {key: sum(verdict.counted[key] for verdict in verdicts) for key in verdicts[0].counted}
        spreading = [verdict.level for verdict in verdicts if verdict.counted.get(_SPREADING)]
        level = self._merged_level([verdict.level for verdict in verdicts])
        if spreading:
            level["l"] = min(each["l"] for each in spreading)
        return replace(super().merged(verdicts), level=level, why=self._why(counted), counted=counted)

    def _judge_partition(self, evidence: ProximatePartition) -> Verdict:
        assert evidence.epsilon == self.epsilon
        left = int(evidence.left_over.sum())
        level: dict[str, int | float] = {"k": int(evidence.moments.sizes.min(initial=len(evidence)))}
        if self.l is not None:
            level["l"] = self._spread.reached(evidence.moments, self.l)
        why: tuple[str, ...] = ()
        if left:
            left_over = f"{format_count(left, 'record')} {'was' if left == 1 else 'were'}"
            sure = "None exists." if evidence.proven else "Not every partition was tried, so one may exist."
            why = (f"No partition into groups of at least {self.k:,} was found; {left_over} left over. {sure}",)
        return Verdict(str(self), not left, level, left, evidence.left_over, why)


_LONELY, _ALIKE, _SPREADING = "lonely", "alike", "spreading"


def _few(records: int, k: int) -> str:
    """Say how many records have fewer than k near them."""
    who, themselves = ("1 record has", "itself") if records == 1 else (f"{records:,} records have", "themselves")
    return f"{who} fewer than {k:,} records within ε, {themselves} included."


def span(scale: Scale) -> Fraction:
    """Return how far apart two ratings can be."""
    return scale.highest - scale.lowest


class Rated(Protocol):
    """Ratings, in memory or not."""

    @property
    def scale(self) -> Scale:
        """The scale they are given on."""
        ...

    @property
    def rate_the_same(self) -> bool:
        """Whether everybody rated the same observable items."""
        ...


def vacuous_from(ratings: Rated) -> Fraction:
    """Return the smallest ε with which the promise asks nothing of these records."""
    scale = ratings.scale
    return span(scale) if ratings.rate_the_same else scale.null_steps * scale.step


def epsilon_caveat(epsilon: Fraction, ratings: Rated) -> Caveat | None:
    """Return what this ε does not cover in these records; None where ratings of the scale can differ by more than ε."""
    if epsilon < span(ratings.scale):
        return None
    if epsilon >= vacuous_from(ratings):
        return Caveat(
            "It is vacuous: with this ε any two of these records count as near, whatever people rated.", vacuous=True
        )
    return Caveat(
        "ε reaches the span of the scale: it says nothing about how people rated, only about which issues they rated.",
        vacuous=False,
    )


def _caveat_within_classes(epsilon: Fraction, answers: Rated) -> Caveat | None:
    """Return what this ε does not cover in a survey, where only people of equal demographics are compared."""
    caveat = epsilon_caveat(epsilon, answers)
    if caveat is None or not caveat.vacuous:
        return caveat
    return Caveat(
        "With this ε any two people of equal demographics count as near, whatever they answered: it is k-anonymity of "
        "the demographics alone.",
        vacuous=False,
    )
