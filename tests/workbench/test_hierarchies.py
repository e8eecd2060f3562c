"""Hierarchies of columns: suggested, taken, edited as text, checked and drawn."""

import re
import tomllib
from html import unescape
from urllib.parse import quote

import pytest

from server_under_test import PEOPLE, write_people
from shoal.workbench.tree import tree_of
from workbench.conftest import Visitor, words_of

TOWNS = "Ulm;south;*\nBonn;west;*\n"


@pytest.fixture(scope="module")
def table(visitor, live, tmp_path_factory) -> tuple[Visitor, str]:
    """Return somebody with a table whose columns have roles."""
    with live.client("ada") as client:
        dataset = client.upload(write_people(tmp_path_factory.mktemp("people")), PEOPLE)["id"]
    return visitor("ada"), dataset


def address(dataset: str, column: str) -> str:
    """Return where the hierarchy of a column is edited."""
    return f"/data/{dataset}/columns/hierarchy?column={quote(column)}"


def schema_of(who: Visitor, dataset: str) -> dict:
    """Return the schema as it is downloaded."""
    return tomllib.loads(who.get(f"/data/{dataset}/schema.toml"))


def test_the_hierarchy_of_the_schema_is_drawn(table) -> None:
    who, dataset = table
    page = who.finished(address(dataset, "age"))
    words = words_of(page)
    assert "Built by Shoal: interval, widths 10, 20" in words
    assert '<ul class="tree">' in page
    assert "120 records" in words
    assert "--column age" in words


def test_one_is_suggested_and_taken(table) -> None:
    who, dataset = table
    here = address(dataset, "age")
    who.post(here, {"do": "suggest", "kind": "interval", "sizes": "5, 20"})
    page = who.finished(f"{here}&kind=interval&sizes=5%2C+20")
    assert "Suggested: interval" in words_of(page)
    assert "How coarse each level is" in words_of(page)
    assert "--widths 5,20" in words_of(page)
    who.post(here, {"do": "take", "kind": "interval", "sizes": "5, 20"})
    assert schema_of(who, dataset)["columns"]["age"]["hierarchy"] == {"kind": "interval", "widths": [5, 20]}
    # the suggestion as text, to be edited in place; it is kept until it is saved or forgotten
    who.post(here, {"do": "suggest", "kind": "quantile", "sizes": "4 2"})
    who.finished(f"{here}&kind=quantile&sizes=4+2")
    page = who.post(here, {"do": "edit", "kind": "quantile", "sizes": "4 2"})
    text = re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)
    assert text is not None
    assert text[1].count("\n") >= 39, "a line a value"
    assert "Forget what is not saved" in who.get(here)
    assert "Forget what is not saved" not in who.post(here, {"do": "reset"})


def test_one_that_shoal_builds_is_edited_in_place(table) -> None:
    who, dataset = table
    here = address(dataset, "age")
    before = schema_of(who, dataset)["columns"]["age"]["hierarchy"]
    page = who.finished(here)
    found = re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)
    assert found is not None
    lines = [line.split(";") for line in unescape(found[1]).splitlines() if line]
    assert sorted(int(line[0]) for line in lines) == list(range(40)), "every age that occurs has its line"
    assert all(line[-1] == "*" for line in lines)
    width = before["widths"][0]
    lows = {line[1]: int(line[0]) // width * width for line in lines}
    assert lows == {f"[{low}, {low + width})": low for low in range(0, 40, width)}
    changed = unescape(found[1]).replace(f"[0, {width})", "young")
    who.post(here, {"do": "save", "text": changed})
    assert "young" in words_of(who.finished(here))
    assert schema_of(who, dataset)["columns"]["age"]["hierarchy"].startswith("age-")
    who.post(f"/data/{dataset}/columns", {"do": "undo"})
    assert schema_of(who, dataset)["columns"]["age"]["hierarchy"] == before


def test_a_text_is_checked_and_saved_as_a_file_of_the_data_set(table) -> None:
    who, dataset = table
    here = address(dataset, "town")
    assert "None: the values are published as they are" in words_of(who.finished(here))
    who.post(here, {"do": "check", "text": "Ulm;south;*\n"})
    page = who.finished(here)
    assert "Not a hierarchy of this column yet" in words_of(page)
    assert "that are not listed: 1 of 2" in words_of(page)
    assert "Ulm;south;*" in page, "what was written is kept"
    who.post(here, {"do": "save", "text": "Ulm;south;*\nBonn;west\n"})
    assert "Not a hierarchy of this column yet" in words_of(who.finished(here))
    assert "hierarchy" not in schema_of(who, dataset)["columns"]["town"], "a faulty one is not saved"
    who.post(here, {"do": "save", "text": TOWNS.replace("\n", "\r\n")})
    words = words_of(who.finished(here))
    name = schema_of(who, dataset)["columns"]["town"]["hierarchy"]
    assert name in words
    assert "south (1 value, 80 records)" in words
    assert who.get(f"/data/{dataset}/columns/hierarchy.csv?column=town") == TOWNS.strip()
    # another text has another file, so that the schema before stays true
    who.post(here, {"do": "save", "text": TOWNS.replace("south", "east")})
    who.finished(here)
    who.post(f"/data/{dataset}/columns", {"do": "undo"})
    assert "south (1 value, 80 records)" in words_of(who.finished(here))
    who.post(here, {"do": "remove"})
    assert "hierarchy" not in schema_of(who, dataset)["columns"]["town"]


def test_wrong_inputs(table) -> None:
    who, dataset = table
    here = address(dataset, "age")
    for fields, status, says in (
        ({"do": "suggest", "kind": "zoo"}, 400, "no such kind"),
        ({"do": "suggest", "kind": "interval", "sizes": "wide"}, 400, "sizes are not numbers"),
        ({"do": "suggest", "kind": "mask", "sizes": "5"}, 400, "has no sizes"),
        ({"do": "edit", "kind": "mask"}, 400, "Nothing was suggested yet"),
        ({"do": "nothing"}, 400, "not said what to do"),
    ):
        page = who.post(here, fields, status=status)
        assert says in words_of(page), fields
    assert 'value="wide"' in who.post(here, {"do": "suggest", "kind": "interval", "sizes": "wide"}, status=400)
    who.get(address(dataset, "nobody"), status=404)
    who.post(address(dataset, "nobody"), {"do": "remove"}, status=404)
    who.get(f"/data/{dataset}/columns/hierarchy.csv?column=disease", status=404)
    who.post(here, {"do": "suggest", "kind": "interval", "sizes": "5, 4"})
    assert "Nothing could be suggested" in words_of(who.finished(f"{here}&kind=interval&sizes=5%2C+4"))


def test_lines_become_a_tree() -> None:
    lines = ["*  (3 values)", "├── a  (2 values)", "│   ├── 1", "│   └──     2", "└── b", "    └── │   3"]
    root = tree_of(lines)
    assert root is not None
    assert [each.label for each in root.below] == ["a  (2 values)", "b"]
    assert [each.label for each in root.below[0].below] == ["1", "    2"]
    assert [each.label for each in root.below[1].below] == ["│   3"]
    assert tree_of([]) is None
