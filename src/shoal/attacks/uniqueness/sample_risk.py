"""The attack ``sample-risk``: re-identification of a sample by somebody who knows the population.

*Knowledge.* The quasi-identifiers and strata of everybody in the population, but not who was sampled. Of a survey, no
answers: an attacker who knows the answers of a person knows that the person was sampled.

*Success.* The attacker links a record to one of the people of the population with its combination of values. How many
they are is estimated by the sampling weights, class by class (:mod:`.individual_risk`).

*People.* Where a person has several records, the class counts the person once, with the smallest of the weights: the
risk is not understated. The figures on households count a person by the record at the highest risk.

*Weights.* Those of the originals. Where a release has weights in classes, it is attacked without them by the column of
their means that ``weights`` names.

*Reference.* Benedetti and Franconi (1998); Franconi and Polettini (2004). ``risk:model=journalist`` counts people in a
table of the population instead of estimating them.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.attacks.base import Attack, attacks
from shoal.attacks.exposure import Exposure, aggregate_by_person, control_targets
from shoal.attacks.finding import Outcome, Yardstick
from shoal.data import Microdata
from shoal.errors import WordingError
from shoal.evidence import people_by_class
from shoal.randomness import Randomness

from .individual_risk import household_risks, individual_risks

__all__ = ["SampleRisk", "risks_of_records"]


def risks_of_records(table: Microdata, labels: np.ndarray, n_classes: int) -> np.ndarray:
    """Return the individual risk of each record of a sample, whose equivalence classes are given by ``labels``."""
    assert table.weights is not None
    return _risks(table, table.weights, labels, n_classes)


def _risks(table: Microdata, weights: np.ndarray, labels: np.ndarray, n_classes: int) -> np.ndarray:
    people, sums = _people_and_weights(table, weights, labels, n_classes)
    return individual_risks(people, sums)[labels]


def _people_and_weights(
    table: Microdata, weights: np.ndarray, labels: np.ndarray, n_classes: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return by class the number of different people and the sum of their weights."""
    persons = table.persons
    if persons is None:
        return np.bincount(labels, minlength=n_classes), np.bincount(labels, weights, minlength=n_classes)
    order = np.lexsort((weights, persons, labels))  # the lightest record of a person in a class comes first
    first = np.ones(len(order), bool)
    first[1:] = (np.diff(labels[order]) != 0) | (np.diff(persons[order]) != 0)
    lightest = order[first]
    people = people_by_class(labels, n_classes, persons)
    return people, np.bincount(labels[lightest], weights[lightest], minlength=n_classes)


@attacks.add
@dataclass(frozen=True)
class SampleRisk(Attack):
    """Re-identifies records of a sample in the population that it was drawn from."""

    name: ClassVar[str] = "sample-risk"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    yardstick: ClassVar[Yardstick] = "singling out"

    threshold: Fraction = Fraction(9, 100)
    """The risk above which people are counted."""
    weights: str | None = None
    """The column of weights, or of their classes, by its name; that with the role weight unless said."""

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise WordingError("sample-risk: threshold must be from 0 to 1.")

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        return (
            "Knows the quasi-identifiers and strata of everybody in the population, and looks for the person behind a "
            "record."
        )

    def _misfit(self, exposure: Exposure) -> str | None:
        truth, seen = exposure.tables
        if not seen.observable:
            return "The table has no quasi-identifier."
        if self.weights is not None and self._named(truth) is None:
            return f"No column {self.weights!r} of positive numbers is in the table."
        if self.weights is None and truth.weights is None:
            return (
                "The table has no weights: it is not known to be a sample, or they are in the ledger. A published "
                "column of their classes can be named: sample-risk:weights=COLUMN."
            )
        return None

    def _named(self, table: Microdata) -> np.ndarray | None:
        """Return the weights in the column that is named; None where it has none."""
        columns = [column for column in table.columns if column.name == self.weights]
        if not columns or not columns[0].vocabulary.is_numeric or columns[0].values.null_count():
            return None
        weights = columns[0].values.cast(pl.Float64).to_numpy()
        return weights if (weights > 0).all() else None

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        truth, rows = exposure.tables[0].take(exposure.published), exposure.published
        labels = exposure.group_of[rows]
        weights = truth.weights if self.weights is None else self._named(truth)
        assert weights is not None
        in_one = np.zeros(len(rows), np.int64)
        risks = _risks(truth, weights, labels, exposure.grouping.n_groups)
        everybody = _risks(truth, weights, in_one, 1)
        others = control_targets(labels, randomness.generator(self.name), exposure.persons_of(rows))
        of_people = exposure.worst_by_person(risks)
        details = {
            "estimated_population": float(_people_and_weights(truth, weights, in_one, 1)[1][0]),
            "expected_people_found": float(of_people.sum()),
            "share_of_people_above_threshold": float((of_people > float(self.threshold)).mean()),
            **_of_households(truth, risks),
        }
        return Outcome(risks, float(everybody[0]), np.where(others == labels, risks, 0.0), details, rows=rows)


def _of_households(table: Microdata, risks: np.ndarray) -> dict[str, float]:
    """Return figures on households, where they are known; a person is of the household of their first record."""
    households, persons = table.households, table.persons
    if households is None:
        return {}
    if persons is not None:
        _, firsts = np.unique(persons, return_index=True)
        risks, households = aggregate_by_person(risks, persons, worst=True), households[firsts]
    found = household_risks(risks, households)
    return {
        "mean_household_risk": float(found.mean()),
        "largest_household_risk": float(found.max()),
        "expected_households_found": float(found.sum()),
    }
