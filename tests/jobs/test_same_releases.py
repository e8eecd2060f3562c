"""What a method on tables publishes does not depend on the order of rows, on how values are stored, or on idle levels.

After a plain shuffle, one well-known library publishes 31 of 36 tables that break what was asked for; so 36 tables are
published here, each in an order of its own, and counted person by person.
"""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import oracles
import shoal
from jobs.test_same_answers import disguised, frame
from shoal import road
from shoal.anonymizers import Anonymizer, methods
from shoal.data import Microdata, Records
from shoal.errors import GuaranteeError, InputError
from shoal.models import promises
from shoal.randomness import Randomness

METHODS = [
    "mondrian",
    "mondrian:mode=relaxed",
    "mondrian:numbers=hierarchy",
    "lattice",
    "lattice:loss=discernability",
    "top-down",
    "top-down:looked_ahead=0",
    "specialization:target=grade",
    "specialization:numbers=split",
    "greedy-clustering",
    "decomposition:degree=1/2",
    "microaggregation:method=mdav",
]
SCHEMA = """
kind = "table"
[columns.age]
role = "quasi-identifier"
type = "number"
hierarchy = { kind = "interval", widths = [20] }
[columns.town]
role = "quasi-identifier"
hierarchy = { kind = "tree", tree = { south = ["Lund", "Ystad"], elsewhere = ["Nowhere", "Elsewhere"], none = [""] } }
[columns.grade]
role = "sensitive"
type = "number"
categories = [["3", "2"], ["1"], ["0", "7"]]
hierarchy = { kind = "tree", tree = { high = ["2", "3"], low = ["0", "1", "7"], none = [""] } }
"""
ASKED = ("k-anonymity:k=3", "l-diversity:l=2,kind=entropy", "p-plus-alpha-sensitive:k=4,p=2,alpha=3/2")
Groups = list[list[str]]


def people(path: Path) -> Microdata:
    schema = path.parent / "schema.toml"
    schema.write_text(SCHEMA)
    records = shoal.read(path, schema).records
    assert isinstance(records, Microdata)
    return records


def published(records: Records, method: Anonymizer, wording: str) -> Groups | str:
    """Publish, count person by person, and give the sensitive values by group; or that it was refused."""
    model = promises.read(wording)
    try:
        release, _ = road.publish(records, [model], method, randomness=Randomness(1))
    except (InputError, GuaranteeError):
        return "refused"
    told = release.records
    assert isinstance(told, Microdata)
    assert len(told) == len(records)
    assert oracles.holds(told, model), "a release breaks its promise"
    groups: dict[tuple, list[str]] = {}
    grades = told["grade"].values.cast(pl.Float64).cast(pl.String).fill_null("missing").to_list()
    for looks, grade in zip(oracles.tuples(told), grades, strict=True):
        groups.setdefault(looks, []).append(grade)
    return sorted(sorted(group) for group in groups.values())


@pytest.mark.parametrize("wording", METHODS)
def test_36_shuffled_tables_all_keep_what_was_asked_for_and_are_parted_alike(tmp_path, wording):
    method = methods.read(wording)
    data, chance = frame(3), np.random.default_rng(2)
    data.write_csv(tmp_path / "plain.csv")
    records = people(tmp_path / "plain.csv")
    for promise in ("l-diversity:l=2", "p-plus-sensitive:k=4,p=2"):
        expected = published(records, method, promise)
        assert expected != "refused"
        for _ in range(18):
            shuffled = records.take(chance.permutation(len(records)))
            assert published(shuffled, method, promise) == expected, promise


@pytest.mark.parametrize("wording", METHODS)
def test_releases_are_the_same_however_a_table_is_told(tmp_path, wording):
    method = methods.read(wording)
    data = frame(3)
    data.write_csv(tmp_path / "plain.csv")
    records = people(tmp_path / "plain.csv")
    expected = {promise: published(records, method, promise) for promise in ASKED}
    assert sum(told != "refused" for told in expected.values()) > len(ASKED) / 2
    told_otherwise = disguised(data)
    del told_otherwise["turned.csv"]  # of two columns that serve as well, the first is taken
    for name, other in told_otherwise.items():
        path = tmp_path / name
        if path.suffix == ".csv":
            other.write_csv(path)
        else:
            other.write_parquet(path)
        again = people(path)
        for promise in ASKED:
            assert published(again, method, promise) == expected[promise], (name, promise)


def test_every_method_on_tables_is_tried():
    tried = {type(methods.read(wording)) for wording in METHODS}
    assert tried == {method for method in methods if "table" in method.kinds and method.name != "none"}
