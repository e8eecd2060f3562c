"""The method ``joined``: surveys whose demographics and answers an attacker may know together.

*Definition.* The demographics are generalized by a method on tables (``table``), so that every class of equal
demographics has ``spread`` times as many people as must look alike. People of a class are then put into groups that
lose little of both parts (:mod:`.joint_groups`): a loss of demographics counts ``weight`` times an equal loss of
answers. A group is published under the narrowest labels that cover its people, rounded outward, and its answers are
made alike at least cost. A large ``weight`` keeps the demographics, a small one the answers.

With a weight of 0, with a method on ratings (``answers``) that does more than align groups, and where enough people who
are alike do not suffice for a promise, classes keep their labels, and the method on ratings is run on the people of
each class as if the class were all there is; a method that knows classes, such as ``item-suppression`` for
(k, k^m)-anonymity, sees to all of them at once. A small ``spread`` then keeps the demographics, a large one the
answers.

Where sensitive values are promised to differ among people of equal demographics and answers, groups within a class are
merged until they do; a sensitive answer counts as a sensitive value.

A promise that names a part is kept by that part alone. Where no promise is made on the join, the parts are made
separately, as if they were published apart.

Settings of the two methods are written with ``;`` between them: ``joined:table=mondrian:mode=relaxed;labels=tight``.

*Guarantee.* Any promise on the demographics that the method on tables keeps, any promise on the answers within a class
that the method on ratings keeps, and any promise on sensitive values that merging groups cannot break. As with every
method, the road checks the release.

*Reference.* Ours. Poulis et al. 2013 combine relational and set-valued attributes by clusters of the relational part,
within which the other part is made alike; they merge clusters where that costs little of both.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Self, cast

import numpy as np

from shoal.anonymizers.allowance import Allowance
from shoal.anonymizers.base import Anonymizer, Recoding, methods
from shoal.data import Microdata, Ratings, Records, Role, Survey
from shoal.engines import Engine
from shoal.errors import WordingError
from shoal.evidence import equal_tuples
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .answers_by_class import answers_by_class, within_all_classes
from .demands import Demands
from .grouped_by_both import GroupedByBoth
from .merged_groups import with_merged_groups

__all__ = ["Joined"]


@methods.add
@dataclass(frozen=True)
class Joined(Anonymizer):
    """Generalizes demographics and makes answers alike, in groups that both parts share."""

    name: ClassVar[str] = "joined"
    kinds: ClassVar[frozenset[str]] = frozenset({"survey"})

    table: str = "mondrian"
    """The wording of a method on tables, with ``;`` between settings."""
    answers: str = "align"
    """The wording of a method on ratings, with ``;`` between settings."""
    spread: int = 16
    """How many times as many people a class of demographics has as must look alike."""
    weight: Fraction = Fraction(1)
    """What a loss of demographics counts beside an equal loss of answers when people are grouped by both; with 0, the
    method on ratings alone decides who of a class is grouped with whom."""

    def __post_init__(self) -> None:
        if self.spread < 1:
            raise WordingError("joined needs a spread of at least 1: a class holds at least one group.")
        if self.weight < 0:
            raise WordingError("joined needs a weight of at least 0.")
        if "," in self.table + self.answers:
            raise WordingError(
                "joined needs methods with ; between their settings.", "table=mondrian:mode=relaxed;labels=tight"
            )
        for setting, kind in (("table", "table"), ("answers", "ratings")):
            method = _read(getattr(self, setting))
            if kind not in method.kinds:
                raise WordingError(f"joined needs a method on {kind} for {setting!r}, and {method.name!r} is none.")
        if not self._on_table.truthful:
            raise WordingError(
                f"joined needs a method on tables whose labels are true, and those of {self._on_table.name!r} are not.",
                "Write table=mondrian or table=top-down.",
            )

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (
            cls(),
            cls("top-down:search=0;looked_ahead=0", "align:rounds=0", spread=1, weight=Fraction(0)),
            cls(answers="graph"),
            cls(answers="item-suppression", spread=1),
            cls(answers="item-generalization"),
        )

    @property
    def generalizes_items(self) -> bool:  # type: ignore[override] - whether it does depends on the method on answers
        """Whether labels are published in the place of items."""
        return self._on_answers.generalizes_items

    @property
    def instead_of_ratings(self) -> str:
        """What the method on ratings publishes in their place."""
        return self._on_answers.instead_of_ratings

    @property
    def _on_table(self) -> Anonymizer:
        return _read(self.table)

    @property
    def _on_answers(self) -> Anonymizer:
        return _read(self.answers)

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        max_withheld: Allowance,
    ) -> Recoding:
        survey = cast(Survey, records)
        spread = self.spread if survey.ratings.has_observable else 1
        demands = Demands.of(models, spread, _people_of_strata(survey.table))
        withheld, table, remarks = self._generalized(survey, demands, engine, randomness, max_withheld.divided(2))
        used = int(withheld.sum())
        left = Allowance(max_withheld.records - used, max_withheld.people - used)
        ratings = survey.ratings
        both = self._by_both(survey, table, withheld, demands)
        if both is not None and (found := both.published(models, engine, randomness, left.records)):
            return Recoding(found[0], remarks=remarks, withheld=found[1] if found[1].any() else None)
        if demands.on_answers and ratings.has_observable:
            ratings = self._made_alike(replace(survey, table=table), withheld, demands, engine, randomness, left)
        made = replace(survey, table=table, ratings=ratings)
        if demands.on_sensitive and ratings.has_observable:
            made = with_merged_groups(made, withheld, demands.on_sensitive, engine)
        return Recoding(made, remarks=remarks, withheld=withheld if withheld.any() else None)

    def _by_both(
        self, survey: Survey, table: Microdata, withheld: np.ndarray, demands: Demands
    ) -> GroupedByBoth | None:
        """Return the task of grouping people by both parts, where it is asked for and suffices for the promises."""
        costs = self._on_answers.costs(survey.ratings.scale)
        both = demands.joined and survey.table.quasi_identifiers and survey.ratings.has_observable
        if not (both and self.weight and costs):
            return None
        task = GroupedByBoth(survey, table, withheld, demands, costs, self.weight)
        return task if task.is_enough else None

    def _made_alike(
        self,
        survey: Survey,
        withheld: np.ndarray,
        demands: Demands,
        engine: Engine,
        randomness: Randomness,
        max_withheld: Allowance,
    ) -> Ratings:
        """Return the answers of people with generalized demographics, made alike by the method on ratings."""
        method, models = self._on_answers, demands.on_answers
        if demands.joined and survey.kind in method.kinds:
            return within_all_classes(survey, ~withheld, method, models, engine, randomness)
        classes = np.where(withheld, -1, engine.group(survey.table).labels if demands.joined else 0)
        return answers_by_class(survey.ratings, classes, method, models, engine, randomness, max_withheld)

    def _generalized(
        self, survey: Survey, demands: Demands, engine: Engine, randomness: Randomness, max_withheld: Allowance
    ) -> tuple[np.ndarray, Microdata, tuple[str, ...]]:
        """Return whom the method on tables withholds, the generalized demographics, and its remarks."""
        nobody = np.zeros(len(survey), bool)
        if not demands.on_demographics or not survey.table.quasi_identifiers:
            return nobody, survey.table, ()
        table = survey.with_sensitive_answers if demands.on_sensitive else survey.table
        made = self._on_table.recode(table, demands.on_demographics, engine, randomness, max_withheld=max_withheld)
        assert isinstance(made.records, Microdata)
        own = replace(survey.table, columns=made.records.columns[: len(survey.table.columns)])
        return nobody if made.withheld is None else made.withheld, own, made.remarks


def _people_of_strata(table: Microdata) -> np.ndarray:
    """Return how many people there are in each stratum; all of them where there are no strata."""
    return np.bincount(equal_tuples(table.with_role(Role.STRATUM), len(table))[0])


def _read(wording: str) -> Anonymizer:
    return methods.read(wording.replace(";", ","))
