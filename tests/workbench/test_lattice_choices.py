"""Nodes of the lattice are choices: each that keeps the promises is taken by a link, others have none."""

import csv
import re
from collections import Counter
from html import unescape

import pytest

from shoal.workbench.choices import Choices
from shoal.workbench.lattice_choices import LatticeChoices
from workbench_data import add_data

CHOSEN = Choices(("k-anonymity:k=4",))


def _result(n: int, names: tuple[str, ...] = ("age", "zip")) -> dict:
    found = [
        {
            "node": [i, 0],
            "keeps": i < n - 1,
            "withheld": i,
            "groups": 9,
            "loss": i / n if i < n - 1 else None,
            "method": f"lattice:levels=age:{i};zip:0" if i < n - 1 else None,
        }
        for i in range(n)
    ]
    return {
        "attributes": list(names),
        "heights": [n, 1],
        "loss": "loss-mean",
        "looked_at": n + 5,
        "best": {"node": [0, 0]},
        "found": found,
    }


def test_only_nodes_that_keep_the_promises_can_be_taken() -> None:
    nodes = LatticeChoices.of(_result(4), CHOSEN, "/promise")
    assert nodes.picture is not None
    assert [bool(each.take) for each in nodes.nodes] == [True, True, True, False]
    assert nodes.nodes[1].told == "Take levels age 1, zip 0: loss-mean 0.25, 1 record withheld"
    assert nodes.nodes[3].told == "Levels age 3, zip 0: does not keep the promises"
    drawn = str(nodes.picture.chart)
    assert drawn.count("<a href=") == 3
    assert drawn.count("<title>") == 4
    assert 'role="group"' in drawn
    assert nodes.heads == ("age (0–4)", "zip (0–1)")


def test_a_large_lattice_does_not_make_a_heavy_page() -> None:
    nodes = LatticeChoices.of(_result(300, ("a" * 400, "<&>" * 100)), CHOSEN, "/promise")
    assert nodes.picture is not None
    assert len(str(nodes.picture.chart).encode()) < 50_000
    assert (len(nodes.nodes), nodes.more) == (20, 285)


@pytest.mark.parametrize("is_best", [True, False])
def test_a_node_is_taken_and_published(live, visitor, is_best) -> None:
    dataset, ada = add_data(live, "table"), visitor("ada")
    there = f"/data/{dataset}/explore?model=k-anonymity%3Ak%3D4"
    ada.finished(there)
    ada.post(there, {"do": "lattice"})
    page = ada.finished(there)
    found = re.findall(r'<a href="(/data/[^"]+/promise[^"]+)" aria-label="Take levels ([^"]+)"', page)
    in_table = found[len(found) // 2 :]
    taken = {told: unescape(address).partition("#")[0] for address, told in in_table}
    assert sorted(found[: len(found) // 2]) == sorted(in_table)  # each in the picture and in the table
    told = list(taken)[0 if is_best else 1]
    levels = dict(re.findall(r"(\w+) (\d)", told.partition(":")[0]))
    assert ";".join(f"{name}:{level}" for name, level in levels.items()) in ada.get(taken[told])
    publish = taken[told].replace("/promise", "/publish")
    ada.post(publish)
    release = re.search(r"/releases/([0-9a-f]{24})/proof", ada.finished(publish))
    assert release is not None
    with (live.service.release_folder(release[1]) / "release" / "data.csv").open(newline="") as file:
        rows = [(row["age"], row["town"]) for row in csv.DictReader(file)]
    assert min(Counter(rows).values()) >= 4
    assert {age == "*" for age, _ in rows} == {levels["age"] == "3"}
    assert {town == "*" for _, town in rows} == {levels["town"] == "1"}


def test_levels_that_break_the_promise_are_refused_with_the_cure(live, visitor) -> None:
    dataset, ada = add_data(live, "table"), visitor("ada")
    publish = f"/data/{dataset}/publish?model=k-anonymity%3Ak%3D4&method=lattice%3Alevels%3Dage%3A0%3Btown%3A0"
    ada.finished(publish)
    ada.post(publish)
    page = ada.finished(publish)
    assert "levels that were chosen do not keep the promises" in page
    assert "Nothing was published" in page
