"""``shoal measure``: of one release, of several, and drawn."""

import json
import sys
from pathlib import Path

import pytest

from cli.files import write_survey, write_table
from shoal.utility import MEASURES, QUICK


@pytest.fixture
def pair(run, tmp_path: Path) -> tuple[Path, Path]:
    """A survey published as it is, and its ledger."""
    return publish(run, tmp_path, "k-epsilon:k=2,epsilon=1", "one")


def publish(run, folder: Path, promise: str, name: str) -> tuple[Path, Path]:
    data, schema = write_survey(folder)
    out, ledger = folder / name, folder / f"{name}-ledger"
    asked = ("-m", promise, "--method", "none", "--out", out, "--ledger", ledger, "--seed", "1")
    assert run("publish", data, "--schema", schema, *asked).status == 0
    return out, ledger


def test_without_all_only_the_quick_ones_are_computed(run, pair) -> None:
    published = json.loads(run("measure", pair[0], "--ledger", pair[1], "--json").out)
    of_tables = [name for name, reason in published["not_measured"].items() if reason == "Defined on tables only."]
    assert len(of_tables) == len(published["not_measured"]) == 6
    others = [measure.name for measure in QUICK if measure.name not in of_tables and not measure.of_samples]
    assert list(published["measures"]) == others
    assert published["measures"]["distortion"] == 0
    assert published["measures"] == json.loads((pair[1] / "report.json").read_text(encoding="utf-8"))


def test_with_all_every_measure_is_a_number_or_has_a_reason(run, pair) -> None:
    published = json.loads(run("measure", pair[0], "--ledger", pair[1], "--all", "--json").out)
    without_weights = {name for name, measure in MEASURES.items() if not measure.of_samples}
    assert published["measures"].keys() | published["not_measured"].keys() == without_weights
    measures = published["measures"]
    assert measures["average query error"] == measures["cluster membership change"] == 0
    assert measures["naive Bayes accuracy"] == measures["naive Bayes accuracy before"] > 0
    assert measures["clustering coefficient"] == pytest.approx(measures["clustering coefficient before"], rel=1e-12)
    assert measures["clustering coefficient"] > 0


def test_the_table_has_units_and_says_what_is_left_out(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    out, ledger = tmp_path / "release", tmp_path / "ledger"
    run("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--out", out, "--ledger", ledger)
    ran = run("measure", out, "--ledger", ledger, "--all")
    assert ran.status == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0].split() == ["measure", "value", "unit"]
    assert any(line.startswith("median query error") and line.endswith("share of the actual answer") for line in lines)
    left_out = [line for line in lines if line.startswith("not measured: ")]
    assert left_out[0].startswith("not measured: cost, ratings kept, ratings covered, rating loss, centroid shift, ")
    assert left_out[0].endswith(", link confidence. Defined on ratings only.")


def test_a_table_is_measured_from_its_ledger_as_when_it_was_published(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    out, ledger = tmp_path / "release", tmp_path / "ledger"
    run("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--out", out, "--ledger", ledger)
    published = json.loads(run("measure", out, "--ledger", ledger, "--json").out)["measures"]
    assert published == json.loads((ledger / "report.json").read_text(encoding="utf-8"))
    assert published["normalized average group size"] == published["average group size"] / 5 >= 1
    assert 0 < published["precision"] < 1


def test_the_column_to_be_predicted_can_be_named(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path, rows=300)
    out, ledger = tmp_path / "release", tmp_path / "ledger"
    run("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--out", out, "--ledger", ledger)
    asked = ("measure", out, "--ledger", ledger, "--all", "--json")
    usual, named, other = (
        json.loads(run(*asked, *column).out)["measures"]["naive Bayes accuracy before"]
        for column in ((), ("--predict", "disease"), ("--predict", "zip"))
    )
    assert usual == named != other
    for column, why in (("shoe", "no column"), ("record", "names people")):
        ran = run(*asked, "--predict", column)
        assert ran.status == 2
        assert why in ran.err


def test_what_is_useful_can_be_said(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    out, ledger = tmp_path / "release", tmp_path / "ledger"
    run("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--out", out, "--ledger", ledger)
    asked = ("measure", out, "--ledger", ledger, "--all", "--json")
    alike, age, zips, both = (
        json.loads(run(*asked, *useful).out)["measures"]["weighted discernability"]
        for useful in ((), ("--useful", "age:1"), ("--useful", "zip:0.5"), ("--useful", "age:1;zip:0.5"))
    )
    assert age != zips
    assert alike != both == pytest.approx((age + zips / 2) / 1.5)
    for useful, why in (("shoe:1", "no quasi-identifier"), ("age", "priorities such as"), ("age:2", "at most 1")):
        ran = run(*asked, "--useful", useful)
        assert ran.status == 2
        assert why in ran.err


def test_of_ratings_no_column_can_be_useful(run, pair) -> None:
    ran = run("measure", pair[0], "--ledger", pair[1], "--all", "--useful", "q1:1")
    assert ran.status == 2
    assert "of a table" in ran.err


def test_the_item_to_be_predicted_can_be_named(run, pair) -> None:
    asked = ("measure", pair[0], "--ledger", pair[1], "--all", "--json")
    found = {
        item: json.loads(run(*asked, "--predict", item).out)["measures"]["naive Bayes accuracy before"]
        for item in ("q1", "q2", "income")
    }
    usual = json.loads(run(*asked).out)["measures"]["naive Bayes accuracy before"]
    assert usual == found["income"]
    assert len(set(found.values())) > 1
    ran = run(*asked, "--predict", "q99")
    assert ran.status == 2
    assert "no item 'q99'" in ran.err


def test_queries_and_trials_are_settings(run, pair) -> None:
    asked = ("measure", pair[0], "--ledger", pair[1], "--all")
    for settings in (("--queries", "width=1,selectivity=0.5,count=3"), ("--prediction", "trials=2,records=30")):
        assert run(*asked, "--json", *settings).status == 0
    usual, other = (
        json.loads(run(*asked, "--json", *settings).out)["measures"]["naive Bayes accuracy"]
        for settings in ((), ("--prediction", "trials=2,records=30,training=1/2,features=1"))
    )
    assert usual != other
    for settings, why in (
        (("--queries", "wide=2"), "It knows: width, selectivity, count"),
        (("--queries", "width=0"), "width must be at least 1"),
        (("--queries", "selectivity=10%"), "must be a number"),
        (("--prediction", "trials=none"), "must be a whole number"),
        (("--prediction", "target=q1"), "Write --predict NAME"),
    ):
        ran = run(*asked, *settings)
        assert ran.status == 2
        assert why in ran.err


def test_classifiers_are_tested_on_another_release(run, pair, tmp_path: Path) -> None:
    """Tested on the same records, published again, and on records of the opposite."""
    again = publish(run, tmp_path, "k-epsilon:k=2,epsilon=2", "two")
    asked = ("measure", pair[0], "--ledger", pair[1], "--all", "--json")
    ran = run(*asked, "--test-on", again[0], "--test-ledger", again[1])
    assert ran.status == 0, ran.err
    tested, held_out = (json.loads(out)["measures"] for out in (ran.out, run(*asked).out))
    differing = {name for name in tested if tested[name] != held_out[name]}
    assert {"decision tree accuracy", "decision tree accuracy before"} <= differing
    assert all("accuracy" in name for name in differing)
    for wrong, why in (
        (("--test-on", again[0]), "needs its ledger"),
        (("--test-on", again[0], "--test-ledger", again[1], "--prediction", "training=1/2"), "all of its records"),
        (("--test-on", pair[0], "--test-ledger", pair[1]), "cannot be tested on itself"),
    ):
        ran = run(*asked, *wrong)
        assert ran.status == 2
        assert why in ran.err
    data, schema = write_table(tmp_path)
    run(
        "publish",
        data,
        "--schema",
        schema,
        "-m",
        "k-anonymity:k=5",
        "--out",
        tmp_path / "t",
        "--ledger",
        tmp_path / "l",
    )
    ran = run(*asked, "--test-on", tmp_path / "t", "--test-ledger", tmp_path / "l")
    assert ran.status == 2
    assert "tested on a table" in ran.err


def test_a_seed_decides_the_chance_and_the_default_is_fixed(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    out, ledger = tmp_path / "release", tmp_path / "ledger"
    run("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--out", out, "--ledger", ledger)
    asked = ("measure", out, "--ledger", ledger, "--all", "--json")
    first, again, zero, other = (run(*asked, *seed).out for seed in ((), (), ("--seed", 0), ("--seed", 7)))
    assert first == again == zero != other


def test_several_releases_stand_side_by_side_and_are_drawn(run, tmp_path: Path) -> None:
    pairs = [publish(run, tmp_path, f"k-epsilon:k=2,epsilon={epsilon}", f"e{epsilon}") for epsilon in (1, 2)]
    folders = [str(out) for out, _ in pairs]
    ledgers = [word for _, ledger in pairs for word in ("--ledger", ledger)]
    ran = run("measure", *folders, *ledgers, "--all", "--plot", tmp_path / "plots", "--json")
    assert ran.status == 0, ran.err
    published = json.loads(ran.out)
    assert [(each["release"], each["method"], each["k"], each["epsilon"]) for each in published["releases"]] == [
        (folders[0], "none", 2, 1.0),
        (folders[1], "none", 2, 2.0),
    ]
    assert all(each["measures"]["distortion"] == 0 for each in published["releases"])
    assert str(tmp_path / "plots" / "average-query-error.svg") in published["plots"]
    assert all(Path(file).is_file() for file in published["plots"])
    head = run("measure", *folders, *ledgers).out.splitlines()[0]
    assert head.split() == ["measure", *folders, "unit"]


def test_one_release_can_be_drawn_too(run, pair, tmp_path: Path) -> None:
    published = json.loads(run("measure", pair[0], "--ledger", pair[1], "--plot", tmp_path / "plots", "--json").out)
    assert {"measures", "plots"} <= published.keys()
    assert (tmp_path / "plots" / "cells-changed.svg").is_file()


def test_every_release_needs_its_ledger(run, pair) -> None:
    ran = run("measure", pair[0], pair[1], "--ledger", pair[1])
    assert ran.status == 2
    assert "2 releases and 1 ledgers" in ran.err
    assert run("measure", pair[0], pair[0], "--ledger", pair[1], "--ledger", pair[1]).status == 2
    assert run("measure", "--ledger", pair[1]).status == 2


def test_without_matplotlib_drawing_exits_4_and_measuring_does_not(run, pair, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    ran = run("measure", pair[0], "--ledger", pair[1], "--plot", tmp_path / "plots")
    assert ran.status == 4
    assert "shoal[plots]" in ran.err
    assert run("measure", pair[0], "--ledger", pair[1]).status == 0


def test_a_promise_without_k_cannot_be_drawn_against_k(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    out, ledger = tmp_path / "release", tmp_path / "ledger"
    run("publish", data, "--schema", schema, "-m", "l-diversity:l=2", "--out", out, "--ledger", ledger)
    ran = run("measure", out, "--ledger", ledger, "--plot", tmp_path / "plots")
    assert ran.status == 2
    assert "promises no k" in ran.err
