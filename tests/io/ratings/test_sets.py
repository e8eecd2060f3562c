"""Purchases and clicks: who has what, in every layout, read and written back."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.data import PRESENT, Ratings
from shoal.errors import DataError, SchemaError
from shoal.io import RatingsSchema, read
from shoal.io.folders.write_records import write_records
from shoal.io.schemas import read_schema
from shoal.io.schemas.schema_of import schema_of
from shoal.plan import Plan
from shoal.testing import ratings

LONG = "user,item\nann,tea\nann,milk\nbob,tea\nbob,tea\ncid,milk\n"
HELD = {"ann": {"tea", "milk"}, "bob": {"tea"}, "cid": {"milk"}}


def file_of(folder: Path, text: str, name: str = "data.csv") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def held(records: object) -> dict[str, set[str]]:
    assert isinstance(records, Ratings)
    assert records.is_sets
    found = {}
    for user, *sides in zip(
        records.users.values.cast(pl.String), records.observable.dense(), records.sensitive.dense(), strict=True
    ):
        names = [side.items.values.cast(pl.String).to_list() for side in (records.observable, records.sensitive)]
        pairs = zip(names, sides, strict=True)
        found[user] = {mine[i] for mine, row in pairs for i in np.flatnonzero(row >= 0)}
    return found


def test_a_file_of_users_and_items_alone_is_read_without_a_schema(tmp_path):
    source = read(file_of(tmp_path, LONG))
    assert held(source.records) == HELD
    assert source.schema == RatingsSchema(
        kind="sets", layout="long", user="user", item="item", delimiter=",", header=True
    )
    assert "An item that somebody has several times counts once." in source.notes


def test_counts_are_read_as_presence_and_that_is_said(tmp_path):
    path = file_of(tmp_path, "user,item,count\nann,tea,3\nann,milk,1\nbob,tea,1\nbob,milk,0\ncid,milk,\ncid,milk,2\n")
    source = read(path, RatingsSchema(kind="sets"))
    assert held(source.records) == HELD
    assert "Counts are read as 1, whatever they are (other than 1: 2)." in source.notes


def test_ratings_are_sets_of_what_was_rated_if_the_schema_says_so(tmp_path):
    path = file_of(tmp_path, "user,item,rating\nann,tea,5\nann,milk,1\nbob,tea,2.5\ncid,milk,4\n")
    assert held(read(path, RatingsSchema(kind="sets")).records) == HELD


def test_of_a_wide_file_zero_and_nothing_mean_not_in_it(tmp_path):
    path = file_of(tmp_path, "name,tea,milk\nann,1,1\nbob,2,0\ncid,,1\n")
    source = read(path, RatingsSchema(kind="sets", layout="wide", id=("name",)))
    assert held(source.records) == HELD


@pytest.mark.parametrize(
    ("text", "schema"),
    [
        ("name,tea,milk\nann,True,true\nbob,TRUE,False\ncid,,1\n", {"layout": "wide", "id": ("name",)}),
        (
            "user,item,n\nann,tea,true\nann,milk,True\nbob,tea,true\nbob,milk,FALSE\ncid,milk,2\n",
            {"layout": "long", "user": "user", "item": "item", "rating": "n"},
        ),
    ],
    ids=["wide", "long"],
)
def test_true_and_false_say_who_has_what(tmp_path, text: str, schema: dict[str, Any]):
    path = file_of(tmp_path, text)
    assert held(read(path, RatingsSchema(kind="sets", **schema)).records) == HELD
    with pytest.raises(DataError, match="are not numbers"):
        read(path, RatingsSchema(kind="ratings", scale=(1, 5), **schema))


@pytest.mark.parametrize(
    ("delimiter", "text"),
    [
        (None, "tea milk\ntea\n\nmilk  tea\r\n"),
        (None, "tea\tmilk\ntea\t\n\t\nmilk \ttea\n"),
        (",", "tea,milk\ntea\n\nmilk, tea"),
    ],
)
def test_baskets_hold_the_items_of_one_person_a_line(tmp_path, delimiter, text):
    source = read(
        file_of(tmp_path, text, "data.dat"), RatingsSchema(kind="sets", layout="baskets", delimiter=delimiter)
    )
    assert held(source.records) == {"0": {"tea", "milk"}, "1": {"tea"}, "2": set(), "3": {"tea", "milk"}}


def test_baskets_without_items_and_in_another_encoding_are_refused(tmp_path):
    schema = RatingsSchema(kind="sets", layout="baskets")
    with pytest.raises(DataError, match="holds no items"):
        read(file_of(tmp_path, "\n\n"), schema)
    (tmp_path / "latin.dat").write_bytes("thé lait\n".encode("latin-1"))
    with pytest.raises(shoal.errors.FileError, match="is not UTF-8 text"):
        read(tmp_path / "latin.dat", schema)
    latin = read(tmp_path / "latin.dat", RatingsSchema(kind="sets", layout="baskets", encoding="latin-1"))
    assert held(latin.records) == {"0": {"thé", "lait"}}


def test_baskets_with_quotes_or_a_header_are_refused_and_not_read_as_items(tmp_path):
    path = file_of(tmp_path, 'tea,"oat milk"\n"oat milk"\n')
    schema = RatingsSchema(kind="sets", layout="baskets", delimiter=",")
    with pytest.raises(DataError, match=r"2 lines of data\.csv have quotes") as refusal:
        read(path, schema)
    assert "oat" not in str(refusal.value)
    assert held(read(path, schema.model_copy(update={"quotes": False})).records)["1"] == {'"oat milk"'}
    for said in ({"header": True}, {"names": ("one", "two")}):
        with pytest.raises(SchemaError, match="neither a header line nor names"):
            read(path, schema.model_copy(update=said))


def test_negative_counts_are_refused_without_a_value(tmp_path):
    path = file_of(tmp_path, "user,item,count\nann,tea,-17\nann,milk,1\n")
    with pytest.raises(DataError, match="1 counts are negative") as refusal:
        read(path, RatingsSchema(kind="sets"))
    assert "17" not in str(refusal.value)
    assert held(read(path, RatingsSchema(kind="sets", null=(-17,))).records) == {"ann": {"milk"}}


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"kind": "sets", "scale": (1, 5)}, "sets have no scale"),
        ({"kind": "sets", "step": 0.5}, "sets have no scale"),
        ({"layout": "baskets"}, "one of sets"),
        ({"scale": (1, 1)}, 'kind = "sets"'),
    ],
)
def test_a_schema_of_sets_has_no_scale_and_one_of_ratings_has(settings, reason):
    with pytest.raises(SchemaError, match=reason):
        RatingsSchema(**settings)


def test_ratings_that_are_all_equal_may_be_sets(tmp_path):
    with pytest.raises(SchemaError, match="All ratings are equal") as refusal:
        read(file_of(tmp_path, "user,item,rating\nann,tea,1\nbob,tea,1\n"))
    assert 'kind = "sets"' in str(refusal.value)


@given(ratings(scales=[PRESENT]), st.sampled_from(["long", "wide", "baskets"]), st.sampled_from([None, "n"]))
def test_what_is_written_is_read_back(tmp_path_factory, records, layout, rating):
    folder = tmp_path_factory.mktemp("sets")
    schema = schema_of(records, RatingsSchema(kind="sets", layout=layout, rating=rating if layout == "long" else None))
    assert isinstance(schema, RatingsSchema)
    path = folder / "data.csv"
    (folder / "schema.toml").write_text(schema.to_toml())
    write_records(records, schema, path)
    again = read(path, read_schema(folder / "schema.toml")).records
    assert held(again) == held(records)


@pytest.mark.parametrize(
    ("text", "schema", "columns"),
    [
        ("user,item\n" + "".join(f"{u},tea\n{u},milk\n" for u in range(6)), {"kind": "sets"}, ["user", "item"]),
        (
            "name,tea,milk\n" + "".join(f"{u},1,1\n" for u in range(6)),
            {"kind": "sets", "layout": "wide", "id": ["name"]},
            ["name", "tea", "milk"],
        ),
        ("tea milk\n" * 6, {"kind": "sets", "layout": "baskets"}, ["user", "item"]),
    ],
    ids=["long", "wide", "baskets"],
)
def test_a_release_of_sets_has_the_layout_of_its_source_and_is_verified(tmp_path, text, schema, columns):
    (tmp_path / "schema.toml").write_text(RatingsSchema(**schema).to_toml())
    data, said = str(file_of(tmp_path, text)), str(tmp_path / "schema.toml")
    plan = Plan.of(data=data, schema=said, models=["km-anonymity:k=5,m=2"], out=str(tmp_path / "release"))
    shoal.publish(plan)
    assert shoal.verify(tmp_path / "release").holds
    assert pl.read_csv(tmp_path / "release/data.csv").columns == columns
    certificate = json.loads((tmp_path / "release/certificate.json").read_text())
    assert certificate["method"] == "item-suppression"
    assert list(held(read(tmp_path / "release").records).values()) == [{"tea", "milk"}] * 6
