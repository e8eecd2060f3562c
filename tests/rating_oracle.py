"""Small rating sets for the desk, and what everybody can tell from the profiles that are published.

A person rates some of a few items from 1 to 5. Nothing here asks the library what a profile is or what views tell:
profiles are averaged anew, in fractions, from a tree that is read as it is kept.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import floor

import numpy as np
import polars as pl
from hypothesis import strategies as st

from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.desk import Desk, Request
from shoal.desk.request import Reservation
from shoal.engines import LocalEngine
from shoal.randomness import Randomness

__all__ = ["Kept", "Raters", "View", "as_one", "ask", "crowds", "keeps", "nest", "ratings_of", "write_file"]

ITEMS: tuple[str, ...] = ("apple", "bread", "cheese", "dates", "eggs", "figs")
STEP = Fraction(1, 50)
"""Means on a scale from 1 to 5 are published in steps of 0.02."""
Profile = Mapping[str, Fraction]
Raters = Mapping[str, Mapping[str, int]]
"""The ratings of each person, by name."""


@dataclass(frozen=True)
class View:
    """What a requester was given: for each person the record that stands for them, its profile and its people."""

    people: Raters
    record: Mapping[str, int]
    profiles: Mapping[int, Profile]
    sizes: Mapping[int, int]


@dataclass(frozen=True)
class Kept:
    """A view and its tree, as the books have them."""

    parents: Sequence[int]
    smallest: Mapping[str, int]
    cuts: Sequence[bool]

    def group(self, name: str) -> int:
        """Return the group of a person: the first on the way down from the root that is not cut."""
        way = [self.smallest[name]]
        while way[-1]:
            way.append(self.parents[way[-1]])
        return next(group for group in reversed(way) if not self.cuts[group])


def ratings_of(people: Raters) -> Ratings:
    """Return the rating set of some people."""
    codes = np.array([[each.get(item, 0) - 1 for item in ITEMS] for each in people.values()])
    items = RatingMatrix.from_dense(Vocabulary(pl.Series(ITEMS)), codes)
    return Ratings(Vocabulary(pl.Series(list(people))), items, RatingMatrix.empty(len(people)), Scale.of(1, 5))


def write_file(path: object, people: Raters) -> None:
    """Write the rating set of some people, one rating a line."""
    lines = [f"{name},{item},{rating}" for name, rated in people.items() for item, rating in rated.items()]
    with open(str(path), "w", encoding="utf-8") as file:
        file.write("\n".join(["user,item,rating", *lines, ""]))


@st.composite
def crowds(draw: st.DrawFn, most: int = 24) -> Raters:
    """Return people of whom some rate alike and some do not."""
    rated = st.dictionaries(st.sampled_from(ITEMS), st.integers(1, 5), max_size=6)
    kinds = draw(st.lists(rated, min_size=1, max_size=8))
    each = st.sampled_from(kinds) | rated
    return {f"p{i}": draw(each) for i in range(draw(st.integers(6, most)))}


def ask(desk: Desk, dataset: str, people: Raters, requester: str, *earlier: object) -> tuple[View, Reservation]:
    """Ask for a view and let it be done; return what it publishes and what was decided."""
    ratings = ratings_of(people)
    request = Request(dataset, requester, "use", ratings, "nowhere", tuple(earlier))  # type: ignore[arg-type]
    with desk.held() as token:
        reservation = desk.reserve(token, request)
    desk.settle(reservation, "done", state="done", sha256="0" * 64)
    return published(people, ratings, reservation), reservation


def published(people: Raters, ratings: Ratings, reservation: Reservation) -> View:
    """Return what the method of a decision publishes."""
    made = reservation.method.recode(ratings, reservation.models, LocalEngine(), Randomness(1))
    profiles = made.records
    assert isinstance(profiles, Ratings)
    assert made.stands_for is not None
    assert profiles.people is not None
    names = profiles.observable.items.values.to_list()
    cells = {
        row: {
            names[item]: profiles.scale.lowest + int(code) * profiles.scale.step
            for item, code in enumerate(line)
            if code >= 0
        }
        for row, line in enumerate(profiles.observable.dense().tolist())
    }
    record = dict(zip(people, made.stands_for.tolist(), strict=True))
    return View(people, record, cells, dict(enumerate(profiles.people.tolist())))


def as_one(people: Raters) -> View:
    """Return the view in which all are one group, whatever is published of it."""
    return View(people, dict.fromkeys(people, 0), {}, {0: len(people)})


def keeps(views: Iterable[tuple[Mapping[str, object], Mapping[str, object], int]]) -> bool:
    """Tell whether everybody is among k for whoever has all of these views.

    A view is who is in the data, the group of each of them, and the k that is promised. Of each person such a reader
    knows the group in every view, or that it is not in the data.
    """
    views = list(views)
    alike: defaultdict[tuple[object, ...], list[str]] = defaultdict(list)
    for name in {name for people, *_ in views for name in people}:
        alike[tuple(groups.get(name, "absent") for _, groups, _ in views)].append(name)
    return all(len(names) >= k for names in alike.values() for people, _, k in views if names[0] in people)


def nest(finer: View, coarser: View) -> bool:
    """Tell whether everybody of a record of the finer view is of one record of the coarser one."""
    pairs = {(finer.record[name], coarser.record[name]) for name in finer.record}
    return len(pairs) == len(set(finer.record.values()))


def kept_view(desk: Desk, number: int, people: Raters) -> Kept:
    """Return the view of a release as the books have it."""
    import base64
    import zlib

    from sqlalchemy import text

    with desk._store.reading() as connection:
        node = connection.execute(text(f"SELECT node FROM releases WHERE number = {int(number)}")).scalar_one()
        documents = dict(connection.execute(text("SELECT sha256, tree FROM trees")).fetchall())  # type: ignore[arg-type]
    view = json.loads(documents[json.loads(node)["view"]])
    tree = json.loads(documents[view["tree"]])
    assert set(tree) == {"parts", "smallest"}, "numbers alone, and no value of a record"
    parents, packed = [0], zlib.decompress(base64.b64decode(view["cuts"]))
    for group, parts in enumerate(tree["parts"]):
        parents += [group] * parts
    cuts = [bool(packed[group // 8] >> (7 - group % 8) & 1) for group in range(view["groups"])]
    return Kept(parents, dict(zip(people, tree["smallest"], strict=True)), cuts)


def profile_of(group: int, kept: Kept, people: Raters) -> Profile:
    """Return the profile of a group by its definition: of a smallest group from ratings, else from its parts."""

    @cache
    def size(group: int) -> int:
        below = sum(size(part) for part, whole in enumerate(kept.parents) if part and whole == group)
        return below + sum(own == group for own in kept.smallest.values())

    def profile(group: int) -> Profile:
        parts = [part for part, whole in enumerate(kept.parents) if part and whole == group]
        if not parts:
            return averaged([(1, people[name]) for name, own in kept.smallest.items() if own == group])
        return averaged([(size(part), profile(part)) for part in parts])

    return profile(group)


def merged(group: int, kept: Kept, finer: Mapping[int, tuple[int, Profile]]) -> tuple[int, Profile]:
    """Return the size and the profile of a group from nothing but what a finer view publishes, and the tree."""
    if group in finer:
        return finer[group]
    parts = [merged(part, kept, finer) for part, whole in enumerate(kept.parents) if part and whole == group]
    return sum(size for size, _ in parts), averaged(parts)


def averaged(lines: Sequence[tuple[int, Mapping[str, int | Fraction]]]) -> Profile:
    """Return what more than half of some people have, with the mean over them, rounded to steps, halves up."""
    everybody, found = sum(people for people, _ in lines), {}
    for item in {item for _, line in lines for item in line}:
        given = [(people, Fraction(line[item])) for people, line in lines if item in line]
        raters = sum(people for people, _ in given)
        if 2 * raters > everybody:
            mean = sum(people * rating for people, rating in given) / Fraction(raters)
            found[item] = 1 + floor((mean - 1) / STEP + Fraction(1, 2)) * STEP
    return found


def degree_of(view: View) -> Fraction:
    """Return the degree of anonymization: the mean over people of the halvings that are left, of all there are."""
    everybody = halvings(len(view.people))
    alike = {name: view.sizes[row] for name, row in view.record.items()}
    return sum((Fraction(halvings(size), everybody) for size in alike.values()), Fraction(0)) / len(view.people)


def halvings(people: int) -> int:
    """Return how often some people are halved until one is left."""
    return 0 if people <= 1 else 1 + halvings(people - people // 2)
