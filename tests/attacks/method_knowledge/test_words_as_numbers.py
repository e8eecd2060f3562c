"""Words without a hierarchy are cut in their order, as numbers are: the same follows from a cut of both."""

from itertools import permutations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import inference_oracle as oracle
from cut_tables import cut
from shoal.anonymizers import Anonymizer, GreedyClustering, TopDown
from shoal.attacks import Attack, Downcoding, Exposure, Minimality
from shoal.attacks.method_knowledge.allowable_cuts import AllowableCuts
from shoal.data import Column, Microdata, Role
from shoal.engines import LocalEngine
from shoal.models import promises
from shoal.randomness import Randomness

CHANCE = Randomness(1)
ASKED = ("k-anonymity:k=2", "l-diversity:l=2")


def as_numbers(number: int) -> int:
    return number


def as_words(number: int) -> str:
    return "abcdefgh"[number]


def as_odd_words(number: int) -> str:
    return f"{'abcdefgh'[number]} | b … c"


def table(towns: list[int], ages: list[int], illnesses: list[str], published) -> Microdata:
    order = {town: place for place, town in enumerate(sorted(set(towns)))}  # without gaps, words are as far apart
    return Microdata(
        (
            Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series([published(order[town]) for town in towns])),
            Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(ages)),
            Column.encode("illness", Role.SENSITIVE, pl.Series(illnesses)),
        )
    )


@st.composite
def people(draw: st.DrawFn, most: int = 12) -> tuple[list[int], list[int], list[str]]:
    n = draw(st.integers(2, most))

    def some(values):
        return draw(st.lists(values, min_size=n, max_size=n))

    return some(st.integers(0, 5)), some(st.integers(20, 22)), some(st.sampled_from(["flu", "gout", "cold"]))


@settings(max_examples=60, deadline=None)
@given(people(), st.sampled_from([Minimality(ways=20_000), Downcoding()]))
def test_the_same_follows_from_words_as_from_numbers(
    data: tuple[list[int], list[int], list[str]], attack: Attack
) -> None:
    numbers, words, odd = (
        attack.run(cut(table(*data, published), *ASKED), CHANCE) for published in (as_numbers, as_words, as_odd_words)
    )
    assert words.main == pytest.approx(numbers.main)
    assert dict(words.details) == pytest.approx(dict(numbers.details))
    assert dict(odd.details) == pytest.approx(dict(numbers.details)), "whatever the words look like"


# ── the oracle: every way to share out the values of a group in which no cut of it would have been made ─────────────


def halves(values: list[int]) -> list[list[int]]:
    """The members on either side of the change of value nearest to the middle; nothing where all are alike."""
    borders = sorted(set(values))[1:]
    if not borders:
        return []
    border = min(borders, key=lambda each: (abs(2 * sum(value < each for value in values) - len(values)), each))
    return [[at for at, value in enumerate(values) if (value < border) == low] for low in (True, False)]


def posteriors(exposure: Exposure, towns: list[int], ages: list[int], illnesses: list[str]) -> list[float]:
    """The largest share of a value among all ways that are left, for each person."""
    seen = exposure.tables[1]
    labels = list(zip(*[column.values.cast(pl.String) for column in seen.quasi_identifiers], strict=True))
    out = [0.0] * len(towns)
    for group in set(labels):
        members = [row for row, each in enumerate(labels) if each == group]
        values = [illnesses[row] for row in members]
        cuts = [halves([known[row] for row in members]) for known in (towns, ages)] if len(set(labels)) > 1 else []
        cuts = [parts for parts in cuts if parts and min(map(len, parts)) >= 2]
        ways = [
            way
            for way in set(permutations(values))
            if all(any(len({way[at] for at in part}) < 2 for part in parts) for parts in cuts)
        ]
        for at, row in enumerate(members):
            held = [way[at] for way in ways]
            out[row] = max(oracle.share(each, held) for each in held)
    return out


@settings(max_examples=60, deadline=None)
@given(people(most=7), st.sampled_from([as_numbers, as_words]))
def test_what_is_left_is_what_no_cut_rules_out(data: tuple[list[int], list[int], list[str]], published) -> None:
    exposure = cut(table(*data, published), *ASKED)
    found = Minimality(ways=100_000).run(exposure, CHANCE)
    assert found.details["largest_posterior"] == pytest.approx(max(posteriors(exposure, *data)))


def test_towns_as_words_hide_nothing_that_towns_as_numbers_give_away() -> None:
    # the two of the first town must both have HIV, or the group were cut
    towns, illnesses = [0, 0, 1, 2, 2, 0, 2], ["HIV", "HIV", "flu", "gout", "cold", "HIV", "flu"]
    ages = [20] * 5 + [60] * 2
    for published in (as_numbers, as_words):
        found = Minimality().run(cut(table(towns, ages, illnesses, published), "l-diversity:l=2"), CHANCE)
        assert found.details["largest_posterior"] == 1.0


@pytest.mark.parametrize("method", [TopDown(), GreedyClustering()], ids=lambda method: method.name)
def test_a_method_that_publishes_words_or_suppresses_them_cuts_no_range(method: Anonymizer) -> None:
    data = table([0, 1, 2, 3, 4, 5], [20] * 6, ["flu", "gout"] * 3, as_words)
    promised = tuple(promises.read(each) for each in ASKED)
    published = method.recode(data, promised, LocalEngine(), CHANCE).records
    exposure = Exposure(data, published, np.arange(6), promised, method=method.name)
    ((_, cuts),) = AllowableCuts(exposure, promised[:1])
    assert cuts == []
