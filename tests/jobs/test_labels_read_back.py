"""Every label that a method can write is read back: nobody who is in a release is told that they are not.

Over every kind of hierarchy, every kind of value and every method for tables, a release is published, written and read;
then everybody looks themselves up, as they write their values, with the schema of the original and without it; and a
journalist with a population in which everybody is looks for them, with the ledger and without it.
"""

import csv
import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import shoal
from shoal.attacks.uniqueness.risk import population_sizes
from shoal.errors import GuaranteeError
from shoal.jobs.attack import exposed

METHODS = (
    "none",
    "mondrian",
    "mondrian:mode=relaxed",
    "mondrian:numbers=hierarchy",
    "top-down",
    "specialization",
    "specialization:numbers=split",
    "lattice",
    "decomposition:degree=0.5",
    "microaggregation",
)
START = dt.datetime(2019, 11, 28, 21, 30)

TYPES: dict[str, st.SearchStrategy[Any]] = {
    "whole": st.integers(-3, 60) | st.sampled_from([2**53, 2**53 + 1, 2**53 + 2]),
    "real": st.sampled_from([-0.5, 0.1, 0.3, 2.5, 3.0, 17.25, 1e-7, 1e20, 123456789012.5]),
    "day": st.integers(0, 900).map(lambda days: START.date() + dt.timedelta(days)),
    "time": st.integers(0, 40_000).map(lambda steps: START + dt.timedelta(minutes=7 * steps, milliseconds=steps % 3)),
    "code": st.sampled_from(["4350", "4351", "4411", "43", "0430", "1e5", "1.10", "A12"]),
    "word": st.sampled_from(
        ["ash", "birch", "a | b", "a", "b", "missing", "[1, 3]", "p … q", "3 more", "ash (2)", "2024", "Oak, old"]
        + [f"w{number:02d}" for number in range(20)]
    ),
}
KINDS: dict[str, tuple[str, ...]] = {
    "whole": ("none", "interval", "widths", "quantile", "mask", "frequency", "file", "tree"),
    "real": ("none", "interval", "widths", "quantile", "mask", "frequency", "file", "tree"),
    "day": ("none", "date", "quantile", "mask", "frequency", "file", "tree"),
    "time": ("none", "date", "quantile", "mask", "frequency", "file"),
    "code": ("none", "mask", "frequency", "file", "tree"),
    "word": ("none", "frequency", "file", "tree"),
}


def written(value: Any) -> str:
    return "" if value is None else value.isoformat() if isinstance(value, dt.date) else str(value)


def other_forms(value: Any) -> list[str]:
    """How somebody may write a value of their own."""
    forms = [written(value)]
    if isinstance(value, dt.datetime):
        forms += [value.isoformat(" "), value.isoformat(timespec="minutes"), value.strftime("%Y-%m-%d")]
        forms += [value.strftime("%d.%m.%Y %H:%M")]
    elif isinstance(value, dt.date):
        forms += [value.strftime("%Y%m%d"), value.strftime("%d.%m.%Y")]
    elif isinstance(value, float) and value.is_integer() and value < 1e15:
        forms += [str(int(value))]
    elif isinstance(value, int) and abs(value) < 2**53:
        forms += [f"{value}.0"]
    return forms


def hierarchy(kind: str, values: list, folder: Path) -> str:
    """The line of a schema that says of which kind the hierarchy is; a file or a tree puts values by twos and fours."""
    known = list(dict.fromkeys(written(value) for value in values))
    if kind == "none":
        return ""
    if kind == "file":
        rows = [[word, f"label {place // 2}", f"part {place // 4}", "all"] for place, word in enumerate(known)]
        with (folder / "h.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, delimiter=";").writerows(rows)
        return 'hierarchy = "h.csv"'
    if kind == "tree":
        pairs = [known[place : place + 2] for place in range(0, len(known), 2)]
        leaves = ", ".join(f'"label {place}" = {pair!r}' for place, pair in enumerate(pairs))
        return f"hierarchy = {{ kind = 'tree', tree = {{ {leaves} }} }}"
    said = {"widths": "kind = 'interval', widths = [0.5, 5, 1000]", "quantile": "kind = 'quantile', parts = [4, 2]"}
    said["frequency"] = "kind = 'frequency', shares = [0.2, 0.9]"
    return f"hierarchy = {{ {said.get(kind, f'kind = {kind!r}')} }}"


@st.composite
def columns(draw: st.DrawFn) -> tuple[str, str, list]:
    kind_of_value = draw(st.sampled_from(sorted(TYPES)))
    kind = draw(st.sampled_from(KINDS[kind_of_value]))
    missing = draw(st.booleans())
    value = TYPES[kind_of_value]
    values = draw(st.lists(value | st.none() if missing else value, min_size=4, max_size=24))
    return kind_of_value, kind, values


def release_of(kind_of_value: str, kind: str, values: list, method: str, folder: Path) -> bool:
    """Publish the values beside another column; tell whether there was anything to publish."""
    kinds = {"code": "text", "word": "text", "day": "date", "time": "date"}
    rows = [[written(value), "fm"[at % 2]] for at, value in enumerate(values)]
    rows *= 2 if method == "none" else 1  # everybody has a twin
    with (folder / "data.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["name", "it", "sex"], *([name, *row] for name, row in enumerate(rows))])
    schema = (
        f'kind = "table"\n[columns.name]\nrole = "identifier"\n[columns.it]\nrole = "quasi-identifier"\n'
        f'type = "{kinds.get(kind_of_value, "number")}"\n{hierarchy(kind, values, folder)}\n'
        '[columns.sex]\nrole = "quasi-identifier"\n'
    )
    (folder / "schema.toml").write_text(schema, encoding="utf-8")
    try:
        shoal.publish(
            folder / "data.csv",
            schema=str(folder / "schema.toml"),
            models=["k-anonymity:k=2"],
            method=method,
            out=str(folder / "release"),
            ledger=str(folder / "ledger"),
        )
    except (GuaranteeError, shoal.errors.HierarchyError):
        return False
    return True


@pytest.fixture
def fresh(tmp_path: Path) -> Callable[[], Path]:
    """Return a new folder for every example."""
    number = iter(range(10**6))

    def made() -> Path:
        folder = tmp_path / str(next(number))
        folder.mkdir()
        return folder

    return made


LAW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@LAW
@given(column=columns(), method=st.sampled_from(METHODS), data=st.data())
def test_nobody_who_is_in_a_release_is_told_that_they_are_not(
    column: tuple[str, str, list], method: str, data: st.DataObject, fresh: Callable[[], Path]
) -> None:
    folder = fresh()
    if not release_of(*column, method, folder):
        return
    values = column[2]
    for row in data.draw(st.lists(st.integers(0, len(values) - 1), min_size=1, max_size=3, unique=True)):
        for form in other_forms(values[row]):
            with (folder / "me.csv").open("w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows([["it", "sex"], [form, "fm"[row % 2]]])
            for schema in (None, folder / "schema.toml"):
                try:
                    (fit,) = shoal.lookup(folder / "release", folder / "me.csv", schema=schema).fits
                except shoal.errors.InputError:  # refused, because it is not written as dates or listed values are
                    assert form != written(values[row])
                    continue
                assert fit.records + fit.unclear > 0, (column[:2], method, form == written(values[row]), schema)


@LAW
@given(column=columns(), method=st.sampled_from(METHODS))
def test_a_journalist_rules_nobody_out_who_is_in_the_population(
    column: tuple[str, str, list], method: str, fresh: Callable[[], Path]
) -> None:
    folder = fresh()
    if not release_of(*column, method, folder):
        return
    for ledger in (None, folder / "ledger"):
        exposure = exposed(folder / "release", ledger, population=folder / "data.csv")
        assert exposure.population is not None
        sizes = population_sizes(exposure)
        assert (sizes.covered <= sizes.possible).all()
        assert (sizes.possible >= exposure.group_sizes).all(), "all of a group are in the population"
        if ledger is not None and method != "microaggregation":
            assert (sizes.covered >= exposure.group_sizes).all(), "with the ledger, every label is read"


def test_times_that_mondrian_cut_are_read_by_a_journalist(tmp_path: Path) -> None:
    times = [START + dt.timedelta(minutes=20 * number) for number in range(12)]
    assert release_of("time", "none", times, "mondrian", tmp_path)
    for ledger in (None, tmp_path / "ledger"):
        found = shoal.attack(tmp_path / "release", ledger, ["risk:model=journalist"], population=tmp_path / "data.csv")
        prosecuted = shoal.attack(tmp_path / "release", ledger, ["risk"])
        assert found.findings[0].main == pytest.approx(prosecuted.findings[0].main)


@pytest.mark.parametrize("kind", ["date", "frequency"])
def test_labels_of_hierarchies_are_read_without_the_ledger(kind: str, tmp_path: Path) -> None:
    days = [START.date() + dt.timedelta(days=5 * number) for number in range(24)]
    assert release_of("day", kind, days, "lattice", tmp_path)
    exposure = exposed(tmp_path / "release", None, population=tmp_path / "data.csv")
    sizes = population_sizes(exposure)
    assert (sizes.possible >= exposure.group_sizes).all()
    if kind == "date":
        assert np.array_equal(sizes.covered, exposure.group_sizes)
    risk = shoal.attack(tmp_path / "release", None, ["risk:model=journalist"], population=tmp_path / "data.csv")
    assert risk.findings[0].main == pytest.approx(np.mean(1 / exposure.group_sizes[exposure.group_of]))
