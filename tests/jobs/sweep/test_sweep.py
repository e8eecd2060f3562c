"""Sweeps: every point of the grid once, kept as soon as it is there, and the same however the work was cut up."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
import shoal.errors
from cli.files import write_survey, write_table
from shoal.datasets import load
from shoal.errors import DataError, FileError, WordingError
from shoal.jobs.sweep import SweepResult, job
from shoal.jobs.sweep.grid import Grid
from sweep_methods import Counting, Dice, Fatal, Faulty, Waiting

POINT = {"method", "promise", "k", "epsilon", "l", "m", "holds", "seconds", "peak_mib"}


@pytest.fixture(autouse=True)
def drawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw nothing, as it takes a second, except where a test asks for plots."""
    if "plots" not in request.node.name:
        monkeypatch.setattr(job, "draw_sweep", lambda *_, **__: [])


def swept(folder: Path, **settings: Any) -> SweepResult:
    """Sweep the survey in a folder, in this process."""
    data, schema = folder / "survey.csv", folder / "survey.toml"
    if not data.exists():
        write_survey(folder)
    grid: dict[str, Any] = {"k": [2, 3, 4], "epsilon": [0, 1], "method": ["none"], "out": folder / "sweep", "jobs": 1}
    return shoal.sweep(data, schema=schema, **{**grid, **settings})


def table(folder: Path) -> pl.DataFrame:
    """Read the table of a sweep without what no two runs share."""
    return pl.read_csv(folder / "table.csv").drop("seconds", "peak MiB")


def keys(result: SweepResult) -> set[tuple[str, int, float]]:
    return {(point["method"], point["k"], point["epsilon"]) for point in result.points}


def test_every_point_is_told_once_and_agrees_with_publish(tmp_path: Path) -> None:
    result = swept(tmp_path)
    assert keys(result) == {("none", k, epsilon) for k in (2, 3, 4) for epsilon in (0, 1)}
    assert (result.run, result.failed, result.records) == (6, (), 40)
    for point in result.points:
        ask = {"schema": str(tmp_path / "survey.toml"), "models": [point["promise"]], "method": point["method"]}
        out, ledger = tmp_path / f"r{point['k']}{point['epsilon']}", tmp_path / f"l{point['k']}{point['epsilon']}"
        if point["holds"]:
            assert set(point) == POINT | {"level", "records", "vacuous", "measures"}
            shoal.publish(tmp_path / "survey.csv", **ask, out=str(out), ledger=str(ledger))
            assert json.loads((ledger / "report.json").read_text()) == point["measures"]
            assert point["level"] == shoal.verify(out).verdicts[0].level
        else:
            assert set(point) == POINT | {"refused", "reason"}
            assert point["refused"] == "PromiseNotKept"
            with pytest.raises(shoal.errors.PromiseNotKept):
                shoal.publish(tmp_path / "survey.csv", **ask, out=str(out))
    assert {point["holds"] for point in result.points} == {True, False}, "or the test would show nothing"


def test_the_table_has_a_row_a_point_in_a_stable_order_and_plots_beside_it(tmp_path: Path) -> None:
    result = swept(tmp_path, k=[4, 2], epsilon=[1, 0])
    frame = pl.read_csv(result.table)
    assert frame.select("k", "epsilon").rows() == [(2, 0), (4, 0), (2, 1), (4, 1)]
    assert frame["holds"].to_list() == [True, False, True, False]
    assert frame.filter(pl.col("holds"))["cost"].to_list() == [0.0, 0.0]
    assert frame.filter(~pl.col("holds"))["cost"].null_count() == 2
    assert (frame["seconds"] >= 0).all()
    assert (frame["peak MiB"] > 20).all()
    assert [Path(plot).exists() for plot in result.plots] == [True] * len(result.plots)
    assert "cost.svg" in {Path(plot).name for plot in result.plots}
    assert {entry.name for entry in (tmp_path / "sweep").iterdir()} == {
        "sweep.json",
        "points.jsonl",
        "table.csv",
        *(Path(plot).name for plot in result.plots),
    }


def test_a_killed_sweep_resumes_and_comes_out_like_one_that_was_not(tmp_path: Path) -> None:
    write_survey(tmp_path)
    program = (
        f"import sys; sys.path.append({str(Path(__file__).parents[2])!r})\n"
        "import shoal, sweep_methods\n"
        f"shoal.sweep({str(tmp_path / 'survey.csv')!r}, schema={str(tmp_path / 'survey.toml')!r}, k=[2, 3, 4],\n"
        f"    epsilon=[0, 1], method=[sweep_methods.Waiting()], out={str(tmp_path / 'sweep')!r}, jobs=2)"
    )
    environment = {**os.environ, "WAITING": str(tmp_path / "waiting")}
    points = tmp_path / "sweep" / "points.jsonl"
    with subprocess.Popen([sys.executable, "-c", program], env=environment) as run:
        until(lambda: (tmp_path / "waiting").exists() and points.exists() and points.read_bytes().count(b"\n") >= 1)
        run.send_signal(signal.SIGKILL)
    worker = int((tmp_path / "waiting").read_text())
    until(lambda: not is_running(worker))
    before = points.read_bytes()
    assert not (tmp_path / "sweep" / "table.csv").exists()

    resumed = swept(tmp_path, method=[Waiting()])
    assert points.read_bytes().startswith(before), "finished points stay as they are"
    assert resumed.run == 6 - before.count(b"\n")
    whole = swept(tmp_path, method=[Waiting()], out=tmp_path / "whole")
    assert whole.run == 6
    assert table(tmp_path / "sweep").equals(table(tmp_path / "whole"))
    assert points.read_bytes().count(b"\n") == 6


def until(happens: Any) -> None:
    deadline = time.monotonic() + 120  # other work may keep the machine busy
    while not happens():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("torn", ["whole line", "half a line", "no JSON", "not a point"])
def test_a_torn_line_is_done_again_and_the_others_are_not(tmp_path: Path, torn: str) -> None:
    swept(tmp_path)
    points = tmp_path / "sweep" / "points.jsonl"
    content = points.read_bytes()
    *others, last = content.splitlines(keepends=True)
    left = {"whole line": b"", "half a line": last[:40], "no JSON": b"{]\n", "not a point": b'{"holds": 1}\n'}[torn]
    points.write_bytes(b"".join(others) + left)
    result = swept(tmp_path)
    assert result.run == 1
    assert len(result.points) == 6
    kept = points.read_bytes()
    assert kept.startswith(b"".join(others))
    assert json.loads(kept.splitlines()[-1])["promise"] == json.loads(last)["promise"]
    assert swept(tmp_path).run == 0, "and the next run finds it whole"


def test_a_larger_grid_adds_points_and_a_smaller_one_loses_none(tmp_path: Path) -> None:
    assert swept(tmp_path, k=[2], epsilon=[1]).run == 1
    larger = swept(tmp_path, k=[2, 5], epsilon=[1, 2], method=["none", Dice()])
    assert larger.run == 7
    assert len(larger.points) == 8
    again = swept(tmp_path, k=[2], epsilon=[1])
    assert (again.run, again.points) == (0, larger.points)


@pytest.mark.parametrize(
    ("settings", "difference"),
    [
        ({"seed": 5}, "another seed"),
        ({"withhold": "2%"}, "another withhold"),
        ({"l": 1}, "another l"),
        ({"semantics": "partition"}, "another semantics"),
        ({"models": ["k-anonymity:k=2"]}, "another model"),
    ],
)
def test_other_settings_are_refused_unless_forced(tmp_path: Path, settings: dict[str, Any], difference: str) -> None:
    swept(tmp_path)
    before = contents(tmp_path / "sweep")
    with pytest.raises(FileError, match=difference):
        swept(tmp_path, **settings)
    assert contents(tmp_path / "sweep") == before
    assert swept(tmp_path, **settings, force=True).run == 6
    assert swept(tmp_path, **settings).run == 0


@pytest.mark.parametrize("change", ["a rating", "a name", "the schema"])
def test_other_data_are_refused_unless_forced(tmp_path: Path, change: str) -> None:
    swept(tmp_path)
    file = tmp_path / ("survey.toml" if change == "the schema" else "survey.csv")
    text = file.read_text()
    old, new = {
        "a rating": ("resp-7039,5,4,5", "resp-7039,5,4,4"),
        "a name": ("resp-7039", "resp-8039"),
        "the schema": ('["income"]', '["q3"]'),
    }[change]
    assert old in text
    file.write_text(text.replace(old, new))
    with pytest.raises(FileError, match="other data"):
        swept(tmp_path)
    assert swept(tmp_path, force=True).run == 6


def test_force_costs_nothing_where_the_sweep_is_the_same(tmp_path: Path) -> None:
    swept(tmp_path)
    assert swept(tmp_path, force=True).run == 0


def test_force_leaves_nothing_of_the_old_sweep(tmp_path: Path) -> None:
    swept(tmp_path)
    result = swept(tmp_path, k=[41, 2], epsilon=[0], method=["none"], seed=1, force=True)
    assert pl.read_csv(result.table)["k"].to_list() == [2, 41]
    (tmp_path / "sweep" / "cost.svg").write_text("a plot of the old sweep")
    result = swept(tmp_path, k=[3], epsilon=[0], seed=2, force=True)
    assert result.plots == ()
    assert result.notes == ("No point keeps its promise, so there is nothing to draw.",)
    assert {entry.name for entry in (tmp_path / "sweep").iterdir()} == {"sweep.json", "points.jsonl", "table.csv"}


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_nothing_is_written_among_files_of_others(tmp_path: Path) -> None:
    folder = tmp_path / "sweep"
    folder.mkdir()
    (folder / "thesis.tex").write_text("mine")
    for force in (False, True):
        with pytest.raises(FileError, match="1 files or folders that do not belong to a sweep"):
            swept(tmp_path, force=force)
    assert contents(folder) == {"thesis.tex": b"mine"}
    (tmp_path / "file").write_text("mine")
    with pytest.raises(FileError, match="is not a folder"):
        swept(tmp_path, out=tmp_path / "file", force=True)
    with pytest.raises(FileError, match="does not exist"):
        swept(tmp_path, out=tmp_path / "not" / "there")


def test_points_of_which_nobody_knows_what_they_are_of_are_refused(tmp_path: Path) -> None:
    swept(tmp_path)
    (tmp_path / "sweep" / "sweep.json").unlink()
    with pytest.raises(FileError, match="unknown data"):
        swept(tmp_path)
    assert swept(tmp_path, force=True).run == 6


def test_a_folder_is_swept_into_by_one_run_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def meanwhile(*_: object) -> Any:
        with pytest.raises(FileError, match="Another run is sweeping"):
            swept(tmp_path, force=True)
        return iter_of_nothing()

    def iter_of_nothing() -> Any:
        yield from ()

    swept(tmp_path, k=[2])
    with monkeypatch.context() as patch:
        patch.setattr(job, "run_points", meanwhile)
        swept(tmp_path)
    assert swept(tmp_path).run == 4


def test_the_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    swept(tmp_path)
    assert (tmp_path / "sweep").stat().st_mode & 0o777 == 0o700


def test_two_jobs_tell_what_one_tells(tmp_path: Path) -> None:
    one = swept(tmp_path, method=["none", Dice()], epsilon=[1, 5], accept=["vacuous"], seed=3)
    two = swept(
        tmp_path, method=["none", Dice()], epsilon=[1, 5], accept=["vacuous"], seed=3, jobs=2, out=tmp_path / "two"
    )
    assert (one.run, two.run) == (12, 12)
    assert table(tmp_path / "sweep").equals(table(tmp_path / "two"))
    first = json.loads((tmp_path / "two" / "points.jsonl").read_text().splitlines()[0])
    assert (first["k"], first["epsilon"]) in {(2, 1), (4, 1), (2, 5)}, "it began at the corners"


def test_a_seed_decides_what_chance_does(tmp_path: Path) -> None:
    ask: dict[str, Any] = {"method": [Dice()], "epsilon": [5], "accept": ["vacuous"]}
    published = [
        swept(tmp_path, **ask, seed=seed, out=tmp_path / f"s{i}") for i, seed in enumerate([7, 7, 8, None, None])
    ]
    distortion = [[point["measures"]["distortion"] for point in result.points] for result in published]
    assert distortion[0] == distortion[1]
    assert len({tuple(each) for each in distortion[1:]}) == 4


def test_a_method_is_compiled_on_a_few_records_before_its_time_is_taken(tmp_path: Path) -> None:
    Counting.given.clear()
    write_survey(tmp_path, respondents=600)
    swept(tmp_path, method=[Counting()], k=[2], epsilon=[0, 1])
    assert Counting.given == [500, 600, 600]


def test_a_worker_that_dies_costs_its_own_point_alone(tmp_path: Path) -> None:
    result = swept(tmp_path, method=[Fatal()], epsilon=[1], k=[3, 2, 4, 5, 6, 7], jobs=2)
    assert [(failure.method, failure.promise) for failure in result.failed] == [
        ("fatal", "k-epsilon:k=3,epsilon=1,semantics=neighborhood")
    ]
    assert "died" in result.failed[0].fault
    assert {point["k"] for point in result.points} == {2, 4, 5, 6, 7}
    assert len((tmp_path / "sweep" / "points.jsonl").read_text().splitlines()) == 5, "so that it is tried again"


def test_a_script_without_a_guard_is_told_what_it_lacks(tmp_path: Path) -> None:
    data, schema = write_survey(tmp_path)
    script = tmp_path / "script.py"
    script.write_text(
        f"import shoal\nshoal.sweep({str(data)!r}, schema={str(schema)!r}, k=[2, 3], epsilon=[1], method=['none'],\n"
        f"            out={str(tmp_path / 'sweep')!r})\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert '`if __name__ == "__main__":`' in done.stderr.splitlines()[-1]


def test_a_fault_is_told_by_its_kind_and_tried_again(tmp_path: Path) -> None:
    for _ in range(2):
        result = swept(tmp_path, method=["none", Faulty()], k=[2], epsilon=[1])
        assert [failure.fault for failure in result.failed] == ["This is a fault of Shoal (RuntimeError)."]
        assert len(result.points) == 1
    assert all(b"a rating of Anna's" not in content for content in contents(tmp_path / "sweep").values())


def test_a_k_above_the_number_of_records_is_refused_at_its_point(tmp_path: Path) -> None:
    result = swept(tmp_path, k=[2, 41], epsilon=[1])
    assert [(point["k"], point.get("refused")) for point in result.points] == [(2, None), (41, "DataError")]
    with pytest.raises(DataError):
        swept(tmp_path, k=[41, 50], out=tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_spread_and_further_promises_are_kept_at_every_point(tmp_path: Path) -> None:
    result = swept(tmp_path, l="0.5", k=[2], epsilon=[0, 1])
    assert [point["l"] for point in result.points] == [0.5, 0.5]
    assert pl.read_csv(result.table)["l reached"].min() >= 0.5  # type: ignore[operator]
    assert not any(point["holds"] for point in swept(tmp_path, l=3, out=tmp_path / "l3").points)
    both = swept(tmp_path, models=["k-anonymity:k=3"], k=[2], epsilon=[1], out=tmp_path / "m")
    assert "k-anonymity:k=3 does not hold" in both.points[0]["reason"]


def test_what_is_withheld_is_told(tmp_path: Path) -> None:
    data, _ = write_survey(tmp_path)
    data.write_text(data.read_text() + "resp-9999,5,1,1,1\n")
    result = swept(tmp_path, k=[2], epsilon=[0], withhold="5%")
    assert (result.points[0]["records"], result.points[0]["measures"]["records withheld"]) == (40, 1)


def test_a_table_is_swept_over_k_alone(tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    ask: dict[str, Any] = {"schema": schema, "out": tmp_path / "sweep", "jobs": 1}
    result = shoal.sweep(data, k="2,5,20", method="none,mondrian:mode=relaxed,numbers=cut,mondrian", **ask)
    frame = pl.read_csv(result.table)
    assert "epsilon" not in frame.columns
    assert frame["method"].unique(maintain_order=True).to_list() == [
        "mondrian:mode=relaxed,numbers=cut,labels=safe",
        "mondrian:mode=strict,numbers=cut,labels=safe",
        "none",
    ]
    strict = frame.filter(pl.col("method").str.contains("strict"))
    assert strict["k"].to_list() == [2, 5, 20]
    assert strict["distortion"].is_sorted()
    assert strict["distortion"][0] < strict["distortion"][2]
    with pytest.raises(WordingError, match="no epsilon"):
        shoal.sweep(data, k=[2], epsilon=[1], method=["none"], **ask)


def write_baskets(folder: Path) -> Path:
    """Write purchases: all of them in common by one item, most by two, hardly any by three."""
    generator = np.random.default_rng(1)
    held = [(person, item) for person in range(80) for item in range(6) if generator.random() < 0.9 / (1 + item / 2)]
    pl.DataFrame(held, schema=["user", "item"], orient="row").write_csv(folder / "baskets.csv")
    return folder / "baskets.csv"


def test_sets_are_swept_over_k_and_m_and_agree_with_publish(tmp_path: Path) -> None:
    data = write_baskets(tmp_path)
    result = shoal.sweep(data, k="2,4", m="3,1", method="item-suppression,none", out=tmp_path / "sweep", jobs=1)
    assert {(each["k"], each["m"], each["epsilon"]) for each in result.points} == {
        (k, m, None) for k in (2, 4) for m in (1, 3)
    }
    frame = pl.read_csv(result.table)
    assert frame.select("method", "m", "k").rows()[:4] == [("item-suppression", m, k) for m in (1, 3) for k in (2, 4)]
    assert "epsilon" not in frame.columns
    for point in result.points:
        holds = shoal.check(data, point["promise"]).holds
        assert point["holds"] == (holds or point["method"] == "item-suppression")
        if point["holds"]:
            out, ledger = tmp_path / "release", tmp_path / "ledger"
            ask = {"models": point["promise"], "method": point["method"], "out": out, "ledger": ledger, "force": True}
            shoal.publish(data, **ask)
            assert json.loads((ledger / "report.json").read_text()) == point["measures"]
    assert {point["holds"] for point in result.points} == {True, False}, "or the test would show nothing"
    assert "m = 1  m = 3" in str(result)


def test_whole_sets_are_swept_over_k_and_plots_are_drawn_against_m(tmp_path: Path) -> None:
    data, ask = write_baskets(tmp_path), {"method": "none", "jobs": 1}
    whole = shoal.sweep(data, k="2,3", out=tmp_path / "whole", **ask)
    assert [point["promise"] for point in whole.points] == ["k-anonymity:k=2", "k-anonymity:k=3"]
    by_m = shoal.sweep(data, k=[2], m=[1, 2], out=tmp_path / "by-m", **ask)
    assert any(Path(plot).exists() for plot in by_m.plots)
    assert "against m" in by_m._repr_html_()
    with pytest.raises(WordingError, match="no epsilon"):
        shoal.sweep(data, k=[2], epsilon=[1], out=tmp_path / "by-epsilon", **ask)


def test_ratings_too_are_swept_over_m(tmp_path: Path) -> None:
    result = swept(tmp_path, k=[2, 3], epsilon=[], m=[1, 2])
    assert {point["promise"] for point in result.points} == {
        f"km-anonymity:k={k},m={m}" for k in (2, 3) for m in (1, 2)
    }


def test_the_audit_refuses_a_point_unless_its_column_is_accepted(tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    schema.write_text(schema.read_text().replace('"identifier"', '"insensitive"'))
    ask: dict[str, Any] = {"schema": schema, "k": [2], "method": ["mondrian"], "jobs": 1}
    refused = shoal.sweep(data, **ask, out=tmp_path / "refused")
    assert refused.points[0]["refused"] == "AuditRefused"
    assert shoal.sweep(data, **ask, out=tmp_path / "accepted", accept=["name"]).points[0]["holds"]


def test_records_in_memory_can_be_swept(tmp_path: Path) -> None:
    data, schema = write_survey(tmp_path)
    source = shoal.read(data, schema)
    result = shoal.sweep(source, k=[2], epsilon=[0, 1], method=["none"], out=tmp_path / "sweep", jobs=2)
    assert result.run == 2
    assert swept(tmp_path, k=[2], epsilon=[0, 1]).run == 0, "they are the same records"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"k": []}, "at least one k"),
        ({"method": []}, "at least one method"),
        ({"epsilon": [0], "m": [1]}, "epsilon or over m"),
        ({"epsilon": [], "m": [1], "l": 1}, "no neighborhoods"),
        ({"epsilon": [], "m": [0]}, "at least 1"),
        ({"k": [1]}, "at least 2"),
        ({"k": "2,,3"}, "whole number"),
        ({"epsilon": "1,x"}, "must be a number"),
        ({"method": ["mondrian"]}, "works on table"),
        ({"method": ["none,frobnicate"]}, "no method named 'frobnicate'"),
        ({"l": "much"}, "must be a number"),
        ({"withhold": "120%"}, "below 1"),
        ({"jobs": 0}, "at least one job"),
        ({"models": ["k-anonymity:k=x"]}, "whole number"),
    ],
)
def test_settings_that_mean_nothing_are_refused_before_anything_is_written(
    tmp_path: Path, settings: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(WordingError, match=sentence):
        swept(tmp_path, **settings)
    assert not (tmp_path / "sweep").exists()


def test_coarse_pictures_come_first() -> None:
    order = [
        (point.promise.k, point.promise.epsilon)  # type: ignore[attr-defined]
        for point in Grid(["none"], [2, 3, 4, 5, 6], [0, 1, 2]).points(load("survey-ratings-1"), None, "neighborhood")
    ]
    assert order[:4] == [(2, 0), (2, 2), (6, 0), (6, 2)]
    assert set(order[:9]) == {(k, epsilon) for k in (2, 4, 6) for epsilon in (0, 1, 2)}
    assert len(set(order)) == len(order) == 15


def test_the_same_promise_written_twice_is_one_point() -> None:
    points = Grid("none,none", "2,02", "1,1.0").points(load("survey-ratings-1"), None, "neighborhood")
    assert len(points) == 1


def test_without_what_draws_plots_there_is_a_table_and_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = swept(tmp_path)
    assert result.plots == ()
    assert len(result.notes) == 1
    assert "plots" in result.notes[0]
    assert len(pl.read_csv(result.table)) == 6


def test_numbers_of_numpy_are_numbers(tmp_path: Path) -> None:
    result = swept(tmp_path, k=np.array([2, 3]), epsilon=np.array([0.0, 1.0]))
    assert keys(result) == {("none", k, epsilon) for k in (2, 3) for epsilon in (0, 1)}
