"""Who breaks a promise, and what sets them apart, is what plain comparing finds."""

import itertools
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import ClassVar

import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import oracles
import risk_oracle
import shoal
from shoal.data import Column, Microdata, Ratings, Role, Survey
from shoal.engines import LocalEngine, nearest_others
from shoal.evidence import Evidence, GroupCounts, NeedGroups
from shoal.io import RatingsSchema, Source, TableSchema
from shoal.io.schemas import ColumnSchema
from shoal.jobs.explain import at_risk
from shoal.models import PrivacyModel, Verdict, promises
from shoal.testing.strategies import ratings, surveys, tables

COLUMNS = [
    "record", "promise", "others", "others_needed", "separating", "issues", "compared_with",
    "sensitive", "spread", "spread_needed",
]  # fmt: skip


def survey(records: Ratings | Survey) -> Source:
    return Source(records, RatingsSchema(layout="wide", id=("person",)), (), ())


def table(records: Microdata) -> Source:
    columns = {column.name: ColumnSchema(role=column.role) for column in records.columns}
    return Source(records, TableSchema(columns=columns), (), ())


def published(source: Source, folder: Path, *models: str) -> list[dict]:
    file = folder / "who.parquet"
    result = shoal.check(source, models, explain=file, force=True)
    frame = pl.read_parquet(file)
    is_sample = isinstance(source.records, Microdata) and bool(source.records.with_role(Role.WEIGHT))
    assert frame.columns == [*COLUMNS, *(["sample_risk"] if is_sample else [])]
    assert result.explanation is not None
    assert result.explanation.lines == len(frame) == sum(verdict.violations for verdict in result.verdicts)
    return frame.rows(named=True)


@settings(max_examples=30)
@given(given=ratings(min_records=3), epsilon=st.sampled_from(["0", "1/2", "1", "2", "5"]), k=st.integers(2, 3))
def test_of_few_neighbors(tmp_path_factory, given, epsilon, k):
    rows, r = oracles.profiles(given), oracles.farthest(given)
    names = given.observable.items.values.to_list()
    expected = []
    for record, others in enumerate(oracles.neighbors(rows, Fraction(epsilon), r)):
        if others < k - 1:
            other = risk_oracle.nearest(rows, record, Fraction(epsilon), r)
            issues = [] if other is None else risk_oracle.separating(rows[record], rows[other], Fraction(epsilon), r)
            written = "; ".join(names[issue] for issue in issues[:5]) or None
            expected.append((f"person {record}", others, k - 1, len(issues) or None, written, len(rows) - 1))
    lines = published(survey(given), tmp_path_factory.getbasetemp(), f"k-epsilon:k={k},epsilon={epsilon}")
    chosen = ("record", "others", "others_needed", "separating", "issues", "compared_with")
    assert [tuple(line[name] for name in chosen) for line in lines] == expected
    assert all(line["sensitive"] is line["spread"] is line["spread_needed"] is None for line in lines)


@settings(max_examples=30)
@given(given=ratings(min_records=2), epsilon=st.sampled_from([0, 1, 2]), l=st.sampled_from(["1/2", "1", "2"]))
def test_of_sensitive_ratings_that_are_too_much_alike(tmp_path_factory, given, epsilon, l):  # noqa: E741
    assume(given.has_sensitive)
    rows, r = oracles.profiles(given), oracles.farthest(given)
    codes, scale = given.sensitive.dense(), given.scale
    names = given.sensitive.items.values.to_list()
    rated = [issue for issue in range(len(names)) if any(row[issue] >= 0 for row in codes)]  # others tell nothing
    expected = []
    for record, one in enumerate(rows):
        near = [i for i, other in enumerate(rows) if oracles.proximate(one, other, epsilon, r)]
        variances = {}
        for issue in rated:
            values = [scale.lowest + int(codes[i, issue]) * scale.step for i in near if codes[i, issue] >= 0]
            mean = sum(values) / len(values) if values else Fraction(0)
            variances[issue] = sum((value - mean) ** 2 for value in values) / max(len(values), 1)
        worst = min(rated, key=lambda issue: variances[issue], default=None)
        if worst is not None and variances[worst] < Fraction(l) ** 2:
            expected.append((f"person {record}", len(near) - 1, names[worst], float(variances[worst]) ** 0.5))
        elif len(near) < 2:
            expected.append((f"person {record}", len(near) - 1, None, None))
    lines = published(survey(given), tmp_path_factory.getbasetemp(), f"k-epsilon:k=2,epsilon={epsilon},l={l}")
    assert [(line["record"], line["others"], line["sensitive"]) for line in lines] == [one[:3] for one in expected]
    for line, (*_, spread) in zip(lines, expected, strict=True):
        assert line["spread"] == (None if spread is None else pytest.approx(spread, abs=2e-6))
        assert line["spread"] is None or line["spread"] < line["spread_needed"] == float(Fraction(l))


@settings(max_examples=30)
@given(given=tables(min_records=3))
def test_of_tables_by_row_number(tmp_path_factory, given):
    alike = oracles.alike(oracles.tuples(given))
    lines = published(table(given), tmp_path_factory.getbasetemp(), "k-anonymity:k=3")
    expected = [(str(row), size - 1, 2) for row, size in enumerate(alike, 1) if size < 3]
    assert [(line["record"], line["others"], line["others_needed"]) for line in lines] == expected
    assert all(line[name] is None for line in lines for name in COLUMNS[4:])


@settings(max_examples=30)
@given(given=tables(min_records=2))
def test_of_sensitive_values_that_are_too_few(tmp_path_factory, given):
    assume(given.has_sensitive)
    rows = oracles.tuples(given)
    counts = {
        c.name: oracles.different_values(rows, c.values.to_list()) for c in given.columns if c.role == "sensitive"
    }
    expected = []
    for row in range(len(rows)):
        worst = min(counts, key=lambda name: counts[name][row])
        if counts[worst][row] < 2:
            expected.append((str(row + 1), worst, counts[worst][row], 2))
    lines = published(table(given), tmp_path_factory.getbasetemp(), "l-diversity:l=2")
    assert [tuple(line[c] for c in ("record", "sensitive", "spread", "spread_needed")) for line in lines] == expected


def test_of_groups_that_are_too_small_or_too_uniform_or_neither_is_told(tmp_path):
    columns = [("age", Role.QUASI_IDENTIFIER, [1, 1, 1, 2, 2, 2, 2]), ("ill", Role.SENSITIVE, list("xyxzzzz"))]
    data = table(Microdata(tuple(Column.encode(name, role, pl.Series(values)) for name, role, values in columns)))
    lines = published(data, tmp_path, "p-sensitive:p=2,k=4")
    assert [tuple(line[c] for c in ("record", "others", "sensitive", "spread_needed")) for line in lines] == [
        *((str(number), 2, None, None) for number in (1, 2, 3)),
        *((str(number), 3, "ill", 2) for number in (4, 5, 6, 7)),
    ]
    lines = published(data, tmp_path, "l-diversity:l=2,kind=entropy")
    assert [(line["record"], line["others"], line["sensitive"]) for line in lines] == [
        *((str(number), 2, "ill") for number in (1, 2, 3)),
        *((str(number), 3, "ill") for number in (4, 5, 6, 7)),
    ]


ON_TABLES = [
    "l-diversity:l=2",
    "l-diversity:l=2,kind=entropy",
    "l-diversity:l=2,kind=recursive,c=1",
    "p-sensitive:p=2,k=2",
    "p-plus-sensitive:p=2",
    "p-alpha-sensitive:p=2,alpha=1",
    "p-plus-alpha-sensitive:p=2,alpha=1,k=3",
    "t-closeness:t=0.2",
    "t-closeness:t=0.2,distance=ordered",
    "t-closeness:t=0.2,distance=hierarchical",
]


@pytest.mark.parametrize("wording", ON_TABLES)
@settings(max_examples=20)
@given(given=tables(min_records=3))
def test_the_attribute_that_is_told_breaks_every_promise_on_tables_by_itself(tmp_path_factory, wording, given):
    model = promises.read(wording)
    assume(given.has_sensitive)
    assume(all(column.categories and column.hierarchy is not None for column in given.sensitive))
    rows, sensitive = oracles.tuples(given), {c.name: c for c in given.columns if c.role == "sensitive"}
    for line in published(table(given), tmp_path_factory.getbasetemp(), wording):
        alike = [other for other, row in enumerate(rows) if row == rows[int(line["record"]) - 1]]
        breaking = [name for name, column in sensitive.items() if not oracles.attribute_keeps(column, alike, model)]
        assert (line["sensitive"] in breaking) if breaking else (line["sensitive"] is None)
        if breaking:
            too_great = "t-closeness" in wording
            assert (line["spread"] > line["spread_needed"]) == too_great
            assert (line["spread"] < line["spread_needed"]) == (not too_great)


@pytest.mark.parametrize(
    ("wording", "worst", "spread", "needed"),
    [
        ("l-diversity:l=4", "b", 3, 4),
        ("l-diversity:l=3,kind=entropy", "b", round(4 / 2**0.5, 6), 3),
        ("l-diversity:l=3,kind=recursive,c=1", "b", 1, 3),
        ("p-plus-sensitive:p=3", "a", 2, 3),
        ("p-alpha-sensitive:p=2,alpha=5/2", "a", 1.0, 2.5),
        ("p-alpha-sensitive:p=4,alpha=5/2", "b", 3, 4),
        ("p-plus-alpha-sensitive:p=3,alpha=1", "a", 2, 3),
        ("t-closeness:t=0.1", "a", 0.5, 0.1),
        ("t-closeness:t=0.1,distance=ordered", "a", 2 / 7, 0.1),
    ],
)
def test_how_far_the_worst_attribute_falls_short(tmp_path, wording, worst, spread, needed):
    """The first four look alike: of a they have w, x, y and z, in two categories, and of b u, u, v and w, in three."""
    told_of = {"a": list("wxyz" + "mnop"), "b": list("uuvw" + "uvwu")}
    categories = {"a": ("wx", "yzmn", "op"), "b": ("u", "v", "w")}
    columns = [Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([1] * 4 + [2] * 4))]
    for name, values in told_of.items():
        sorted_in = tuple(tuple(words) for words in categories[name])
        columns.append(Column.encode(name, Role.SENSITIVE, pl.Series(values), sorted_in))
    lines = published(table(Microdata(tuple(columns))), tmp_path, wording)
    first = next(line for line in lines if line["record"] == "1")
    assert first["sensitive"] == worst
    assert first["spread"] == pytest.approx(spread, abs=1e-6)
    assert first["spread_needed"] == needed


@settings(max_examples=20)
@given(given=ratings(min_records=2))
def test_of_profiles_that_must_be_equal(tmp_path_factory, given):
    lines = published(survey(given), tmp_path_factory.getbasetemp(), "k-anonymity:k=2")
    alone = [f"person {i}" for i, size in enumerate(oracles.alike(oracles.profiles(given))) if size < 2]
    assert [(line["record"], line["others"]) for line in lines] == [(person, 0) for person in alone]


def test_more_promises_follow_each_other_in_one_file(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("q1,q2\n1,1\n2,1\n5,\n")
    schema = RatingsSchema(layout="wide", scale=(1, 5))
    asked = ["k-epsilon:k=2,epsilon=1", "k-anonymity:k=2"]
    shoal.check(tmp_path / "s.csv", asked, schema, explain=tmp_path / "who.csv")
    lines = pl.read_csv(tmp_path / "who.csv", infer_schema=False)
    assert lines["record"].to_list() == ["3", "1", "2", "3"], "who has no id is told by row number"
    assert lines["promise"].n_unique() == 2


def test_a_selection_of_the_others_is_owned_up_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "\n".join(f"{1 + i % 5},{1 + i // 5 % 5},{1 + i // 25}" for i in range(100))
    (tmp_path / "s.csv").write_text(f"q1,q2,q3\n{rows}\n")
    monkeypatch.setattr(nearest_others.nearest_others, "__kwdefaults__", {"items": 5, "most": 100})
    result = shoal.check(
        tmp_path / "s.csv", ["k-epsilon:k=2,epsilon=0"], RatingsSchema(layout="wide", scale=(1, 5)),
        explain=tmp_path / "who.csv",
    )  # fmt: skip
    assert result.explanation is not None
    assert result.explanation.sampled
    assert "an even selection of the others" in " ".join(result.explanation.sentences)
    assert all(compared < 99 for compared in pl.read_csv(tmp_path / "who.csv")["compared_with"])


def test_neighbors_are_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []
    count = LocalEngine.neighbors
    monkeypatch.setattr(LocalEngine, "neighbors", lambda *a, **k: counted.append(a) or count(*a, **k))
    (tmp_path / "s.csv").write_text("q1,q2\n1,1\n2,1\n5,\n")
    schema = RatingsSchema(layout="wide", scale=(1, 5))
    shoal.check(tmp_path / "s.csv", ["k-epsilon:k=2,epsilon=1"], schema, explain=tmp_path / "who.csv")
    assert len(counted) == 1


def test_records_with_rare_items_are_told_with_the_other_profiles_that_share_them(tmp_path: Path) -> None:
    """Only 2 and 3, who are alike, rated the last issue; the first two issues are shared by all."""
    (tmp_path / "s.csv").write_text("q1,q2,q3\n1,1,\n2,1,3\n2,1,3\n3,3,\n")
    schema = RatingsSchema(layout="wide", scale=(1, 5))
    for b in (1, 2):
        shoal.check(tmp_path / "s.csv", [f"b-l-diversity:b={b},l=2"], schema, explain=tmp_path / "who.csv", force=True)
        lines = pl.read_csv(tmp_path / "who.csv")
        assert lines.select("record", "promise", "others", "others_needed").rows() == [
            (record, f"b-l-diversity:b={b},l=2", 0, 1) for record in (2, 3)
        ]


def test_rare_sets_of_items_are_looked_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []
    count = LocalEngine.item_sets
    monkeypatch.setattr(LocalEngine, "item_sets", lambda *a, **k: counted.append(a) or count(*a, **k))
    (tmp_path / "s.csv").write_text("q1,q2\n1,1\n2,1\n5,\n")
    schema = RatingsSchema(layout="wide", scale=(1, 5))
    shoal.check(tmp_path / "s.csv", ["b-l-diversity:b=2,l=3"], schema, explain=tmp_path / "who.csv")
    assert len(counted) == 1


def test_a_promise_of_ones_own_is_explained_as_far_as_it_goes(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Alone(PrivacyModel):
        """Nobody looks like anybody else."""

        name: ClassVar[str] = "alone"
        kinds: ClassVar[frozenset[str]] = frozenset({"table"})
        merge_safe: ClassVar[bool] = False

        @property
        def need(self) -> NeedGroups:
            return NeedGroups()

        @property
        def fewest_records(self) -> int:
            return 1

        @property
        def meaning(self) -> str:
            return "Nobody looks like anybody else."

        def judge(self, evidence: Evidence) -> Verdict:
            assert isinstance(evidence, GroupCounts)
            many = evidence.sizes > 1
            return Verdict(str(self), not many.any(), {}, int(evidence.sizes[many].sum()), many)

    people = Microdata((Column.encode("q", Role.QUASI_IDENTIFIER, pl.Series(["a", "b", "a"])),))
    shoal.check(table(people), [Alone()], explain=tmp_path / "who.csv")
    lines = pl.read_csv(tmp_path / "who.csv")
    assert lines.select("record", "promise", "others", "others_needed").rows() == [
        (1, "alone", 1, 0),
        (3, "alone", 1, 0),
    ]


@settings(max_examples=40)
@given(given=ratings(min_records=2), k=st.integers(2, 5), m=st.integers(1, 3), counted=st.sampled_from(["people", "l"]))
def test_of_rare_sets_of_items(tmp_path_factory, given, k, m, counted):
    """Each record is told with the smallest set of its items that too few hold: of several, one that the fewest do."""
    assume(len(given) >= k)
    profiles = oracles.profiles(given)
    different = profiles if counted == "people" else {*map(tuple, profiles)}
    held, counts = (
        [frozenset(i for i, rating in enumerate(row) if rating is not None) for row in rows]
        for rows in (profiles, different)
    )
    counts = (
        held
        if counted == "people"
        else [frozenset(i for i, r in enumerate(row) if r is not None) for row in {*map(tuple, profiles)}]
    )
    names = given.observable.items.values.to_list()
    expected = {}
    for record, own in enumerate(held):
        for size in range(m, -1, -1):
            numbers = {some: sum(set(some) <= other for other in counts) for some in itertools.combinations(own, size)}
            if min(numbers.values(), default=k) < k:
                least = min(numbers.values())
                expected[f"person {record}"] = [{*some} for some, number in numbers.items() if number == least]
    promise = f"km-anonymity:k={k},m={m}" if counted == "people" else f"b-l-diversity:b={m},l={k}"
    lines = published(survey(given), tmp_path_factory.getbasetemp(), promise)
    assert [line["record"] for line in lines] == [*expected]
    for line in lines:
        chosen = {names.index(name) for name in (line["issues"] or "").split("; ") if name}
        assert line["separating"] == len(chosen)
        assert chosen in expected[line["record"]]


@settings(max_examples=30)
@given(
    given=surveys(min_records=2, max_items=3, max_quasi_identifiers=1, others=False),
    k=st.integers(2, 3),
    m=st.integers(1, 3),
)
def test_of_rare_sets_of_items_within_a_class(tmp_path_factory, given, k, m):
    """In a survey the set is rare in the class of the record, and is empty where the class itself is too small."""
    assume(len(given) >= k)
    classes = oracles.tuples(given.table)
    held = [{i for i, rating in enumerate(row) if rating is not None} for row in oracles.profiles(given.ratings)]
    names = given.ratings.observable.items.values.to_list()

    def holders(record: int, some: set[int]) -> int:
        return sum(classes[other] == classes[record] and some <= items for other, items in enumerate(held))

    lines = published(survey(given), tmp_path_factory.getbasetemp(), f"km-anonymity:k={k},m={m}")
    assert len(lines) == sum(number < k for number in oracles.fewest_of_class(given, m))
    for line in lines:
        record = int(line["record"].removeprefix("person "))
        chosen = {names.index(name) for name in (line["issues"] or "").split("; ") if name}
        smallest = next(
            size
            for size in range(m + 1)
            if any(holders(record, {*some}) < k for some in itertools.combinations(held[record], size))
        )
        assert line["separating"] == len(chosen) == smallest
        assert holders(record, chosen) < k


def test_the_owner_is_told_how_many_items_are_rare_and_what_to_do(tmp_path: Path) -> None:
    rows = ["a x", "a x", "a y", "b y", "b x", "b x", "c z"]
    lines = [f"{person},{item}" for person, row in enumerate(rows) for item in row.split()]
    (tmp_path / "b.csv").write_text("\n".join(["user,item", *lines]) + "\n")
    result = shoal.check(tmp_path / "b.csv", "km-anonymity:k=2,m=2", explain=tmp_path / "who.csv")
    assert result.explanation is not None
    told = " ".join(result.explanation.sentences)
    assert "1 record by 1 item, 2 records by 2 items" in told
    assert "item-suppression" in told
    assert pl.read_csv(tmp_path / "who.csv")["issues"].to_list() == ["y; a", "y; b", "c"]


def test_rare_sets_that_are_not_found_in_time_are_left_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    search = at_risk.smallest_rare_sets
    monkeypatch.setattr(at_risk, "smallest_rare_sets", lambda *a: search(*a, steps=1))
    (tmp_path / "b.csv").write_text("user,item\n1,a\n1,b\n2,a\n3,b\n")
    result = shoal.check(tmp_path / "b.csv", "km-anonymity:k=2,m=2", explain=tmp_path / "who.csv")
    assert result.explanation is not None
    assert "Of 1 record the set was not found in time." in result.explanation.sentences
    assert pl.read_csv(tmp_path / "who.csv").select("others", "separating", "issues").rows() == [(0, None, None)]
