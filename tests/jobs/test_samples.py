"""What is said of a sample: describe, explain and lookup."""

import math
from pathlib import Path

import polars as pl

import shoal
from tests.io.tables.test_sample_columns import published, sample, schema
from tests.sample_oracle import sample_risks


def test_a_sample_is_described_by_its_risk(tmp_path: Path) -> None:
    facts = shoal.describe(sample(tmp_path), schema()).facts["sample_risk"]
    frame = pl.read_csv(tmp_path / "sample.csv")
    risks = sample_risks(list(frame.select("age", "region").iter_rows()), frame["wgt"].to_list())
    assert math.isclose(facts["mean"], sum(risks) / 60)
    assert math.isclose(facts["largest"], max(risks))
    assert math.isclose(facts["expected_people_found"], sum(risks))
    assert facts["estimated_population"] == frame["wgt"].sum()


def test_the_explanation_has_the_individual_risk_of_each_record(tmp_path: Path) -> None:
    file = tmp_path / "who.csv"
    for force in (False, True):
        shoal.check(sample(tmp_path), ["k-anonymity:k=8"], schema(), explain=file, force=force)
    written, frame = pl.read_csv(file), pl.read_csv(tmp_path / "sample.csv")
    risks = sample_risks(list(frame.select("age", "region").iter_rows()), frame["wgt"].to_list())
    assert 0 < len(written) < 60
    for record, risk in written.select("record", "sample_risk").iter_rows():
        assert math.isclose(risk, risks[record - 1])


def test_a_person_is_looked_up_by_stratum_too(tmp_path: Path) -> None:
    published(shoal.read(sample(tmp_path), schema()), tmp_path)
    me = tmp_path / "me.csv"
    me.write_text("age,region,wgt\n21,north,2.5\n")
    found = shoal.lookup(tmp_path / "out", me)
    assert (found.named, found.compared, found.absent) == (3, 2, 1)
    everywhere = tmp_path / "everywhere.csv"
    everywhere.write_text("age\n21\n")
    assert found.fits[0].records < shoal.lookup(tmp_path / "out", everywhere).fits[0].records


def test_a_survey_with_weights_is_measured_by_them_and_says_what_it_is_a_sample_of(tmp_path: Path) -> None:
    path = tmp_path / "survey.csv"
    people = [(f"p{row}", 20 + row % 7, 5 + row * row % 11, 1 + row % 3, 1 + row % 2) for row in range(40)]
    path.write_text("who,age,wgt,q1,q2\n" + "".join(",".join(map(str, each)) + "\n" for each in people))
    roles = {"age": {"role": "quasi-identifier"}, "wgt": {"role": "weight"}}
    layout = {"kind": "ratings", "layout": "wide", "scale": [1, 3], "id": ["who"], "columns": roles}
    assert any("a sample of about" in note for note in shoal.read(path, layout).notes)
    asked = {"models": ["k-anonymity:k=4"], "out": tmp_path / "out", "ledger": tmp_path / "l"}
    shoal.publish(shoal.read(path, layout), **asked)
    assert "wgt" not in (tmp_path / "out" / "data.csv").read_text().splitlines()[0]
    values = shoal.measure(tmp_path / "out", tmp_path / "l", everything=True).measures
    for name in ("attribute distribution distance", "mean shift", "average query error"):
        assert f"demographics: weighted {name}" in values
        assert f"answers: weighted {name}" not in values
