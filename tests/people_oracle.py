"""Promises counted in people, in plain Python: a person counts once in a class, and once for every value there."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from hypothesis import strategies as st

import oracles
from shoal.data import Column, Microdata
from shoal.models import KAnonymity, LDiversity, PrivacyModel, PSensitive, TCloseness

__all__ = ["class_people", "holds", "person_lists", "reached_k", "violating_people"]


def person_lists(n: int) -> st.SearchStrategy[list[int]]:
    """Whose each of n records is: often few people with many records each."""
    return st.integers(1, max(n // 2, 2)).flatmap(
        lambda people: st.lists(st.integers(0, people), min_size=n, max_size=n)
    )


def class_people(table: Microdata, persons: Sequence[int]) -> dict[tuple, set[int]]:
    """The different people of every equivalence class."""
    people = defaultdict(set)
    for row, person in zip(oracles.tuples(table), persons, strict=True):
        people[row].add(person)
    return dict(people)


def reached_k(table: Microdata, persons: Sequence[int]) -> int:
    return min(len(people) for people in class_people(table, persons).values())


def violating_people(table: Microdata, persons: Sequence[int], model: PrivacyModel) -> int:
    """How many people have a record in a class that breaks the promise."""
    broken: set[int] = set()
    for row, people in class_people(table, persons).items():
        if not _class_keeps(table, persons, row, model):
            broken |= people
    return len(broken)


def holds(table: Microdata, persons: Sequence[int], model: PrivacyModel) -> bool:
    return violating_people(table, persons, model) == 0


def _class_keeps(table: Microdata, persons: Sequence[int], row: tuple, model: PrivacyModel) -> bool:
    people = class_people(table, persons)[row]
    if isinstance(model, KAnonymity):
        return len(people) >= model.k
    if len(people) < (getattr(model, "k", None) or 0):
        return False
    if not isinstance(model, TCloseness) and len(people) < (model.l if isinstance(model, LDiversity) else model.p):  # pyright: ignore
        return False  # one person with several values hides nobody
    return all(
        _attribute_keeps(column, table, persons, row, model) for column in table.columns if column.role == "sensitive"
    )


def _attribute_keeps(column: Column, table: Microdata, persons: Sequence[int], row: tuple, model: PrivacyModel) -> bool:
    triples = set(zip(oracles.tuples(table), persons, column.values.to_list(), strict=True))
    values = [value for where, _, value in triples if where == row]
    if isinstance(model, LDiversity):
        return oracles.diverse(values, model)
    if isinstance(model, TCloseness):
        everybody = [value for _, _, value in triples]
        return oracles.earth_movers(values, everybody, oracles.value_distance(column, model.distance)) <= model.t
    if isinstance(model, PSensitive):
        return len(set(values)) >= model.p
    categories = [oracles.category(column, value) for value in values]
    known = [number for number in categories if number is not None]
    alpha = getattr(model, "alpha", None)
    weight = sum((oracles.category_weight(number, len(column.categories)) for number in known), Fraction(0))
    if alpha is not None and weight < alpha:
        return False
    return len(set(known if "plus" in model.name else values)) >= model.p  # pyright: ignore
