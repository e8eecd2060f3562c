"""Columns before and after: against counts by hand on the files of a release."""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

import shoal
from server_under_test import PEOPLE, write_people
from shoal.datasets import write_generated
from shoal.errors import WordingError


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def may_stand_for(label: str, values: list[str]) -> list[str]:
    """Return the values that a label may stand for: itself, those of a range, or all."""
    found = re.fullmatch(r"\[(\d+), (\d+)([)\]])", label)
    if found is None:
        return [label] if label in values else list(values)
    low, high = int(found[1]), int(found[2]) + (found[3] == "]")
    return [each for each in values if low <= int(each) < high]


def shares_by_hand(labels: list[str], values: list[str]) -> dict[str, float]:
    counts: Counter[str] = Counter()
    for label in labels:
        stands_for = may_stand_for(label, values)
        for each in stands_for:
            counts[each] += 1 / len(stands_for)  # type: ignore[assignment]
    return {value: counts[value] / len(labels) for value in values}


@pytest.fixture(scope="module")
def table(tmp_path_factory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("columns")
    file = write_people(folder)
    shoal.publish(
        file,
        PEOPLE,
        models=["k-anonymity:k=4"],
        method="mondrian",
        out=folder / "release",
        ledger=folder / "ledger",
        withhold="0",
    )
    return file, folder


def test_a_column_of_a_table_is_spread_over_what_its_labels_may_stand_for(table) -> None:
    file, folder = table
    made = shoal.compare_columns(folder / "release", folder / "ledger")
    assert [each.name for each in made.columns] == ["age", "town", "disease"]
    before, after = rows_of(file), rows_of(next((folder / "release").glob("data.csv")))
    for column in made.columns:
        values = sorted({row[column.name] for row in before}, key=lambda each: (len(each), each))
        was = shares_by_hand([row[column.name] for row in before], values)
        is_ = shares_by_hand([row[column.name] for row in after], values)
        told_before = dict.fromkeys(column.classes, 0.0)
        told_after = dict.fromkeys(column.classes, 0.0)
        for value in values:
            own = next(each for each in column.classes if value in class_members(each, values))
            told_before[own] += was[value]
            told_after[own] += is_[value]
        assert dict(zip(column.classes, column.before, strict=True)) == pytest.approx(told_before)
        assert dict(zip(column.classes, column.after, strict=True)) == pytest.approx(told_after)
        moved = sum(abs(a - b) for a, b in zip(column.before, column.after, strict=True)) / 2
        assert column.distance == pytest.approx(moved)


def class_members(name: str, values: list[str]) -> list[str]:
    if name in values:
        return [name]
    low, high = name.split("–")
    return [each for each in values if int(low) <= int(each) <= int(high)]


def test_two_columns_of_a_table_are_counted_together(table) -> None:
    file, folder = table
    pair = shoal.compare_columns(folder / "release", folder / "ledger", pair=("town", "disease")).pair
    assert pair is not None
    before, after = rows_of(file), rows_of(folder / "release" / "data.csv")
    towns, diseases = pair.classes
    for shares, rows in ((pair.before, before), (pair.after, after)):
        expected: Counter[tuple[str, str]] = Counter()
        for row in rows:
            both = may_stand_for(row["town"], list(towns)), may_stand_for(row["disease"], list(diseases))
            for town in both[0]:
                for disease in both[1]:
                    expected[town, disease] += 1 / len(both[0]) / len(both[1])  # type: ignore[assignment]
        for i, town in enumerate(towns):
            for j, disease in enumerate(diseases):
                assert shares[i][j] == pytest.approx(expected[town, disease] / len(rows))


@pytest.fixture(scope="module", params=["ratings", "survey"])
def answers(request, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("items")
    settings = {
        "ratings": {"users": 30, "items": 8, "ratings": 120, "seed": 1},
        "survey": {"respondents": 40, "issues": 3, "sensitive": 1, "demographics": True, "seed": 1},
    }[request.param]
    schema = write_generated(request.param, folder / "data.csv", **settings)
    method = {"ratings": "align", "survey": None}[request.param]
    shoal.publish(
        folder / "data.csv",
        schema,
        models=["k-anonymity:k=2"],
        method=method,
        out=folder / "release",
        ledger=folder / "ledger",
    )
    return folder


def item_ratings(file: Path, item: str) -> Counter[str]:
    """Return how often each rating of an item stands in a file, one a line or one a column."""
    rows = rows_of(file)
    if "rating" in rows[0]:
        return Counter(f"{float(row['rating']):g}" for row in rows if row["item"] == item and row["rating"])
    return Counter(f"{float(row[item]):g}" for row in rows if row[item])


def test_items_are_counted_by_their_ratings(answers) -> None:
    made = shoal.compare_columns(answers / "release", answers / "ledger")
    items = [each for each in made.columns if each.classes[0] == "no rating"]
    assert items
    for each in items:
        for shares, file, people in (
            (each.before, answers / "data.csv", made.records_before),
            (each.after, answers / "release" / "data.csv", made.records_after),
        ):
            counted = item_ratings(file, each.name)
            told = dict(zip(each.classes, shares, strict=True))
            assert told.pop("no rating") == pytest.approx(1 - sum(counted.values()) / people)
            assert told == pytest.approx({point: counted[point] / people for point in told})


def test_many_words_and_many_numbers_become_a_few_classes(tmp_path: Path) -> None:
    lines = ["id,age,job"] + [f"{i},{i % 90},{f'job {i % 50 if i % 3 else 0}'}" for i in range(600)]
    (tmp_path / "many.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    roles = {"id": "identifier", "age": "quasi-identifier", "job": "quasi-identifier"}
    schema = {"kind": "table", "columns": {name: {"role": role} for name, role in roles.items()}}
    shoal.publish(
        tmp_path / "many.csv", schema, models=["k-anonymity:k=3"], out=tmp_path / "out", ledger=tmp_path / "ledger"
    )
    age, job = shoal.compare_columns(tmp_path / "out", tmp_path / "ledger").columns
    assert len(age.classes) == len(job.classes) == 12
    assert job.classes[-1] == "others"
    for each in (age, job):
        assert sum(each.before) == pytest.approx(1)
        assert sum(each.after) == pytest.approx(1)
    assert max(age.before) < 0.12  # stretches have about as many records each


def test_what_is_not_there_is_told(table) -> None:
    _, folder = table
    for wrong in ({"columns": ["nothing"]}, {"pair": ["age", "nothing"]}, {"pair": ["age"]}, {"pair": ["age", "age"]}):
        with pytest.raises(WordingError):
            shoal.compare_columns(folder / "release", folder / "ledger", **wrong)


def test_what_it_shows_of_itself_holds_no_value_in_words(table) -> None:
    _, folder = table
    made = shoal.compare_columns(folder / "release", folder / "ledger", pair=("town", "disease"))
    assert "Bonn" not in repr(made)
    assert len(made.shown()[1]) == 3
