"""The method joined: what it keeps of each part, what it leaves alone, and how it is written."""

from fractions import Fraction

import numpy as np
import pytest

import oracles
from shoal import road
from shoal.anonymizers import Allowance, Joined, methods
from shoal.data import PARTS, Survey
from shoal.datasets import generate_demographics
from shoal.engines import LocalEngine, judge
from shoal.errors import WordingError
from shoal.models import promises
from shoal.randomness import Randomness

SURVEY = generate_demographics(240, 6, 1, seed=3)


def published(models: list[str], method: str = "joined", **settings) -> Survey:
    asked = [promises.read(model) for model in models]
    release, _ = road.publish(SURVEY, asked, methods.read(method), **settings)
    assert isinstance(release.records, Survey)
    return release.records


@pytest.mark.parametrize("spread", [1, 3, 20])
@pytest.mark.parametrize(
    "models",
    [
        ["k-anonymity:k=4"],
        ["k-epsilon:k=4,epsilon=1"],
        ["k-anonymity:k=3", "l-diversity:l=2"],
        ["p-sensitive:p=2,k=4"],
        ["t-closeness:t=0.6"],
        ["k-anonymity:k=4", "l-diversity:l=3,part=demographics"],
        ["k-anonymity:k=4,part=demographics", "k-epsilon:k=4,epsilon=1,part=answers"],
    ],
    ids=str,
)
def test_promises_on_the_join_and_on_parts_are_kept(models, spread):
    made = published(models, f"joined:spread={spread}")
    assert all(oracles.holds(made, promises.read(model)) for model in models)


def test_a_larger_spread_keeps_answers_and_costs_demographics():
    def costs(spread: int) -> tuple[int, int]:
        made = Joined(spread=spread).recode(SURVEY, [promises.read("k-anonymity:k=4")], LocalEngine(), Randomness(1))
        assert isinstance(made.records, Survey)
        before, after = SURVEY.ratings.observable.dense(), made.records.ratings.observable.dense()
        return LocalEngine().group(made.records.table).n_groups, int(np.count_nonzero(before != after))

    (few, unlike), (many, alike) = costs(16), costs(1)
    assert few < many
    assert unlike < alike


def test_a_promise_on_one_part_leaves_the_other_alone():
    for part, other in zip(PARTS, reversed(PARTS), strict=True):
        asked = [promises.read(f"k-anonymity:k=4,part={part}")]
        made = Joined().recode(SURVEY, asked, LocalEngine(), Randomness(1)).records
        assert isinstance(made, Survey)
        assert made.part(other) is SURVEY.part(other)
        assert judge(made, asked, LocalEngine()).holds


def test_withheld_people_are_within_the_allowance_and_spare_others():
    asked = [promises.read("k-anonymity:k=8")]
    release, ledger = road.publish(SURVEY, asked, Joined(), withhold=Fraction(1, 10))
    assert len(ledger.origins) >= 0.9 * len(SURVEY)
    assert judge(release.records, asked, LocalEngine()).holds
    made = Joined().recode(SURVEY, asked, LocalEngine(), Randomness(1), max_withheld=Allowance.of_records(SURVEY, 24))
    assert made.withheld is None or made.withheld.sum() <= 24


def test_sensitive_answers_differ_where_values_must():
    made = published(["l-diversity:l=2"])
    groups = LocalEngine().group(made).labels
    answers = made.ratings.sensitive.dense()[:, 0]
    assert all(len(set(answers[groups == group])) >= 2 for group in range(groups.max() + 1))


def test_predictions_may_replace_answers():
    plain = Survey(SURVEY.table, generate_demographics(240, 6, 0, seed=3).ratings)
    release, _ = road.publish(plain, [promises.read("k-anonymity:k=4")], Joined(answers="predictive"))
    assert oracles.holds(release.records, promises.read("k-anonymity:k=4"))
    assert Joined(answers="predictive").instead_of_ratings


@pytest.mark.parametrize(
    ("wording", "said"),
    [
        ("joined:spread=0", "at least 1"),
        ("joined:table=align", "a method on table for 'table'"),
        ("joined:answers=mondrian", "a method on ratings for 'answers'"),
        ("joined:table=microaggregation", "are not"),
        ("joined:table=nonsense", "no method named 'nonsense'"),
        ("joined:table=mondrian:nonsense=1", "no setting 'nonsense'"),
    ],
)
def test_methods_that_do_not_fit_are_refused(wording, said):
    with pytest.raises(WordingError, match=said):
        methods.read(wording)


def test_settings_of_methods_inside_are_written_and_read_back():
    method = methods.read("joined:table=mondrian:mode=relaxed;labels=tight,answers=align:rounds=2,spread=7")
    assert methods.read(str(method)) == method
    assert str(method) == "joined:table=mondrian:mode=relaxed;labels=tight,answers=align:rounds=2,spread=7"
