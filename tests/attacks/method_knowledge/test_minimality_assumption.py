"""What follows from labels being as narrow as they can be is not concluded where they need not be."""

import numpy as np
import polars as pl
import pytest

from shoal.anonymizers import methods
from shoal.attacks import Downcoding, Exposure, Minimality
from shoal.data import Column, Microdata, Role
from shoal.errors import WordingError
from shoal.models import promises
from shoal.randomness import Randomness

AT_ONE_LEVEL = {"lattice:loss=loss-mean", "lattice", "decomposition:degree=0.5"}
ONE_CUT = {"specialization", "specialization:target=illness"}
MEANS = {"microaggregation", "microaggregation:k=3"}
REASONS = (
    (AT_ONE_LEVEL, "to one level for everybody"),
    (ONE_CUT, "under one label for everybody"),
    (MEANS, "publishes means"),
)
GROUP_BY_GROUP = {"mondrian:mode=strict", "top-down", "greedy-clustering:labels=tight", "none", "somebody's own:k=3"}


@pytest.mark.parametrize("attack", [Downcoding(), Minimality()])
@pytest.mark.parametrize("method", sorted(AT_ONE_LEVEL | ONE_CUT | MEANS))
def test_nothing_is_concluded_where_the_method_chooses_labels_otherwise(
    attack: Downcoding | Minimality, method: str
) -> None:
    reason = next(words for known, words in REASONS if method in known)
    assert reason in str(attack.misfit(made_by(method)))
    with pytest.raises(WordingError, match=reason):
        attack.run(made_by(method), Randomness(1))


@pytest.mark.parametrize("attack", [Downcoding(), Minimality()])
@pytest.mark.parametrize("method", [None, *sorted(GROUP_BY_GROUP)])
def test_where_groups_are_told_on_their_own_it_is(attack: Downcoding | Minimality, method: str | None) -> None:
    assert attack.misfit(made_by(method)) is None


def test_of_every_method_for_tables_it_is_known_how_it_tells() -> None:
    known = {wording.partition(":")[0] for wording in AT_ONE_LEVEL | ONE_CUT | MEANS | GROUP_BY_GROUP}
    assert {method.name for method in methods if "table" in method.kinds} <= known


def made_by(method: str | None) -> Exposure:
    ages = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([20, 21, 30, 31]))
    published = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(["[20, 21]"] * 2 + ["[30, 31]"] * 2))
    illness = Column.encode("illness", Role.SENSITIVE, pl.Series(["flu", "gout", "flu", "gout"]))
    promised = (promises.read("l-diversity:l=2"),)
    return Exposure(
        Microdata((ages, illness)), Microdata((published, illness)), np.arange(4), promises=promised, method=method
    )
