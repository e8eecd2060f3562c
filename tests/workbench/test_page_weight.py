"""Pages stay light whatever the data are: many columns, long values, many items, people with much to say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.workbench.page_weight import cut_to_fit, escaped_bytes, leading
from workbench.conftest import Visitor

HEAVIEST = 100_000
PROMISE = "model=k-anonymity%3Ak%3D3"


@pytest.fixture(scope="module")
def wide(live, tmp_path_factory) -> str:
    """Return a table of 90 columns with long names, whose values are long and need escaping."""
    names = ["name", "age", *(f"what was said of & answered to number {i:02} at length" for i in range(88))]
    rows = [[f"p{i}", str(i % 4), *('"<&>"' * 22 + f"{(i + j) % 3}" for j in range(88))] for i in range(120)]
    file = tmp_path_factory.mktemp("wide") / "wide.csv"
    quoted = [[f'"{each.replace(chr(34), chr(34) * 2)}"' for each in row] for row in (names, *rows)]
    file.write_text("\n".join(",".join(row) for row in quoted) + "\n", encoding="utf-8")
    roles = ["identifier", "quasi-identifier", *(["insensitive"] * 87), "sensitive"]
    columns = {name: {"role": role} for name, role in zip(names, roles, strict=True)}
    with live.client("ada") as ada:
        return ada.upload(file, {"kind": "table", "columns": columns})["id"]


@pytest.fixture(scope="module")
def long(live, tmp_path_factory) -> str:
    """Return ratings of 700 items with names of 60 letters."""
    file = tmp_path_factory.mktemp("long") / "long.csv"
    lines = [
        f"u{user},{'a film of which much was said at the time, '[:50]}{item:010},{1 + (user + item) % 5}"
        for user in range(60)
        for item in range(user % 7, 700, 7)
    ]
    file.write_text("user,item,rating\n" + "\n".join(lines).replace("at the time, ", "at the time ") + "\n")
    with live.client("ada") as ada:
        return ada.upload(file, {"kind": "ratings", "scale": [1, 5]})["id"]


@pytest.mark.parametrize("data", ["wide", "long"])
def test_no_page_weighs_100_kb(data, request, live, visitor) -> None:
    dataset, ada = request.getfixturevalue(data), visitor("ada")
    address = f"/data/{dataset}"
    ada.finished(f"{address}/look")
    pages = ["look", "rows", "columns", "risk", f"promise?{PROMISE}&method=mondrian", f"explore?{PROMISE}"]
    for each in (*pages, f"publish?{PROMISE}"):
        _refuse_heavy(ada, f"{address}/{each}")
    settings = {"method": "mondrian", "accept": _insensitive(live, dataset)} if data == "wide" else {}
    with live.client("ada") as client:
        job = client.run("publish", dataset=dataset, models=["k-anonymity:k=3"], **settings)
    release = job["result"]["release"]
    _computed(ada, f"/releases/{release}/use", "columns", "measure")
    for each in ("proof", "use", "report"):
        _refuse_heavy(ada, f"/releases/{release}/{each}")
    for each in ("/", "/jobs", f"/lookup?release={release}", f"/compare?a={release}&b={release}"):
        _refuse_heavy(ada, each)


def _insensitive(live, dataset: str) -> list[str]:
    with live.client("ada") as client:
        columns = client.schema(dataset)["columns"]
    return [name for name, each in columns.items() if each["role"] == "insensitive"]


def _computed(ada: Visitor, address: str, *what: str) -> None:
    for each in what:
        ada.post(address, {"do": each})
    ada.finished(address)


def _refuse_heavy(ada: Visitor, address: str) -> None:
    weight = len(ada.get(address).encode())
    assert weight < HEAVIEST, f"{address} has {weight:,} bytes"


def test_every_column_of_a_record_can_be_reached(wide, visitor) -> None:
    page = visitor("ada").get(f"/data/{wide}/rows?at=51&column=85")
    assert "Columns 81 to 90 of 90" in page
    assert "number 87 at length" in page
    assert "Records 51 to 100 of 120" in page
    assert "Columns to the right" not in page
    assert f"?at=51&column={81 - 20}" in page


def test_an_item_that_is_not_listed_can_be_written(long, live, visitor) -> None:
    ada = visitor("ada")
    with live.client("ada") as client:
        job = client.run("publish", dataset=long, models=["k-anonymity:k=3"])
    there = f"/releases/{job['result']['release']}/use"
    _computed(ada, there, "columns")
    page = ada.get(there)
    last = "a film of which much was said at the time 0000000699"
    assert 'list="names"' in page
    assert last not in page
    asked = f"{there}?column={last.replace(' ', '+')}"
    _computed(ada, asked, "columns")
    assert f"<strong>{last}</strong>" in ada.get(asked)


def test_a_column_that_is_not_listed_can_be_accepted(wide, visitor) -> None:
    there, last = f"/data/{wide}/promise?{PROMISE}", "what was said of &amp; answered to number 86 at length"
    assert last not in visitor("ada").get(there)
    asked = f"{there}&accept=what+was+said+of+%26+answered+to+number+86+at+length"
    assert f'value="{last}" checked' in visitor("ada").get(asked)


@given(st.lists(st.lists(st.none() | st.text(max_size=300), max_size=5), max_size=5), st.integers(0, 5000))
def test_fields_are_cut_no_more_than_they_must_be(rows, most) -> None:
    made = cut_to_fit(rows, most)

    def weight(fields):
        return sum(escaped_bytes(each) for row in fields for each in row if each is not None)

    longest = max((len(each) for row in made for each in row if each is not None), default=0)
    assert [[each is None for each in row] for row in made] == [[each is None for each in row] for row in rows]
    assert longest <= 200
    assert weight(made) <= most or longest <= 8
    for row, kept in zip(rows, made, strict=True):
        for before, after in zip(row, kept, strict=True):
            cut = before is not None and after is not None and after.endswith("…") and before.startswith(after[:-1])
            assert before == after or cut
    short = [[None if each is None else each[:200] for each in row] for row in rows]
    if weight(short) <= most and all(each is None or len(each) <= 200 for row in rows for each in row):
        assert made == rows


@given(st.lists(st.integers(1, 50)), st.integers(0, 200))
def test_as_many_as_there_is_room_for_are_led_by_the_first(weights, most) -> None:
    found = leading(weights, most, lambda each: each)
    assert found == weights[: len(found)]
    assert len(found) == max(min(len(weights), 1), sum(sum(weights[: i + 1]) <= most for i in range(len(weights))))
