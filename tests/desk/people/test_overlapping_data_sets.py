"""The same data under two names are noticed, and so are people who are in two data sets: these are judged together."""

import hashlib
import itertools
import json
import random
import sqlite3
import tempfile
import unicodedata
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import sqlalchemy
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from desk_oracle import SQUARE, People, keeps, keeps_each, published, table_of
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.desk import Desk, Policy, Purpose, Request
from shoal.desk.people.marks import AsWritten, as_written, common_records
from shoal.desk.store.tables import METADATA
from shoal.errors import FileError, RequestRefused, ShoalError, WordingError

PROMISES = ("k-anonymity:k=2", "l-diversity:l=2,kind=distinct")
Levels = partial(Policy, recoding="levels")
NAMED = Levels(PROMISES, identifier="name")
NAMED_ALONE = Levels(("k-anonymity:k=2",), identifier="name")
NAMELESS = Levels(("k-anonymity:k=2",))
SHORT_LIVED = "/dev/shm" if Path("/dev/shm").is_dir() else None
REQUESTERS = {"ann": Fraction(1), "bob": Fraction(1), "cid": Fraction(1, 3)}


def opened(folder: str | Path) -> Desk:
    desk = Desk.create(Path(folder) / "desk.sqlite")
    for name, trust in REQUESTERS.items():
        desk.set_requester(name, trust)
    desk.add_purpose("first", Purpose("one:1;two:0"))
    desk.add_purpose("second", Purpose("one:0;two:1"))
    return desk


def ask(desk: Desk, dataset: str, table: Microdata, requester: str, *earlier: Microdata, purpose: str = "first"):
    with desk.held() as token:
        reservation = desk.reserve(token, Request(dataset, requester, purpose, table, "nowhere", earlier))
    desk.settle(reservation, "done", state="done", sha256="0" * 64)
    node = reservation.node
    assert node is not None  # these views are of levels
    return node


# the same data under another name

ROWS = [
    {"id": f"{i:03}", "zip": f"{2139 + i % 3:05}", "weight": f"{60 + i % 4}.50", "when": "2024-03-01", "who": "Zoë"}
    for i in range(12)
]
TABLE = pl.DataFrame(ROWS)


def schema(folder: Path, name: str = "schema.toml", head: str = "", **columns: str) -> Path:
    roles = {"id": "identifier", "zip": "quasi-identifier", "weight": "quasi-identifier", "when": "drop"}
    roles |= {"who": "sensitive"}
    lines = [f'kind = "table"\n{head}']
    for column, role in roles.items():
        lines.append(f'[columns.{column}]\nrole = "{role}"')
        if role == "quasi-identifier":
            lines.append('hierarchy = {kind = "mask"}' if columns.get(column) == "text" else "")
        if column in columns:
            lines.append(f'type = "{columns[column]}"')
    file = folder / name
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def other_files(folder: Path) -> dict[str, tuple[Path, Path]]:
    """Return the same data in other files, or with other schemas."""

    def written(name: str, frame: pl.DataFrame) -> Path:
        file = folder / name
        frame.write_parquet(file) if name.endswith("parquet") else frame.write_csv(file)
        return file

    plain, as_text, base = schema(folder), {"zip": "text", "weight": "text"}, folder / "base.csv"
    typed = TABLE.with_columns(
        pl.col("id", "zip").cast(pl.Int64), pl.col("weight").cast(pl.Float32), pl.col("when").str.to_date()
    )
    apart = unicodedata.normalize("NFD", "Zoë")
    return {
        "text": (base, schema(folder, "text.toml", **as_text)),
        "number": (base, schema(folder, "number.toml", zip="number")),
        "date": (base, schema(folder, "date.toml", when="date")),
        "null": (base, schema(folder, "null.toml", 'null = ["60.50", 61.5]')),
        "column order": (written("turned.csv", TABLE.select(reversed(TABLE.columns))), plain),
        "row order": (written("reversed.csv", TABLE.reverse()), plain),
        "parquet": (written("same.parquet", TABLE), plain),
        "typed parquet": (written("typed.parquet", typed), plain),
        "spaces": (written("spaces.csv", TABLE.with_columns(pl.col("zip") + "  ")), plain),
        "zeros": (written("zeros.csv", TABLE.with_columns(weight="0" + pl.col("weight") + "0")), plain),
        "decomposed": (written("decomposed.csv", TABLE.with_columns(who=pl.lit(apart))), plain),
        "midnight": (written("midnight.csv", TABLE.with_columns(pl.col("when") + "T00:00:00")), plain),
        "named otherwise": (
            written("named.csv", TABLE.rename({"zip": "weight", "weight": "zip"})),
            plain,
        ),
    }


WAYS = ["text", "number", "date", "null", "column order", "row order", "parquet", "typed parquet", "spaces", "zeros"]
WAYS += ["decomposed", "midnight", "named otherwise"]


@pytest.mark.parametrize("how", WAYS)
def test_the_same_data_under_another_name_are_noticed_however_they_are_read(tmp_path, how):
    where = tmp_path / "desk.sqlite"
    Desk.create(where)
    policy = Levels(("k-anonymity:k=2",), identifier="id")
    data, other_schema = other_files(tmp_path)[how]
    TABLE.write_csv(tmp_path / "base.csv")
    shoal.register(where, "one", tmp_path / "base.csv", schema(tmp_path), policy=policy)
    assert other_files(tmp_path).keys() == set(WAYS)
    with pytest.raises(WordingError, match="registered already") as refused:
        shoal.register(where, "two", data, other_schema, policy=policy)
    assert "02139" not in str(refused.value)
    assert Desk(where).audit().holds


@given(st.lists(st.text(max_size=6), min_size=1, max_size=6))
def test_fields_are_alike_in_any_normal_form_and_with_spaces_around(words):
    series = pl.Series(words, dtype=pl.String)
    forms = as_written(series).to_list()
    for form in ("NFC", "NFD"):
        others = [f"  {unicodedata.normalize(form, word)}\t" for word in words]
        assert as_written(pl.Series(others, dtype=pl.String)).to_list() == forms


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-(10**9), max_value=10**9))
def test_a_number_is_alike_however_it_is_written(number):
    fraction = Fraction(number)
    whole, rest = divmod(abs(int(fraction * 1000)), 1000)
    sign = "-" if fraction < 0 else ""
    ways = [str(number), f"{sign}00{whole}.{rest:03}00", f"{sign}{whole * 1000 + rest}e-3", f"{sign}{whole}.{rest:03}"]
    if rest == 0:
        ways += [f"{sign}{whole}", f"{sign}{whole}.", f"{sign}0{whole}"]
    assert len(set(as_written(pl.Series(ways)))) == 1
    assert as_written(pl.Series([f"{sign}{whole}.{rest:03}1"]))[0] not in as_written(pl.Series(ways)).to_list()


# people who are in two data sets

PERSON = st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from("xy"))
CORNERS: People = {f"c{i}": (0, 0, "xy"[i % 2]) for i in range(4)}


@st.composite
def populations(draw: st.DrawFn) -> dict[str, People]:
    """Return data sets of a chain: a and b have people in common, and so have b and c, perhaps all or but one."""
    everybody = {f"p{i}": draw(PERSON) for i in range(draw(st.integers(6, 14)))}
    names = list(everybody)
    cut, other = (draw(st.integers(1, len(names) - 1)) for _ in range(2))
    parts = {"a": names[:cut], "b": names[max(0, cut - draw(st.integers(1, 6))) :], "c": names[other:]}
    crowd = {f"c{i}": (0, 0, "xy"[i % 2]) for i in range(draw(st.sampled_from([0, 4])))}
    made = {}
    for dataset, part in parts.items():
        own = {f"{dataset}{i}": (i // 2, 0, "xy"[i % 2]) for i in range(4)}
        changed = {name: draw(PERSON) if draw(st.integers(0, 4)) == 0 else everybody[name] for name in part}
        made[dataset] = {**own, **crowd, **changed}
    return made


ASKED = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(list(REQUESTERS)), st.sampled_from(["first", "second"])),
    min_size=2,
    max_size=6,
)


@settings(max_examples=12)
@given(populations(), ASKED, st.sampled_from(["nested", "checked"]), st.booleans())
def test_whatever_is_given_of_overlapping_data_sets_keeps_the_promises_of_each_together(people, asked, views, stricter):
    promised = {dataset: (3 if stricter and dataset == "b" else 2) for dataset in people}
    tables = {dataset: table_of(each) for dataset, each in people.items()}
    has: list[Any] = []
    with tempfile.TemporaryDirectory(dir=SHORT_LIVED) as folder:
        desk = opened(folder)
        for dataset, table in tables.items():
            promises = (f"k-anonymity:k={promised[dataset]}", "l-diversity:l=2,kind=distinct")
            try:
                desk.add_dataset(dataset, table, Levels(promises, views=views, identifier="name"))
            except ShoalError:  # alone, these people cannot be promised that
                return
        for dataset, requester, purpose in asked:
            others = [table for name, table in tables.items() if name != dataset]
            try:
                node = ask(desk, dataset, tables[dataset], requester, *others, purpose=purpose)
            except RequestRefused as refused:
                if "named alike" in str(refused):  # few records, and many of them the same by chance
                    continue
                coarsest = (people[dataset], (2, 2), promised[dataset], 2)
                assert not keeps_each([*has, coarsest]), "the coarsest view would have been safe"
                continue
            has.append((people[dataset], node, promised[dataset], 2))
            assert keeps_each(has)
        assert desk.audit().holds


def test_one_person_in_common_is_found_by_no_two_releases(tmp_path):
    """Told at all, both data sets together would tell apart who is in both: one person, among nobody."""
    first = {f"p{i}": (0, 0, "xy"[i % 2]) for i in range(4)}
    second = {"p0": (0, 0, "x"), **{f"q{i}": (0, 0, "xy"[i % 2]) for i in range(4)}}
    desk = opened(tmp_path)
    desk.add_dataset("first", table_of(first), NAMED)
    desk.add_dataset("second", table_of(second), NAMED)
    assert [(each.other, each.people) for each in desk.overlaps("second")] == [(("first", 1), 1)]
    ask(desk, "first", table_of(first), "ann")
    with pytest.raises(RequestRefused, match=r"'first', which has people in common .* cannot be checked"):
        ask(desk, "second", table_of(second), "bob")
    with pytest.raises(RequestRefused, match="No view"):
        ask(desk, "second", table_of(second), "bob", table_of(first))
    desk.change_policy("second", apart_from=("first",))
    ask(desk, "second", table_of(second), "bob")
    assert desk.audit().holds
    with sqlite3.connect(tmp_path / "desk.sqlite") as connection:
        entries = [
            json.loads(published) for (published,) in connection.execute("SELECT told FROM log WHERE event = 'policy'")
        ]
    connection.close()
    assert "apart_from" in entries[-1]["changed"], "on record"


def test_data_sets_are_judged_together_over_a_chain_though_the_ends_have_nobody_in_common(tmp_path):
    """Any two of them are safe; all three tell who of b is neither in a nor in c: one person."""

    def people(names: str, letter: str) -> People:
        own = [f"{letter}{i}" for i in range(4)]
        return {name: (0, 0, "xy"[i % 2]) for i, name in enumerate([*names, *own])}

    parts = {"a": people("01", "k"), "b": {name: (0, 0, "xy"[i % 2]) for i, name in enumerate("01234")}}
    parts["c"] = people("23", "m")
    tables = {name: table_of(part) for name, part in parts.items()}
    desk = opened(tmp_path)
    for name, table in tables.items():
        desk.add_dataset(name, table, Levels(("k-anonymity:k=2",), identifier="name"))
    views = {name: (part, (2, 2), 2, 1) for name, part in parts.items()}
    assert all(keeps_each([views[one], views["b"]]) for one in "ac")
    assert not keeps_each(views.values())
    for name in "ab":
        ask(desk, name, tables[name], "ann", *tables.values())
    with pytest.raises(RequestRefused, match="version 1 of 'a'"):
        ask(desk, "c", tables["c"], "ann", tables["b"])
    with pytest.raises(RequestRefused, match="No view"):
        ask(desk, "c", tables["c"], "ann", *tables.values())


def test_identifiers_of_other_columns_and_types_name_the_same_people(tmp_path):
    numbers = {f"{i:04}": (i % 2, 0, "xy"[i // 2 % 2]) for i in range(8)}
    table = table_of(numbers)
    typed = Column.encode("patient", Role.IDENTIFIER, pl.Series([float(name) for name in numbers]))
    more = Column.encode("ward", Role.DROP, pl.Series(["w"] * 8))
    other = Microdata((typed, more, *table.columns[1:]))
    desk = opened(tmp_path)
    desk.add_dataset("one", table, NAMED)
    desk.add_dataset("two", other, Levels(PROMISES))
    assert desk.overlaps("one")[0].people == 8
    first = ask(desk, "one", table, "ann")
    with pytest.raises(RequestRefused, match=r"8 people of 'two' are also in 'one', version 1, .* no identifier"):
        ask(desk, "two", other, "bob", table)
    desk.change_policy("two", identifier="patient")
    second = ask(desk, "two", other, "bob", table)
    assert keeps([(numbers, first), (numbers, second)], 2, 2)


def test_people_who_are_not_known_again_by_the_identifiers_of_the_policies_are_missed(tmp_path):
    """Both files have the same mail addresses, and the policies name other columns."""
    people = {f"p{i}": (0, 0, "xy"[i % 2]) for i in range(8)}
    mail = Column.encode("mail", Role.IDENTIFIER, pl.Series([f"{i}@x" for i in range(8)]))
    other = {f"q{i}": (0, i % 2, "xy"[i // 2 % 2]) for i in range(8)}
    one, two = (Microdata((mail, *table_of(each).columns)) for each in (people, other))
    desk = opened(tmp_path)
    desk.add_dataset("one", one, NAMED)
    desk.add_dataset("two", two, NAMED)
    ask(desk, "one", one, "ann")
    with pytest.raises(
        RequestRefused, match=r"in both version 1 of 'two' and version 1 of 'one'; by .* nobody is known again"
    ):
        ask(desk, "two", two, "bob", one)
    for name in ("one", "two"):
        desk.change_policy(name, identifier="mail")
    ask(desk, "two", two, "bob", one)


def test_data_sets_with_other_columns_are_judged_together_too(tmp_path):
    """One tells the first number, the other the second: together they would tell both."""
    table = table_of(SQUARE)
    halves = {name: Microdata((table["name"], table[name], table["letter"])) for name in ("one", "two")}
    desk = opened(tmp_path)
    desk.add_purpose("equal", Purpose())
    for name, half in halves.items():
        desk.add_dataset(name, half, Levels(("k-anonymity:k=4",), identifier="name"))
    given_nodes = {}
    for name, half in halves.items():
        given_nodes[name] = ask(desk, name, half, "ann", *halves.values(), purpose="equal")[0]
    cells: dict[Any, int] = {}
    for one, two, _ in SQUARE.values():
        cell = published(one, given_nodes["one"]), published(two, given_nodes["two"])
        cells[cell] = cells.get(cell, 0) + 1
    assert given_nodes["one"] == 0
    assert min(cells.values()) >= 4


def test_whoever_may_collude_by_one_of_the_policies_counts_for_both(tmp_path):
    people = {f"p{i}": (0, 0, "xy"[i % 2]) for i in range(4)}
    more = {**people, "q": (0, 0, "x"), "r": (0, 0, "y"), "s": (0, 0, "y")}
    fewer = dict(list(more.items())[1:])
    desk = opened(tmp_path)
    desk.add_dataset("more", table_of(more), Levels(PROMISES, identifier="name", coalitions=(("ann", "bob"),)))
    desk.add_dataset("fewer", table_of(fewer), Levels(PROMISES, identifier="name", coalitions=()))
    ask(desk, "more", table_of(more), "ann")
    ask(desk, "fewer", table_of(fewer), "cid")
    with pytest.raises(RequestRefused, match="No view"):
        ask(desk, "fewer", table_of(fewer), "bob", table_of(more))


def test_a_column_that_one_data_set_publishes_and_the_other_protects_is_refused(tmp_path):
    people = {f"p{i}": (0, 0, "xy"[i % 2]) for i in range(8)}
    table = table_of(people)
    open_letter = Column.encode("letter", Role.INSENSITIVE, pl.Series(["z"] * 8))
    desk = opened(tmp_path)
    desk.add_dataset("one", table, NAMED)
    other = table.replaced((open_letter,))
    desk.add_dataset("two", other, Levels(("k-anonymity:k=2",), identifier="name"))
    (warning,) = desk.warnings("two")
    assert "'letter' is insensitive in 'two' and sensitive in 'one'" in warning
    ask(desk, "two", other, "ann")
    with pytest.raises(RequestRefused, match="'letter' is insensitive in 'two' and sensitive in 'one'"):
        ask(desk, "one", table, "ann", other)


@pytest.mark.parametrize("same", [True, False])
def test_a_column_that_is_published_under_another_name_and_protected_here_is_refused(tmp_path, same):
    """If it only has the same values, and tells other things of people, it is another column."""
    complete = dealt(60).drop("code")
    published = complete["letter"] if same else complete["letter"].shuffle(seed=1)
    desk = opened(tmp_path)
    one = as_roles(complete, name="identifier")
    renamed = complete.drop("letter").with_columns(published.alias("mood"), pl.lit("new").alias("code"))
    two = as_roles(renamed, name="identifier", mood="insensitive", code="drop")
    desk.add_dataset("one", one, NAMED_ALONE)
    desk.add_dataset("two", two, NAMED_ALONE)
    assert desk.warnings("two") == []
    ask(desk, "one", one, "ann")
    if not same:
        ask(desk, "two", two, "ann", one)
        return
    with pytest.raises(RequestRefused, match=r"'mood' of version 1 of 'two' is insensitive, but has .* 'letter' of"):
        ask(desk, "two", two, "ann", one)
    desk.change_policy("two", apart_from=("one",))
    ask(desk, "two", two, "ann")


def test_what_data_sets_have_in_common_is_compared_with_the_log_before_anything_is_given(tmp_path):
    first = {f"p{i}": (0, 0, "xy"[i % 2]) for i in range(8)}
    second = dict(list(first.items())[1:])
    desk = opened(tmp_path)
    desk.add_dataset("first", table_of(first), NAMED)
    desk.add_dataset("second", table_of(second), NAMED)
    ask(desk, "first", table_of(first), "ann")
    with sqlite3.connect(tmp_path / "desk.sqlite") as connection:
        connection.execute("DELETE FROM common_people")
    connection.close()
    with pytest.raises(FileError, match="not as the log says"):
        ask(desk, "second", table_of(second), "ann")


def test_data_that_count_records_are_told_how_their_people_could_be_known_again(tmp_path):
    complete = dealt(60).drop("code")
    desk = opened(tmp_path)
    one = as_roles(complete, name="identifier")
    two = replace(as_roles(complete.head(50), name="identifier"), unit="record")
    desk.add_dataset("one", one, NAMED_ALONE)
    desk.add_dataset("two", two, NAMED_ALONE)
    ask(desk, "one", one, "ann")
    with pytest.raises(RequestRefused, match="which column names the person"):
        ask(desk, "two", two, "ann", one)


def test_data_that_have_nobody_in_common_need_not_be_handed_in(tmp_path):
    desk = opened(tmp_path)
    one, two = (as_roles(dealt(60, seed).drop("code"), name="identifier") for seed in (1, 2))
    desk.add_dataset("one", one, NAMED_ALONE)
    desk.add_dataset("two", two, NAMED_ALONE)
    with pytest.raises(RequestRefused, match=r"version 1 of 'one', .* not needed"):
        ask(desk, "two", two, "ann", one)


def test_one_person_is_not_told_as_several(tmp_path):
    people = {f"p{i}": (0, 0, "xy"[i % 2]) for i in range(4)}
    desk = opened(tmp_path)
    desk.add_dataset("first", table_of(people), Levels(PROMISES))
    other = {"p0": (0, 0, "x"), **{f"q{i}": (0, 0, "xy"[i % 2]) for i in range(4)}}
    desk.add_dataset("second", table_of(other), NAMED)
    assert "1 person of 'second' is also in 'first'" in desk.warnings("second")[0]


def test_without_common_names_records_are_compared_and_many_alike_are_refused(tmp_path):
    spread = {f"p{i}": (i % 4, i // 4 % 4, f"letter {i}") for i in range(30)}
    desk = opened(tmp_path)
    desk.add_dataset("one", table_of(spread), Levels(("k-anonymity:k=2",), identifier="name"))
    renumbered = {f"q{i}": person for i, person in enumerate(spread.values())}
    nameless = Microdata(table_of(spread).columns[1:])
    some = {f"q{i}": person if i < 12 else (0, 0, f"other {i}") for i, person in enumerate(spread.values())}
    ask(desk, "one", table_of(spread), "ann")
    for name, table in (("two", table_of(renumbered)), ("three", nameless), ("four", table_of(some))):
        desk.add_dataset(name, table, Levels(("k-anonymity:k=2",), coalitions=()))
        with pytest.raises(RequestRefused, match=f"records of {name!r} are also in 'one', version 1, and nobody is"):
            ask(desk, name, table, "bob", table_of(spread))
    few = {f"q{i}": person if i < 5 else (0, 0, f"other {i}") for i, person in enumerate(spread.values())}
    desk.add_dataset("few", table_of(few), NAMELESS)
    assert not [each for each in desk.overlaps("few") if each.other[0] == "one"]
    desk.change_policy("four", apart_from=("one", "two", "three", "few"))
    ask(desk, "four", table_of(some), "bob")
    assert desk.audit().holds


def dealt(rows: int, seed: int = 3) -> pl.DataFrame:
    """Return records of which no two people's names and codes are alike, and nothing else tells people apart."""
    draw = random.Random(seed)
    return pl.DataFrame(
        {
            "name": [f"p{seed}-{i}" for i in range(rows)],
            "one": [draw.choice("ab") for _ in range(rows)],
            "two": [draw.choice("xy") for _ in range(rows)],
            "letter": [draw.choice("stu") for _ in range(rows)],
            "code": [seed * 100_000 + i for i in range(rows)],
        }
    )


DEALT = {"one": "quasi-identifier", "two": "quasi-identifier", "letter": "sensitive"}


def as_roles(frame: pl.DataFrame, **roles: str) -> Microdata:
    """Return a table with these roles, and the usual ones."""
    columns = []
    for name in frame.columns:
        column = Column.encode(name, Role({**DEALT, **roles}[name]), frame[name])
        if column.role is Role.QUASI_IDENTIFIER:
            used = column.vocabulary.values
            column = column.with_hierarchy(Hierarchy.from_columns([used, pl.Series(["*"] * len(used))]))
        columns.append(column)
    return Microdata(tuple(columns))


ROLES = ("identifier", "drop", "insensitive", "sensitive", "quasi-identifier")


@pytest.mark.parametrize("theirs", [(name, code) for name in ROLES for code in ROLES])
@pytest.mark.parametrize("ours", [("identifier", "drop"), ("drop", "drop"), ("sensitive", "identifier")])
def test_other_roles_hide_nobody(tmp_path, ours, theirs):
    """The second lacks one person: views of both, compared, would tell of that person everything."""
    complete = dealt(60)
    desk, tables = opened(tmp_path), {}
    for dataset, frame, (name, code) in (("one", complete, ours), ("two", complete.head(59), theirs)):
        identifier = "name" if name == "identifier" else "code" if code == "identifier" else None
        tables[dataset] = as_roles(frame, name=name, code=code)
        desk.add_dataset(dataset, tables[dataset], Levels(("k-anonymity:k=5",), identifier=identifier))
    assert desk.overlaps("two")
    ask(desk, "one", tables["one"], "ann")
    with pytest.raises(RequestRefused, match=r"cannot be judged|known again|No view"):
        ask(desk, "two", tables["two"], "bob", tables["one"])


def test_an_extra_column_that_is_dropped_hides_nobody(tmp_path):
    """It is another in each file: the time of the export, say."""
    complete = dealt(60).drop("name", "code")
    desk = opened(tmp_path)
    for dataset, frame in (("one", complete), ("two", complete.head(59))):
        stamped = frame.with_columns(pl.lit(f"export of {dataset}").alias("code"))
        desk.add_dataset(dataset, as_roles(stamped, code="drop"), NAMELESS)
    assert desk.overlaps("two")


@pytest.mark.parametrize("lacking", [0, 1, 3])
def test_records_that_all_occur_several_times_are_noticed(tmp_path, lacking):
    complete = dealt(100).drop("name", "code")
    assert (complete.group_by(complete.columns).len()["len"] > 1).all()
    desk = opened(tmp_path)
    desk.add_dataset("one", as_roles(complete), NAMELESS)
    other = complete.head(100 - lacking).rename({"one": "two", "two": "one"})
    if lacking == 0:
        other = other.with_columns(code=pl.lit("new"))
    desk.add_dataset("two", as_roles(other, code="drop"), NAMELESS)
    (overlap,) = desk.overlaps("two")
    assert (overlap.people, overlap.records) == (0, 100 - lacking)
    assert "nobody is named alike" in desk.warnings("two")[0]


@pytest.mark.parametrize("rows", [30, 100, 1000])
def test_samples_of_different_people_are_seldom_taken_for_the_same(rows):
    """Records are few kinds, and most of each sample is in the other one."""
    samples = [dealt(rows, seed).select("one", "two", "letter") for seed in range(1, 41)]
    kinds = {kind: number for number, kind in enumerate(sorted(set(pl.concat(samples).rows())))}
    marks = [np.sort(np.array([kinds[row] for row in sample.rows()], np.uint64)) for sample in samples]
    pairs = list(itertools.combinations(marks, 2))
    assert all(common_records(each, each) == common_records(each[1:], each) + 1 == rows for each in marks)
    assert sum(common_records(*pair) > 0 for pair in pairs) <= len(pairs) / 20


def test_a_new_version_that_has_people_of_another_data_set_is_noticed(tmp_path):
    first, second = ({f"{letter}{i}": (0, 0, "xy"[i % 2]) for i in range(6)} for letter in "pq")
    desk = opened(tmp_path)
    desk.add_dataset("first", table_of(first), NAMED)
    desk.add_dataset("second", table_of(second), NAMED)
    assert desk.overlaps("second") == []
    both = table_of({**second, "p0": first["p0"], "p1": first["p1"]})
    assert desk.add_version("second", both) == 2
    (overlap,) = desk.overlaps("second")
    assert (overlap.version, overlap.other, overlap.people) == (("second", 2), ("first", 1), 2)
    node = ask(desk, "first", table_of(first), "ann")
    later = ask(desk, "second", both, "ann", table_of(first))
    assert keeps([(first, node), ({**second, "p0": first["p0"], "p1": first["p1"]}, later)], 2, 2)


def test_the_person_of_a_schema_is_noticed_though_its_column_is_dropped(tmp_path):
    people = {f"p{i}": (0, 0, "xy"[i % 2]) for i in range(6)}
    table = table_of(people)
    dropped = table.replaced((Column.encode("name", Role.DROP, table["name"].values),))
    dropped = dropped.replaced((Column.encode("letter", Role.SENSITIVE, pl.Series(list("stuvwx"))),))
    desk = opened(tmp_path)
    desk.add_dataset("one", table, NAMED)
    written = AsWritten(dropped.frame(), ("name",))
    desk.add_dataset("two", dropped, Levels(("k-anonymity:k=2",)), written)
    ask(desk, "one", table, "ann")
    with pytest.raises(RequestRefused, match="6 people of 'two' are also in 'one'"):
        ask(desk, "two", dropped, "bob", table)


# what is kept, and what was kept before


def test_marks_are_keyed_and_differ_from_desk_to_desk(tmp_path):
    kept = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        opened(tmp_path / name).add_dataset("crowd", table_of(SQUARE), NAMED)
        with sqlite3.connect(tmp_path / name / "desk.sqlite") as connection:
            kept.append(set(connection.execute("SELECT sha256, marks FROM mark_lists")))
            text = "\n".join(connection.iterdump())
        connection.close()
        plain = hashlib.sha256(b"p0").digest()
        assert not [marks for _, marks in kept[-1] if plain[:8] in marks]
        assert plain.hex()[:16] not in text.lower()
    assert not kept[0] & kept[1]


def test_the_audit_finds_marks_that_were_changed_or_taken_away(tmp_path):
    for statement in ("DELETE FROM mark_lists", "UPDATE mark_lists SET marks = x'00'", "DELETE FROM marks"):
        folder = Path(tempfile.mkdtemp(dir=tmp_path))
        desk = opened(folder)
        desk.add_dataset("crowd", table_of(SQUARE), NAMED)
        with sqlite3.connect(folder / "desk.sqlite") as connection:
            connection.execute(statement)
        connection.close()
        assert desk.audit().faults


OVERSIGHT = ("approvals", "proposals", "kept", "kept_blocks", "anchors")
MADE_SINCE = ("secret", "marks", "mark_lists", "common_people", "trees", *OVERSIGHT)


COLUMNS_SINCE = {"requesters": ("expires", "purposes", "closed"), "releases": ("expires",)}


def without_columns_since(said: str) -> str:
    """Return what an entry said before rows had as many columns."""
    body = json.loads(said)
    for column in COLUMNS_SINCE.get(body.get("table"), ()):
        assert body["row"].pop(column) is None
    return json.dumps(body, sort_keys=True, separators=(",", ":"))


def as_before(file: Path) -> None:
    """Make a store as it was before people were marked."""
    with sqlite3.connect(file) as connection:
        for trigger in ("UPDATE", "DELETE"):
            connection.execute(f"DROP TRIGGER log_keeps_{trigger}")
        for table in MADE_SINCE:
            connection.execute(f"DROP TABLE {table}")
        for column in COLUMNS_SINCE["requesters"]:
            connection.execute(f"ALTER TABLE requesters DROP COLUMN {column}")
        connection.execute("ALTER TABLE releases DROP COLUMN expires")
        connection.execute("DELETE FROM log WHERE event IN ('opened', 'marked', 'overlap')")
        rows = connection.execute("SELECT number, at, event, told FROM log ORDER BY number").fetchall()
        connection.execute("DELETE FROM log")
        previous = "0" * 64
        for number, (_, at, event, now_said) in enumerate(rows, start=1):
            said = without_columns_since(now_said)
            entry = {"number": number, "at": at, "event": event, "told": said, "previous": previous}
            text = json.dumps(entry, sort_keys=True, separators=(",", ":"))
            digest = hashlib.sha256(text.encode()).hexdigest()
            connection.execute("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", (number, at, event, said, previous, digest))
            previous = digest
        connection.execute("UPDATE head SET number = ?, hash = ?", (len(rows), previous))
        for what in ("UPDATE", "DELETE"):
            connection.execute(
                f"CREATE TRIGGER log_keeps_{what} BEFORE {what} ON log "
                "BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"
            )
    connection.close()


def test_a_desk_from_before_goes_on_and_its_data_are_marked_when_they_are_handed_in_again(tmp_path):
    file = tmp_path / "desk.sqlite"
    desk = opened(tmp_path)
    desk.add_dataset("crowd", table_of(SQUARE), NAMED)
    ask(desk, "crowd", table_of(SQUARE), "ann")
    as_before(file)
    again = Desk(file)
    assert again.audit().holds
    assert len(again.releases()) == 1
    ask(again, "crowd", table_of(SQUARE), "ann")
    some = table_of(dict(list(SQUARE.items())[:8]))
    with pytest.raises(RequestRefused, match="registered before"):
        again.add_dataset("some", some, Levels(("k-anonymity:k=2",), identifier="name"))
    assert again.add_version("crowd", table_of(SQUARE)) == 1
    again.add_dataset("some", some, Levels(("k-anonymity:k=2",), identifier="name"))
    assert again.overlaps("some")[0].people == 8
    with pytest.raises(WordingError, match="already"):
        again.add_version("crowd", table_of(SQUARE))
    assert Desk(file).audit().holds


def test_a_store_from_before_is_guarded_as_a_new_one(where):
    """In PostgreSQL its trigger was passed over by replicas."""
    address = where.replace("postgresql:", "postgresql+psycopg:") if "://" in where else f"sqlite:///{where}"
    if "://" not in where:
        Path(where).touch(0o600)
    old = [table for table in METADATA.sorted_tables if table.name not in MADE_SINCE]
    with sqlalchemy.create_engine(address, poolclass=sqlalchemy.NullPool).begin() as connection:
        METADATA.create_all(connection, tables=old)
        if "://" in where:
            connection.exec_driver_sql("ALTER TABLE log ENABLE TRIGGER log_keeps")
    desk = Desk(where)
    desk.set_requester("ann", 1)
    assert desk.audit().holds


def test_a_desk_of_a_later_version_is_refused(tmp_path):
    opened(tmp_path)
    with sqlite3.connect(tmp_path / "desk.sqlite") as connection:
        connection.execute("UPDATE secret SET schema = schema + 1")
    connection.close()
    with pytest.raises(ShoalError, match="later version"):
        Desk(tmp_path / "desk.sqlite")
