"""Small crowds for views by local recoding, and what everybody can tell from their labels.

A person has a number from 0 to 7, or none, and a town; both are known to others, and a letter is sensitive. Nothing
here asks the library what a view tells: labels are read as they are published.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import ceil, log2

import polars as pl
from hypothesis import strategies as st

from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.desk import Desk, Request
from shoal.engines import LocalEngine
from shoal.randomness import Randomness

TOWNS = {"Aarau": "north", "Basel": "north", "Chur": "east", "Davos": "east", "Genf": "west"}
Crowd = Mapping[str, tuple[int | None, str, str]]
Told = Mapping[str, tuple[str | None, str]]
"""The labels of each person, by name."""


def table_of(people: Crowd) -> Microdata:
    """Return the table of some people."""
    numbers, towns, letters = (pl.Series([each[place] for each in people.values()]) for place in range(3))
    town = Column.encode("town", Role.QUASI_IDENTIFIER, towns)
    used = town.vocabulary.values
    levels = [used, pl.Series([TOWNS[each] for each in used]), pl.Series(["*"] * len(used))]
    return Microdata(
        (
            Column.encode("name", Role.IDENTIFIER, pl.Series(list(people), dtype=pl.String)),
            Column.encode("number", Role.QUASI_IDENTIFIER, numbers.cast(pl.Int64)),
            town.with_hierarchy(Hierarchy.from_columns(levels)),
            Column.encode("letter", Role.SENSITIVE, letters),
        )
    )


@st.composite
def crowds(draw: st.DrawFn, missing: bool = True) -> Crowd:
    """Return people of whom some views are safe and some are not."""
    number = st.integers(0, 7) | (st.none() if missing else st.nothing())
    person = st.tuples(number, st.sampled_from(list(TOWNS)), st.sampled_from("xy"))
    people = draw(st.lists(person, min_size=8, max_size=24))
    return {f"p{i}": each for i, each in enumerate([*people, (0, "Genf", "x"), (0, "Genf", "y")])}


def ask(
    desk: Desk, dataset: str, people: Crowd, requester: str, *earlier: Crowd, purpose: str = "use"
) -> tuple[Told, Fraction, Fraction]:
    """Ask for a view and let it be done; return its labels, the degree asked for and the one reached."""
    table = table_of(people)
    request = Request(dataset, requester, purpose, table, "nowhere", tuple(map(table_of, earlier)))
    with desk.held() as token:
        reservation = desk.reserve(token, request)
    desk.settle(reservation, "done", state="done", sha256="0" * 64)
    recoding = reservation.method.recode(table, reservation.models, LocalEngine(), Randomness(1))
    made, withheld = recoding.records, recoding.withheld
    assert isinstance(made, Microdata)
    labels = zip(*(made[name].vocabulary.words.gather(made[name].codes) for name in ("number", "town")), strict=True)
    told = dict(zip(people, labels, strict=True))
    for name, is_withheld in zip(people, [] if withheld is None else withheld.tolist(), strict=False):
        if is_withheld:
            del told[name]
    return told, reservation.degree_asked, reservation.degree_reached


def numbers_of(label: str | None) -> set[int | None]:
    """Return which numbers a label may stand for."""
    if label is None:
        return {None}
    low, high = (lambda found: (int(found[0]), int(found[-1])))(re.findall(r"\d+", label))
    return {*range(low, high + 1), *([None] if "missing" in label else [])}


def towns_of(label: str) -> set[str]:
    """Return which towns a label may stand for."""
    return {town for town, region in TOWNS.items() if label in (town, region, "*")}


def shown(people: Crowd, told: Told) -> Crowd:
    """Return those of whom something is told; others might as well not be there."""
    return {name: people[name] for name in told}


def degree_of(told: Told, people: Crowd, priorities: tuple[Fraction, Fraction], beta: int = 0) -> Fraction:
    """Return the degree of anonymization: the mean over people, weighted by use; 1 of who is withheld.

    Numbers are those of people who are not withheld. With beta, the last step up weighs 1, the one before it 1/2^beta,
    and so on.
    """
    known = {people[name][0] for name in told}
    height = ceil(log2(len(known)))
    weights = priorities if any(priorities) else (Fraction(1), Fraction(1))
    total = Fraction(len(people) - len(told))
    for number, town in told.values():
        wide = len(numbers_of(number) & known)
        of_number = _steps(ceil(log2(wide)), height, beta)
        of_town = _steps(0 if town in TOWNS else 2 if town == "*" else 1, 2, beta)
        total += (weights[0] * of_number + weights[1] * of_town) / sum(weights)
    return total / len(people)


def _steps(up: int, height: int, beta: int) -> Fraction:
    weights = [Fraction(1, (height - step) ** beta) for step in range(height)]
    return sum(weights[:up], Fraction(0)) / sum(weights) if height else Fraction(1)


def keeps(views: Iterable[tuple[Crowd, Told, int, int]]) -> bool:
    """Tell whether everybody is among k, with so many different letters, for whoever has all of these views."""
    views = list(views)
    alike: defaultdict[tuple[object, ...], list[str]] = defaultdict(list)
    for name in {name for people, *_ in views for name in people}:
        alike[tuple(told.get(name, "absent") for _, told, *_ in views)].append(name)
    for names in alike.values():
        for people, _, k, letters in views:
            if names[0] in people and (len(names) < k or len({people[name][2] for name in names}) < letters):
                return False
    return True


def as_one(people: Crowd) -> Told:
    """Return the labels of the coarsest view there is."""
    return dict.fromkeys(people, ("any", "*"))
