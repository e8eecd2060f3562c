"""Sweeps with measures that take longer: taken once, remembered, and the same as those of a release."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from cli.files import write_survey, write_table
from shoal.datasets import load
from shoal.errors import FileError, WordingError
from shoal.jobs.sweep import SweepResult, job
from shoal.jobs.sweep.grid import Grid
from shoal.jobs.sweep.measures import missing_points
from shoal.utility import MEASURES

ERROR, BAYES, BEFORE = "average query error", "naive Bayes accuracy", "naive Bayes accuracy before"


@pytest.fixture(autouse=True)
def drawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw nothing, as it takes a second, except where a test asks for plots."""
    if "plots" not in request.node.name:
        monkeypatch.setattr(job, "draw_sweep", lambda *_, **__: [])


def swept(folder: Path, **settings: Any) -> SweepResult:
    """Sweep a table in a folder, in this process; two points hold, and one is refused."""
    data, schema = folder / "people.csv", folder / "people.toml"
    if not data.exists():
        write_table(folder)
    grid: dict[str, Any] = {"k": [2, 5, 99], "method": ["mondrian"], "out": folder / "sweep", "jobs": 1, "seed": 3}
    return shoal.sweep(data, schema=schema, **{**grid, **settings})


def holding(result: SweepResult) -> list[dict[str, Any]]:
    return [point for point in result.points if point["holds"]]


def test_points_have_the_measures_that_are_asked_for_beside_the_quick_ones(tmp_path: Path) -> None:
    plain, result = swept(tmp_path, out=tmp_path / "plain"), swept(tmp_path, measure=[ERROR, BAYES, "precision"])
    for before, after in zip(holding(plain), holding(result), strict=True):
        assert after["measures"].keys() - before["measures"].keys() == {ERROR, BAYES}
        assert "not_measured" not in before
    table = pl.read_csv(result.table)
    assert table.columns[-5:] == [ERROR, BAYES, "seconds", "peak MiB", "promise"]
    assert table[ERROR].is_null().to_list() == [not holds for holds in table["holds"]]
    assert ERROR not in pl.read_csv(plain.table).columns


def test_they_are_those_of_the_release_that_is_published_so(tmp_path: Path) -> None:
    asked: Any = {"queries": "width=1,selectivity=0.3,count=30", "prediction": "target=zip,trials=2"}
    result = swept(tmp_path, k=[5], measure=[*MEASURES], **asked)
    (point,) = result.points
    out, ledger = str(tmp_path / "release"), str(tmp_path / "ledger")
    schema = str(tmp_path / "people.toml")
    made = {"models": [point["promise"]], "method": point["method"], "seed": 3, "out": out, "ledger": ledger}
    shoal.publish(tmp_path / "people.csv", schema=schema, **made)
    found = shoal.measure(out, ledger, everything=True, seed=3, **asked)
    # records of a release are shuffled, so what depends on their order may differ
    steady = {name: value for name, value in found.measures.items() if not MEASURES[name].draws}
    assert {name: point["measures"][name] for name in steady} == pytest.approx(steady)
    assert point["measures"].keys() >= found.measures.keys()
    slow = {name: reason for name, reason in found.reasons.items() if not MEASURES[name].quick}
    weighted = {name for name, each in MEASURES.items() if each.of_samples and not each.quick}
    assert point["not_measured"] == slow | dict.fromkeys(weighted, "There are no weights."), "asked for by name"


def test_a_sweep_remembers_which_measures_a_point_has(tmp_path: Path) -> None:
    assert swept(tmp_path).run == 3
    first = swept(tmp_path, measure=[ERROR])
    assert first.run == 2, "the refused point has nothing to measure"
    assert swept(tmp_path, measure=[ERROR]).run == 0
    assert swept(tmp_path).run == 0
    both = swept(tmp_path, measure=[BAYES])
    assert both.run == 2
    for point, again in zip(holding(first), holding(both), strict=True):
        assert again["measures"].keys() - point["measures"].keys() == {BAYES}
        assert again["measures"][ERROR] == point["measures"][ERROR], "measured anew, of the same release"
    assert swept(tmp_path, measure=[ERROR, BAYES]).run == 0
    assert swept(tmp_path, k=[3], measure=[ERROR]).run == 1
    assert (tmp_path / "sweep" / "points.jsonl").read_text().count("\n") == 8


def test_a_measure_that_cannot_be_taken_is_asked_for_once_and_its_reason_is_told(tmp_path: Path) -> None:
    result = swept(tmp_path, measure=["link confidence"])
    assert [point["not_measured"] for point in holding(result)] == [{"link confidence": "Defined on ratings only."}] * 2
    assert result.notes == ("Not measured: link confidence. Defined on ratings only.",)
    assert swept(tmp_path, measure=["link confidence"]).run == 0
    assert json.dumps(result.to_json())


def test_points_with_other_queries_do_not_stand_in_one_table(tmp_path: Path) -> None:
    swept(tmp_path, measure=[ERROR], queries="width=1")
    with pytest.raises(FileError, match="another queries"):
        swept(tmp_path, measure=[ERROR], queries="width=2")
    with pytest.raises(FileError, match="another prediction"):
        swept(tmp_path, measure=[BAYES], queries="width=1", prediction="trials=2")
    assert swept(tmp_path, measure=[ERROR], queries="width=2", force=True).run == 3


def test_two_jobs_measure_what_one_measures(tmp_path: Path) -> None:
    asked = {"measure": [ERROR, BAYES]}
    one, two = (swept(tmp_path, **asked, jobs=jobs, out=tmp_path / f"sweep-{jobs}") for jobs in (1, 2))
    for mine, theirs in zip(holding(one), holding(two), strict=True):
        assert mine["measures"] == pytest.approx(theirs["measures"], rel=1e-12)


def test_what_is_drawn_does_not_depend_on_the_shuffle(tmp_path: Path) -> None:
    """Each run shuffles anew; profiles of several people too."""
    write_survey(tmp_path, respondents=60)
    grid = {"k": [2], "epsilon": [0], "method": ["predictive"], "jobs": 1, "seed": 1}
    schema = tmp_path / "survey.toml"
    schema.write_text(schema.read_text().replace('sensitive = ["income"]\n', ""))
    names = [name for name, each in MEASURES.items() if each.draws]
    one, two = (
        shoal.sweep(tmp_path / "survey.csv", schema=schema, **grid, measure=names, out=tmp_path / f"sweep-{run}")
        for run in (1, 2)
    )
    assert len(one.points[0]["measures"]) > 20
    assert one.points[0]["measures"] == pytest.approx(two.points[0]["measures"], rel=1e-12)


def test_plots_show_before_and_after_together(tmp_path: Path) -> None:
    result = swept(tmp_path, k=[2, 5], measure=[ERROR, BAYES, BEFORE])
    names = {Path(plot).name for plot in result.plots}
    assert {"average-query-error.svg", "naive-Bayes-accuracy.svg"} <= names
    assert "naive-Bayes-accuracy-before.svg" not in names


def test_ratings_are_measured_too(tmp_path: Path) -> None:
    data, schema = write_survey(tmp_path)
    grid = {"k": [2], "epsilon": [0, 1], "method": ["none"], "out": tmp_path / "sweep", "jobs": 1}
    result = shoal.sweep(data, schema=schema, **grid, measure=[ERROR, BAYES], prediction="target=q1")
    assert [point["measures"][ERROR] for point in result.points] == [0, 0]
    assert all(0 <= point["measures"][BAYES] <= 1 for point in result.points)


def test_a_measure_may_be_spelled_the_british_way(tmp_path: Path) -> None:
    (point,) = missing_points(Grid(["none"], ["2"], []).points(load("thesis-2.1"), None, "neighborhood"), ["a"], {})
    assert point.measures == ("a",)
    assert swept(tmp_path, k=[5], measure=["normalised average group size"]).run == 1


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"measure": ["beauty"]}, "no measure named 'beauty'"),
        ({"queries": "width=2"}, "No measure is asked for"),
        ({"prediction": "trials=2", "measure": ["key attributes"]}, "No measure is asked for"),
        ({"measure": [BAYES], "prediction": "target=name"}, "names people"),
        ({"measure": [BAYES], "prediction": "target=visit"}, "is not published"),
    ],
)
def test_what_means_nothing_is_refused_before_anything_is_written(tmp_path: Path, wrong, why) -> None:
    with pytest.raises(WordingError, match=why):
        swept(tmp_path, **wrong)
    assert not (tmp_path / "sweep").exists()
