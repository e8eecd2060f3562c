"""The attack ``downcoding``: labels that are no more general than necessary disclose values behind them.

*Knowledge.* The group of the target; how often each value of each quasi-identifier occurs among all who are published;
and that labels are minimal. So the ends of a range occur in its group, as does a missing value where the label stands
for it as well, and the group of a node of a hierarchy is not all in one branch. It is not run on releases of methods
that choose labels otherwise.

*Success.* The attacker guesses the exact value of each quasi-identifier of the target: the most probable one, if the
group were drawn among all people whose values the label may stand for, given that the ends or the branches occur.
Success is the share of the quasi-identifiers that are guessed correctly.

*Reference.* Cohen, Attacks on Deidentification's Defenses (2022).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from shoal.attacks.base import Attack, attacks
from shoal.attacks.exposure import Exposure, control_targets
from shoal.attacks.finding import Outcome, Yardstick
from shoal.attacks.sensitive_attribute import WeightedValues
from shoal.data import Column
from shoal.labels import published_column
from shoal.randomness import Randomness

from .minimal_labels import MinimalLabel, cuts_in_value_order, minimal_labels, why_labels_are_not_minimal

__all__ = ["Downcoding", "certain_parts", "minimal_label_weights"]


@attacks.add
@dataclass(frozen=True)
class Downcoding(Attack):
    """Infers exact values of quasi-identifiers from minimal labels."""

    name: ClassVar[str] = "downcoding"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    yardstick: ClassVar[Yardstick] = "inference"

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        return (
            "Knows a person's group, how frequent values are, and that labels are no more general than necessary, and "
            "guesses the exact values behind the labels."
        )

    def _misfit(self, exposure: Exposure) -> str | None:
        return why_labels_are_not_minimal(exposure) if _columns(exposure) else "There is no quasi-identifier."

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        columns = [_Downcoded(exposure, *pair) for pair in _columns(exposure)]
        groups = exposure.group_of[exposure.published]
        persons = exposure.persons_of(exposure.published)
        others = control_targets(groups, randomness.generator("downcoding"), persons)
        main = np.stack([each.guessed(groups) for each in columns])
        by_labels = np.stack([each.guessed_by_labels() for each in columns])
        blind = np.stack([each.guessed_blindly() for each in columns])
        control = np.stack([each.guessed(others) for each in columns])
        general = np.stack([each.is_general for each in columns])
        details = {
            "by_labels_alone": float(by_labels.mean()),
            "generalized_cells": float(general.mean()),
            "generalized_cells_guessed": _share(main, general),
            "generalized_cells_guessed_by_labels_alone": _share(by_labels, general),
            **_singling_out(columns, groups),
        }
        return Outcome(
            main.mean(axis=0),
            exposure.mean_by_person(blind.mean(axis=0), exposure.published),
            control.mean(axis=0),
            details,
            rows=exposure.published,
        )


def _columns(exposure: Exposure) -> list[tuple[Column, Column]]:
    """Return the original quasi-identifiers, each with its published column."""
    truth, seen = exposure.tables
    return [(column, seen[column.name]) for column in truth.quasi_identifiers]


class _Downcoded:
    """One quasi-identifier: what its labels say, and what they disclose because they are minimal."""

    def __init__(self, exposure: Exposure, original: Column, published: Column) -> None:
        rows = exposure.published
        column = published_column(original, published.take(exposure.place[rows]), rows)
        self._true = column.before[rows]
        self._groups = exposure.group_of[rows]
        self._labels = column.labels
        self._readings = minimal_labels(column, in_order=cuts_in_value_order(exposure))
        self._counts = np.bincount(self._true, minlength=len(column.values))
        # groups of the same label and size disclose the same
        labels = np.zeros(exposure.grouping.n_groups, np.int64)
        labels[self._groups] = self._labels
        sizes = np.bincount(self._groups, minlength=exposure.grouping.n_groups)
        self._kinds, kind_of = np.unique(np.stack([labels, sizes]), axis=1, return_inverse=True)
        self._kind_of = kind_of.ravel()

    def guessed(self, groups: np.ndarray) -> np.ndarray:
        """Return the probability of guessing each target's value from these ``groups``, their own or others."""
        found = self._given_away.guessed(self._kind_of[groups], self._true)
        return np.where(np.isnan(found), self.guessed_blindly(), found)

    def guessed_by_labels(self) -> np.ndarray:
        """Return the probability of guessing each target's value by the most frequent one under the label."""
        found = self._by_labels.guessed(self._labels, self._true)
        return np.where(np.isnan(found), self.guessed_blindly(), found)

    def guessed_blindly(self) -> np.ndarray:
        """Return the probability of guessing each target's value by the most frequent one of all."""
        most = self._counts == self._counts.max()
        return most[self._true] / most.sum()

    @property
    def is_general(self) -> np.ndarray:
        """Whether the value of each target is generalized."""
        return np.array([reading.form != "value" for reading in self._readings])[self._labels]

    @property
    def is_sole(self) -> np.ndarray:
        """Whether the label of each target is generalized, yet stands for no other known value."""
        n_possible = self._by_labels.n_possible[self._labels]
        return self.is_general & (n_possible == 1)

    @cached_property
    def sides(self) -> np.ndarray:
        """Which of the values or branches that must occur in the group each target has: 0, 1 or 2; −1: none."""
        pairs = zip(self._readings, self._certain_sides, strict=True)
        return (
            self._weighted([(reading.values, side + 1.0) for reading, side in pairs])
            .weight(self._labels, self._true)
            .astype(np.int64)
            - 1
        )

    @property
    def n_sides(self) -> np.ndarray:
        """The number of values or branches that must occur in the group of each target."""
        return np.array([int(side.max(initial=-1)) + 1 for side in self._certain_sides])[self._labels]

    @cached_property
    def _certain_sides(self) -> list[np.ndarray]:
        return [certain_parts(reading, self._counts[reading.values]) for reading in self._readings]

    @cached_property
    def _given_away(self) -> WeightedValues:
        readings = [self._readings[label] for label in self._kinds[0]]
        pairs = zip(readings, self._kinds[1].tolist(), strict=True)
        return self._weighted(
            [(each.values, minimal_label_weights(each, self._counts[each.values], size)) for each, size in pairs]
        )

    @cached_property
    def _by_labels(self) -> WeightedValues:
        return self._weighted([(each.values, self._counts[each.values]) for each in self._readings])

    def _weighted(self, weights: list[tuple[np.ndarray, np.ndarray]]) -> WeightedValues:
        owners = np.repeat(np.arange(len(weights)), [len(values) for values, _ in weights])
        values, weight = (np.concatenate(each) for each in zip(*weights, strict=True))
        return WeightedValues(owners, values, weight, n_owners=len(weights), n_values=len(self._counts))


_MOST_SIDES = 3
"""The two ends of a range, and the missing value."""


def _share(chances: np.ndarray, among: np.ndarray) -> float:
    return float(chances[among].mean()) if among.any() else 0.0


def _singling_out(columns: list[_Downcoded], groups: np.ndarray) -> dict[str, int | float]:
    """Count the predicates that must hold for somebody in a group, and those that single a person out."""
    n_groups = int(groups.max()) + 1
    isolated = np.zeros(len(groups), bool)
    deduced = hold = single = 0
    for column in columns:
        known = np.flatnonzero(column.sides >= 0)
        sides = groups * _MOST_SIDES + column.sides
        people = np.bincount(sides[known], minlength=_MOST_SIDES * n_groups)
        deduced += int(column.n_sides[np.unique(groups, return_index=True)[1]].sum())
        hold += int(np.count_nonzero(people))
        single += int(np.count_nonzero(people == 1))
        isolated[known[people[sides[known]] == 1]] = True
    general = sum(int(column.is_general.sum()) for column in columns)
    sole = sum(int(column.is_sole.sum()) for column in columns)
    return {
        "cells_downcoded": (hold + sole) / max(general, 1),
        "predicates_deduced": deduced,
        "predicates_that_hold": hold / max(deduced, 1),
        "predicates_that_single_out": single / max(deduced, 1),
        "groups_with_someone_singled_out": len(np.unique(groups[isolated])) / len(np.unique(groups)),
        "people_singled_out": float(isolated.mean()),
    }


def minimal_label_weights(reading: MinimalLabel, counts: np.ndarray, size: int) -> np.ndarray:
    """Return the weight of each value of a label for one member of a group of ``size`` people.

    ``counts`` are the numbers of people with each of the values. If the group is drawn among all of them without
    replacement, the weights are these numbers times the probability that the other members make the label necessary.
    Where that is impossible the weights are the numbers of people alone.
    """
    total = int(counts.sum())
    if reading.form == "range":
        chances = _others_occur(reading.occurring, counts, total, size)
    else:
        of_branch = np.bincount(reading.branches, counts).astype(np.int64)[reading.branches]
        # the other members are not all in the branch of this one
        chances = np.array([_some_of(total - of, total - 1, size - 1) for of in of_branch.tolist()])
    weights = counts * chances
    return weights if weights.any() else counts.astype(np.float64)


def _others_occur(occurring: list[int], counts: np.ndarray, total: int, size: int) -> np.ndarray:
    """Return for a member of each value the probability that the others have all values that occur and it lacks."""
    many = {place: int(counts[place]) for place in occurring}
    chances = np.full(len(counts), _all_of(list(many.values()), total - 1, size - 1))
    for place in many:
        chances[place] = _all_of([many[other] for other in many if other != place], total - 1, size - 1)
    return chances


def _all_of(special: list[int], among: int, drawn: int) -> float:
    """Return the probability of drawing at least one of each kind, of which there are ``special`` members."""
    if not special:
        return 1.0
    if drawn < len(special):
        return 0.0  # differences of rounded numbers would leave a trace
    if len(special) == 1:
        return _some_of(special[0], among, drawn)
    *others, last = special
    # draws with all others, less those of them that have none of the last
    without = (1 - _some_of(last, among, drawn)) * _all_of(others, among - last, drawn)
    return max(_all_of(others, among, drawn) - without, 0.0)


def _some_of(special: int, among: int, drawn: int) -> float:
    """Return the probability that at least one of ``special`` members is drawn, accurate even where it is tiny."""
    if special > among - drawn:
        return 1.0
    fewer, more = sorted((special, drawn))
    return float(-np.expm1(np.log1p(-more / (among - np.arange(fewer))).sum()))


def certain_parts(reading: MinimalLabel, counts: np.ndarray) -> np.ndarray:
    """Return for each value of a label which of the parts that must occur it belongs to, 0, 1 or 2; −1: none.

    These are the ends of a range, preceded by the missing value if the label stands for that as well, or the branches
    of a node of which exactly two are populated.
    """
    sides = np.full(len(counts), -1, np.int64)
    if reading.form == "range":
        sides[reading.occurring] = np.arange(len(reading.occurring))
    elif reading.form in ("node", "unknown"):
        alive = np.unique(reading.branches[counts > 0])
        if len(alive) == 2:
            sides[reading.branches == alive[0]], sides[reading.branches == alive[1]] = 0, 1
    return sides
