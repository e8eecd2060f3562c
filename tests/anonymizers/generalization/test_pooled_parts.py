"""Pooling the parts of a cut that break a promise, beside the same done one group after the other."""

from fractions import Fraction

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

import oracles
from shoal.anonymizers.generalization.pooled_parts import CutParts, pooled_parts
from shoal.anonymizers.promises import GroupPromises
from shoal.data import Column, Microdata, Role
from shoal.engines import LocalEngine
from shoal.models import KAnonymity, LDiversity, PrivacyModel, TCloseness

MODELS: list[list[PrivacyModel]] = [
    [KAnonymity(2)],
    [KAnonymity(4)],
    [KAnonymity(2), LDiversity(2)],
    [LDiversity(Fraction(3, 2), kind="entropy")],
    [TCloseness(Fraction(1, 3))],
]


@st.composite
def cuts(draw: st.DrawFn) -> tuple[list[list[list[str]]], list[PrivacyModel]]:
    """Groups of parts of sensitive values."""
    part = st.lists(st.sampled_from("abc"), min_size=1, max_size=6)
    groups = draw(st.lists(st.lists(part, min_size=2, max_size=5), min_size=1, max_size=3))
    return groups, draw(st.sampled_from(MODELS))


def kept(values: list[str], everybody: list[str], models: list[PrivacyModel]) -> bool:
    """Whether a group among all records keeps the promises: all others are one group of their own."""
    others = everybody.copy()
    for value in values:
        others.remove(value)
    table = Microdata(
        (
            Column.encode("group", Role.QUASI_IDENTIFIER, pl.Series([0] * len(values) + [1] * len(others))),
            Column.encode("ill", Role.SENSITIVE, pl.Series(values + others)),
        )
    )
    return all(
        len(values) >= model.k if isinstance(model, KAnonymity) else oracles.keeps(table, 0, model) for model in models
    )


def by_hand(parts: list[list[str]], everybody: list[str], models: list[PrivacyModel]) -> list[list[int]]:
    """The parts that stay together, or all in one where the group is not cut."""
    good = [at for at, values in enumerate(parts) if kept(values, everybody, models)]
    rest = [at for at in range(len(parts)) if at not in good]
    whole = [list(range(len(parts)))]
    if not rest:
        return [[at] for at in good]
    good.sort(key=lambda at: (len(parts[at]), at))
    while good:
        if kept([value for at in rest for value in parts[at]], everybody, models):
            return [*([at] for at in sorted(good)), sorted(rest)]
        rest.append(good.pop(0))
    return whole


@given(drawn=cuts())
def test_it_is_what_pooling_group_after_group_gives(drawn):
    groups, models = drawn
    everybody = [value for parts in groups for values in parts for value in values]
    table = Microdata(
        (
            Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([1] * len(everybody))),
            Column.encode("ill", Role.SENSITIVE, pl.Series(everybody)),
        )
    )
    sizes = [len(values) for parts in groups for values in parts]
    n_parts = np.array([len(parts) for parts in groups])
    judge = GroupPromises(table, models, LocalEngine())
    cut = CutParts(n_parts, np.arange(len(everybody)), np.repeat(np.arange(len(sizes)), sizes), judge)
    numbers, n_cut = pooled_parts(cut)
    begin = 0
    for parts, made in zip(groups, n_cut.tolist(), strict=True):
        own = numbers[begin : begin + len(parts)].tolist()
        begin += len(parts)
        expected = by_hand(parts, everybody, models)
        assert made == len(expected)
        if made > 1:
            assert [[at for at in range(len(parts)) if own[at] == number] for number in range(made)] == expected
