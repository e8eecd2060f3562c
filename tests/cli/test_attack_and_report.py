"""``shoal attack`` and ``shoal report``: on raw data, on releases, and what they refuse."""

import json
import stat
from pathlib import Path

import pytest

from cli.files import write_survey, write_table
from shoal.attacks import attacks

OUTSIDE = ("-a", "linkability:control=outside", "--outside")


@pytest.fixture
def pair(run, tmp_path: Path) -> tuple[Path, Path]:
    return published(run, tmp_path, "release", 1)


def published(run, folder: Path, name: str, seed: int, k: int = 2, method: str = "mondrian") -> tuple[Path, Path]:
    data, schema = write_table(folder)
    release, ledger = folder / name, folder / f"{name}-ledger"
    asked = ("-m", f"k-anonymity:k={k}", "--method", method, "--seed", seed)
    assert run("publish", data, "--schema", schema, *asked, "--out", release, "--ledger", ledger).status == 0
    return release, ledger


def test_every_usual_attack_is_run_or_has_a_reason(run, pair) -> None:
    told = json.loads(run("attack", pair[0], "--ledger", pair[1], "--json").out)
    tried = {each["attack"].partition(":")[0] for each in told["attacks"]}
    untried = {wording.partition(":")[0] for wording in told["not_run"]}
    assert tried
    assert tried | untried == {family.name for family in attacks}
    for each in told["attacks"]:
        assert each["interval"][0] <= each["main"] <= each["interval"][1]
        assert each.keys() >= {"attack", "main", "baseline", "control", "interval", "targets"}
        assert each["risk_interval"][0] <= each["risk"] <= each["risk_interval"][1]
        if each["control"] < 1:
            expected = (each["main"] - each["control"]) / (1 - each["control"])
            assert each["risk"] == pytest.approx(max(expected, 0), abs=1e-12)


def test_the_report_of_a_table_tells_what_was_tried_for_linkability(run, pair, tmp_path) -> None:
    page = tmp_path / "report.html"
    told = json.loads(run("report", pair[0], "--ledger", pair[1], "--out", page, "--json").out)
    assert "linkability" in {each["yardstick"] for each in told["attacks"]}
    text = page.read_text(encoding="utf-8")
    assert "Not tested." not in text
    assert "<code>linkability:neighbors=1</code>" in text
    assert text.count("Risk above the control: ") == len(told["attacks"])
    assert "(knowledge about two different people)" in text
    data, _ = write_table(tmp_path)
    assert run("report", *pair[:1], "--ledger", pair[1], "--out", page, "--force", *OUTSIDE, data).status == 0
    assert "(knowledge about people outside the release)" in page.read_text(encoding="utf-8")


def test_people_outside_are_the_control_of_linkability(run, tmp_path) -> None:
    data, schema = write_table(tmp_path)
    asked = ("attack", data, "--schema", schema, "-a", "linkability:control=outside")
    refused = run(*asked)
    assert refused.status == 2
    assert "no table of people outside was given" in refused.err
    ran = run(*asked, "--outside", data)
    assert ran.status == 0
    assert "control: people outside the release" in ran.out
    assert "risk" in ran.out.splitlines()[0]


@pytest.mark.parametrize("method", ["lattice", "microaggregation"])
def test_what_supposes_narrow_labels_is_not_run_where_the_certificate_names_another_method(
    run, tmp_path, method
) -> None:
    release, ledger = published(run, tmp_path, "release", 1, method=method)
    for truth in (("--ledger", ledger), ()):
        told = json.loads(run("attack", release, *truth, "--json").out)
        assert f"The method '{method}'" in told["not_run"]["downcoding"]
        assert run("attack", release, *truth, "-a", "downcoding").status != 0
    page = tmp_path / "report.html"
    assert run("report", release, "--ledger", ledger, "--out", page).status == 0
    assert f"The method &#39;{method}&#39;" in page.read_text(encoding="utf-8")


def test_the_same_seed_gives_the_same_findings(run, tmp_path) -> None:
    data, schema = write_survey(tmp_path)
    asked = ("attack", data, "--schema", schema, "-a", "structure:items=2", "-a", "label:items=2", "--json")
    assert run(*asked, "--seed", 3).out == run(*asked, "--seed", 3).out


def test_people_read_a_table_and_what_it_means(run, tmp_path) -> None:
    data, schema = write_survey(tmp_path)
    ran = run("attack", data, "--schema", schema, "-a", "structure:items=2")
    assert ran.status == 0
    assert "guessing" in ran.out
    assert "Knows 2 items" in ran.out


def test_figures_are_told_with_their_thresholds_and_kept_by_name_for_programs(run, tmp_path) -> None:
    data, schema = write_table(tmp_path)
    asked = ("attack", data, "--schema", schema, "-a", "risk:model=prosecutor")
    figures = json.loads(run(*asked, "--json").out)["attacks"][0]["details"]
    assert f"records at risk above 0.09: {figures['records_at_risk_above_0_09']:g}, " in run(*asked).out


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (("-a", "structure"), "cannot be run"),
        (("-a", "telepathy"), "no attack named"),
        (("--also", "other"), "1 other release (--also) and 0 ledgers"),
        (("--ledger", "nowhere"), "not a ledger"),
    ],
)
def test_what_cannot_be_attacked_is_refused(run, pair, wrong, said) -> None:
    ran = run("attack", pair[0], *wrong)
    assert ran.status == 2
    assert said in ran.err


def test_raw_data_have_no_ledger(run, tmp_path, pair) -> None:
    data, schema = write_table(tmp_path)
    ran = run("attack", data, "--schema", schema, "--ledger", pair[1])
    assert ran.status == 2
    assert "Only a release has a ledger" in ran.err


def test_the_report_is_private_repeatable_and_never_replaces_what_is_not_its_own(run, pair, tmp_path) -> None:
    page = tmp_path / "report.html"
    asked = ("report", pair[0], "--ledger", pair[1], "--out", page)
    assert run(*asked).status == 0
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    first = page.read_text(encoding="utf-8")
    assert "Not for publication" in first
    assert run(*asked).status == 2
    assert run(*asked, "--force").status == 0
    assert page.read_text(encoding="utf-8") == first
    page.write_text("my own notes")
    assert run(*asked, "--force").status == 2
    assert page.read_text() == "my own notes"


def test_the_report_tells_in_json_what_the_page_shows(run, pair, tmp_path) -> None:
    told = json.loads(run("report", pair[0], "--ledger", pair[1], "--out", tmp_path / "r.html", "--json").out)
    assert told["holds"] is True
    assert told["attacks"]
    assert "distortion" in told["measures"]
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    for each in told["attacks"]:
        assert each["attack"] in page


def test_the_report_of_ratings_shows_what_became_of_them(run, tmp_path) -> None:
    data, schema = write_survey(tmp_path)
    release, ledger = tmp_path / "release", tmp_path / "ledger"
    asked = ("-m", "k-epsilon:k=2,epsilon=1", "--method", "align", "--out", release, "--ledger", ledger, "--seed", 1)
    assert run("publish", data, "--schema", schema, *asked).status == 0
    assert run("report", release, "--ledger", ledger, "--out", tmp_path / "r.html").status == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "What became of the ratings" in page
    assert "How high ratings are" in page
