"""``shoal lookup`` tells a person what a release says of them, and nobody else anything."""

import json
from pathlib import Path

from cli.files import write_survey, write_table


def released(run, tmp_path: Path) -> Path:
    data, schema = write_survey(tmp_path)
    promise = "k-epsilon:k=2,epsilon=1"
    ran = run("publish", data, "--schema", schema, "-m", promise, "--method", "none", "--out", tmp_path / "release")
    assert ran.status == 0, ran.err
    return tmp_path / "release"


def test_somebody_is_told_how_many_fit_and_what_they_say(run, tmp_path: Path) -> None:
    release, me = released(run, tmp_path), tmp_path / "me.csv"
    me.write_text("item,rating\nq1,1\nq2,1\nincome,3\nshoe size,5\n", encoding="utf-8")
    ran = run("lookup", release, "--me", me, "--tolerance", "4")
    assert ran.status == 0, ran.err
    assert "Compared: 2 of the 4 items that you name.\n" in ran.out
    told = ran.out.index("Not in the release, and not compared: 1 of the 4 items that you name.")
    assert told < ran.out.index("fit what you say"), "what may be mistyped is told before anything is claimed"
    assert "Not compared, since others are not assumed to know it: 1.\n" in ran.out
    assert "Within 0 of your ratings: 2 records fit what you say." in ran.out
    assert "Within 4 of your ratings: 40 records fit what you say." in ran.out
    assert "income  of these  of all" in ran.out
    assert "1          50.0%   20.0%" in ran.out
    assert "Your record may be one of these." in ran.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["me.csv", "release", "survey.csv", "survey.toml"]


def test_the_same_as_json(run, tmp_path: Path) -> None:
    release, me = released(run, tmp_path), tmp_path / "me.csv"
    me.write_text("item,rating\nq1,1\nq2,1\n", encoding="utf-8")
    published = json.loads(run("lookup", release, "--me", me, "--json").out)
    assert (published["fits"][0]["tolerance"], published["fits"][0]["records"]) == (0.0, 2)
    assert published["fits"][0]["sensitive"][0]["largest_share"] == 0.5
    assert published["k"] == 2


def test_a_table_is_read_by_its_labels(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    release, me = tmp_path / "release", tmp_path / "me.csv"
    ran = run("publish", data, "--schema", schema, "-m", "k-anonymity:k=4", "--method", "mondrian", "--out", release)
    assert ran.status == 0, ran.err
    me.write_text("age,zip,name\n20,4350,Person-0000\n", encoding="utf-8")
    ran = run("lookup", release, "--me", me)
    assert ran.status == 0, ran.err
    assert "Compared: 2 of the 3 columns that you name." in ran.out
    published = json.loads(run("lookup", release, "--me", me, "--schema", schema, "--json").out)
    assert published["fits"][0]["records"] >= 4


def test_what_follows_from_the_records_that_fit_is_said_as_it_is(run, tmp_path: Path) -> None:
    """Not below records that fit that none does; and where none does, that the person's own is not there."""
    data, schema = write_table(tmp_path)
    release, me = tmp_path / "release", tmp_path / "me.csv"
    ran = run("publish", data, "--schema", schema, "-m", "k-anonymity:k=4", "--method", "mondrian", "--out", release)
    assert ran.status == 0, ran.err
    me.write_text("age,zip\n20,4350\n", encoding="utf-8")
    there = run("lookup", release, "--me", me, "--schema", schema).out
    assert "Your record may be one of these." in there
    assert "No record fits" not in there
    me.write_text("age,zip\n99,4350\n", encoding="utf-8")
    absent = run("lookup", release, "--me", me, "--schema", schema).out
    assert "\n0 records fit what you say." in absent
    assert "your value of: age. Check how it is written." in absent
    assert "No record fits. If you wrote everything right, yours is not in the release" in absent
    assert "one of these" not in absent


def test_means_are_nobodys_own(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    release, me = tmp_path / "release", tmp_path / "me.csv"
    method = "microaggregation:passes=0"
    ran = run("publish", data, "--schema", schema, "-m", "k-anonymity:k=4", "--method", method, "--out", release)
    assert ran.status == 0, ran.err
    me.write_text("age,zip\n20,4350\n", encoding="utf-8")
    ran = run("lookup", release, "--me", me)
    assert ran.status == 0, ran.err
    assert "what fits does not show whether you are in the release" in ran.out
    assert "yours is not in the release" not in ran.out
    assert json.loads(run("lookup", release, "--me", me, "--json").out)["of_middles"]


def test_a_fault_is_one_sentence_without_what_was_written(run, tmp_path: Path) -> None:
    release, me = released(run, tmp_path), tmp_path / "me.csv"
    me.write_text("item,rating\nq1,Xylophone\n", encoding="utf-8")
    ran = run("lookup", release, "--me", me)
    assert (ran.status, ran.out) == (2, "")
    assert "One of your ratings is not on the scale of the release" in ran.err
    assert "Xylophone" not in ran.err
    assert run("lookup", tmp_path, "--me", me).status == 2
    assert run("lookup", release).status == 2
