"""Small tables for the desk, and what several views of them tell together, person by person.

A person has two numbers from 0 to 3, known to others, and a sensitive letter. A number is told as it is (level 0), as
the pair it is in (1), or not at all (2). Nothing here asks the library what a view tells.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import polars as pl

from shoal.data import Column, Hierarchy, Microdata, Role

__all__ = ["SQUARE", "People", "keeps", "keeps_each", "published", "table_of", "write_files"]

People = Mapping[str, tuple[int, int, str]]
"""Both numbers and the letter of each person, by name."""
SQUARE: People = {f"p{i}": (i % 4, i // 4, "xy"[(i // 4 + i) % 2]) for i in range(16)}
"""Told at (0, 1) or at (1, 0) everybody is among two; at (0, 0), which both tell together, everybody is alone."""
View = tuple[People, tuple[int, ...]]
"""A version of the data, and the level of each number."""


def table_of(people: People) -> Microdata:
    """Return the table of some people."""
    ones, twos = ([one for one, _, _ in people.values()], [two for _, two, _ in people.values()])
    known = _numbers("one", ones), _numbers("two", twos)
    letters = Column.encode("letter", Role.SENSITIVE, pl.Series([person[2] for person in people.values()]))
    names = Column.encode("name", Role.IDENTIFIER, pl.Series(list(people), dtype=pl.String))
    return Microdata((names, *known, letters))


def write_files(folder: Path, people: People, name: str = "people") -> tuple[Path, Path]:
    """Write the table of some people, and its schema."""
    data, schema = folder / f"{name}.csv", folder / "people.toml"
    lines = [f"{name},{one},{two},{letter}" for name, (one, two, letter) in people.items()]
    data.write_text("\n".join(["name,one,two,letter", *lines, ""]), encoding="utf-8")
    (folder / "numbers.csv").write_text("".join(f"{i};pair {i // 2};*\n" for i in range(4)), encoding="utf-8")
    known = 'role = "quasi-identifier"\nhierarchy = "numbers.csv"'
    schema.write_text(
        f'kind = "table"\n[columns.name]\nrole = "identifier"\n[columns.one]\n{known}\n[columns.two]\n{known}\n'
        '[columns.letter]\nrole = "sensitive"\n',
        encoding="utf-8",
    )
    return data, schema


def _numbers(name: str, values: Sequence[int]) -> Column:
    column = Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series(values, dtype=pl.Int64))
    used = column.vocabulary.values
    levels = [used, pl.Series([f"pair {value // 2}" for value in used]), pl.Series(["*"] * len(used))]
    return column.with_hierarchy(Hierarchy.from_columns(levels))


def published(number: int, level: int) -> int | None:
    """Return what a number is told as."""
    return (number, number // 2, None)[level]


def keeps(views: Iterable[View], k: int, letters: int) -> bool:
    """Tell whether everybody is among k with so many different letters, for whoever has all of these views.

    Of each person such a reader knows what every view tells of it, or that it is not in it.
    """
    return keeps_each([(*view, k, letters) for view in views])


def keeps_each(views: Iterable[tuple[People, tuple[int, ...], int, int]]) -> bool:
    """Tell it of views of which each has a promise of its own: data sets of several owners, or versions of one."""
    views = list(views)
    alike: defaultdict[tuple[object, ...], list[str]] = defaultdict(list)
    for name in {name for people, *_ in views for name in people}:
        alike[tuple(_seen(people, levels, name) for people, levels, *_ in views)].append(name)
    for names in alike.values():
        for people, _, k, letters in views:
            if names[0] not in people:
                continue
            if len(names) < k or len(Counter(people[name][2] for name in names)) < letters:
                return False
    return True


def _seen(people: People, levels: tuple[int, ...], name: str) -> tuple[int | None, ...] | str:
    if name not in people:
        return "absent"
    return tuple(published(number, level) for number, level in zip(people[name][:2], levels, strict=True))
