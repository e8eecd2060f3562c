"""Experiments are measured point by point: what was kept is not measured again, and what fails costs itself alone."""

import json
from pathlib import Path

import polars as pl
import pytest

from experiments import run as running
from experiments.data import data_set
from experiments.experiment import QUICK, TINY, Claim, Experiment, Found, Panel, Point, Verdict, grid
from experiments.results import Results


def _experiment(**changes: object) -> Experiment:
    given = {
        "id": "000-0",
        "figures": "Figure 0",
        "asks": "Is it so?",
        "data": ("MovieLens 100K",),
        "points": lambda size: grid(data="MovieLens 100K", k=[2, 3], seed=range(2)),
        "measure": lambda point: [{"y": point["k"] * 10 + point["seed"]}],
        "panels": (Panel("k", "y"),),
        "claims": (Claim("It rises.", lambda table: Found(table["y"].is_sorted(), "as it is")),),
        "parameters": "None.",
        "why": "They do not.",
    }
    return Experiment(**{**given, **changes})  # type: ignore[arg-type]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[Point]:
    """Measure in this process; the points that were measured."""
    asked: list[Point] = []

    def measured(waiting, workers):
        for results, point in waiting:
            asked.append(point)
            try:
                yield results, point, (list(results.experiment.measure(point)), 0.5)
            except ValueError as error:
                yield results, point, error

    monkeypatch.setattr(running, "_measured", measured)
    return asked


def test_a_grid_has_every_combination_once():
    assert grid(a=[1, 2], b="x", c=range(2)) == [
        {"a": 1, "b": "x", "c": 0},
        {"a": 1, "b": "x", "c": 1},
        {"a": 2, "b": "x", "c": 0},
        {"a": 2, "b": "x", "c": 1},
    ]


def test_what_was_measured_is_kept_and_not_measured_again(here: list[Point], tmp_path: Path):
    experiment, lines = _experiment(), []
    assert running.run([experiment], TINY, 1, lines.append, tmp_path)
    assert len(here) == 4
    assert "left" in lines[-1]
    kept = tmp_path / "tiny" / "000-0.json"
    whole = json.loads(kept.read_text(encoding="utf-8"))
    whole["points"] = whole["points"][:-1]
    kept.write_text(json.dumps(whole), encoding="utf-8")
    assert running.run([experiment], TINY, 1, lines.append, tmp_path)
    assert len(here) == 5
    assert here[-1].settings == {"data": "MovieLens 100K", "k": 3, "seed": 1}
    table = pl.read_csv(tmp_path / "tiny" / "000-0.csv")
    assert table["y"].to_list() == [20, 21, 30, 31]


def test_what_was_measured_on_other_data_is_measured_again(here: list[Point], tmp_path: Path):
    running.run([_experiment()], TINY, 1, lambda line: None, tmp_path)
    kept = tmp_path / "tiny" / "000-0.json"
    kept.write_text(kept.read_text(encoding="utf-8").replace('"generated"', '"0123"'), encoding="utf-8")
    running.run([_experiment()], TINY, 1, lambda line: None, tmp_path)
    assert len(here) == 8


def test_a_point_that_fails_is_named_and_tried_again(here: list[Point], tmp_path: Path):
    def measure(point: Point):
        if point["k"] == 3:
            raise ValueError("of no use")
        return [{"y": 1}]

    lines: list[str] = []
    assert not running.run([_experiment(measure=measure)], TINY, 1, lines.append, tmp_path)
    assert sum(line.endswith("failed: ValueError") for line in lines) == 2
    assert not any("of no use" in line for line in lines), "the text of a foreign error may hold a value of a record"
    results = Results.read(_experiment(), TINY, tmp_path)
    assert len(results.points) == 2
    assert not results.complete
    assert len(results.remaining()) == 2


def test_without_its_data_an_experiment_is_left_out(here: list[Point], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(data_set, "FOLDER", tmp_path / "nowhere")
    lines: list[str] = []
    assert not running.run([_experiment()], QUICK, 1, lines.append, tmp_path)
    assert "the data are not here: MovieLens 100K" in lines[0]
    assert not here


@pytest.mark.parametrize(
    ("holds", "undecidable", "verdict"),
    [
        ((True, True), "", Verdict.CONFIRMED),
        ((True, False), "", Verdict.LIMITED),
        ((False, False), "", Verdict.REFUTED),
        ((True, True), "It does not say what is predicted.", Verdict.UNDECIDABLE),
    ],
)
def test_the_verdict_follows_from_the_claims(holds: tuple[bool, ...], undecidable: str, verdict: Verdict):
    claims = tuple(Claim("So it is.", lambda table, so=so: Found(so, "1")) for so in holds)
    assert _experiment(claims=claims, undecidable=undecidable).verdict(pl.DataFrame()) is verdict


def test_in_processes_of_their_own_points_come_out_the_same(tmp_path: Path):
    from experiments.catalog import experiments

    experiment = experiments()["000-15a"]
    few = experiment.grid(TINY)[:2]
    results = Results(experiment, TINY, tmp_path)
    found = {point.key: outcome for _, point, outcome in running._measured([(results, point) for point in few], 1)}
    for point in few:
        outcome = found[point.key]
        assert not isinstance(outcome, BaseException)
        rows, _ = running.measure_point(experiment.id, point)
        timed = {"seconds", "mib"}
        assert [{k: v for k, v in row.items() if k not in timed} for row in outcome[0]] == [
            {k: v for k, v in row.items() if k not in timed} for row in rows
        ]
