"""``shoal sweep`` in the terminal."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from cli.files import write_survey, write_table


@pytest.fixture(autouse=True)
def drawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw nothing, as it takes a second, except where a test asks for plots."""
    from shoal.jobs.sweep import job

    if "plots" not in request.node.name:
        monkeypatch.setattr(job, "draw_sweep", lambda *_, **__: [])


def test_the_terminal_shows_k_by_epsilon_and_names_table_and_plots(run, tmp_path: Path) -> None:
    data, schema = write_survey(tmp_path)
    ask = ("sweep", data, "--schema", schema, "--k", "2,3", "--k", "4", "--epsilon", "0,1", "--method", "none")
    ran = run(*ask, "--out", tmp_path / "sweep", "--jobs", 1)
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "6 points on 40 records, 6 of them new; 4 refused"
    assert lines[3:9] == [
        "none",
        "k    ε = 0    ε = 1",
        "─  ───────  ───────",
        "2        0        0",
        "3  refused  refused",
        "4  refused  refused",
    ]
    assert f"Table: {tmp_path / 'sweep' / 'table.csv'}" in lines
    assert lines[-1].startswith(f"Plots: {tmp_path / 'sweep' / '*.svg'} (")
    again = run(*ask, "--out", tmp_path / "sweep", "--jobs", 1)
    assert again.out.splitlines()[0] == "6 points on 40 records, 0 of them new; 4 refused"


def test_points_that_were_not_run_and_records_withheld_are_marked(run, tmp_path: Path) -> None:
    data, schema = write_survey(tmp_path)
    data.write_text(data.read_text() + "resp-9999,5,1,1,1\n")
    ask = (
        "sweep",
        data,
        "--schema",
        schema,
        "--withhold",
        "5%",
        "--method",
        "none",
        "--out",
        tmp_path / "s",
        "--jobs",
        1,
        "--accept",
        "vacuous",
    )
    run(*ask, "--k", "2", "--epsilon", "0")
    ran = run(*ask, "--k", "3", "--epsilon", "5")
    assert ran.out.splitlines()[4:8] == [
        "k           ε = 0        ε = 5",
        "─  ──────────────  ───────────",
        "2  0 (1 withheld)            –",
        "3               –  0 (vacuous)",
    ]


def test_json_is_one_object_of_the_agreed_shape(run, tmp_path: Path) -> None:
    data, schema = write_survey(tmp_path)
    ask = ("sweep", data, "--schema", schema, "--k", "2,3", "--epsilon", "0,1", "--method", "none", "--seed", 1)
    ran = run(*ask, "--out", tmp_path / "sweep", "--jobs", 1, "--json")
    assert (ran.status, ran.err, ran.out.count("\n")) == (0, "", 1)
    published = json.loads(ran.out)
    assert set(published) == {"records", "points", "failed", "run", "table", "plots", "notes", "warnings", "seconds"}
    assert (published["records"], published["run"], published["failed"], published["plots"]) == (40, 4, [], [])
    assert [(point["k"], point["epsilon"], point["holds"]) for point in published["points"]] == [
        (2, 0, True),
        (3, 0, False),
        (2, 1, True),
        (3, 1, False),
    ]
    assert len(pl.read_csv(published["table"])) == 4


def test_measures_that_are_asked_for_are_shown_below(run, tmp_path: Path) -> None:
    data, schema = write_survey(tmp_path)
    ask = ("sweep", data, "--schema", schema, "--k", "2,3", "--epsilon", "0,1", "--method", "none", "--jobs", 1)
    more = ("--measure", "average query error", "--measure", "key attributes", "--queries", "width=1,count=9")
    ran = run(*ask, "--out", tmp_path / "sweep", *more)
    assert ran.status == 0
    lines = ran.out.splitlines()
    place = lines.index("average query error")
    assert [line.split() for line in lines[place + 3 : place + 5]] == [["2", "0", "0"], ["3", "–", "–"]]
    assert "Not measured: key attributes. Defined on tables only." in lines
    points = json.loads(run(*ask, "--out", tmp_path / "sweep", *more, "--json").out)["points"]
    assert points[0]["measures"]["average query error"] == 0
    assert points[0]["not_measured"] == {"key attributes": "Defined on tables only."}


def test_a_table_is_swept_over_k(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    ask = ("sweep", data, "--schema", schema, "--k", "2,5", "--method", "none,mondrian", "--jobs", 1)
    ran = run(*ask, "--out", tmp_path / "sweep")
    assert ran.status == 0
    assert "mondrian:mode=strict,numbers=cut,labels=safe\nk  distortion\n" in ran.out
    assert "in steps of the scale" not in ran.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--epsilon", "0", "--method", "none"], "--k"),
        (["--k", "2", "--epsilon", "0"], "--method"),
        (["--k", "few", "--epsilon", "0", "--method", "none"], "whole number"),
        (["--k", "2", "--epsilon", "0", "--method", "frobnicate"], "no method named"),
        (["--k", "2", "--epsilon", "0", "--method", "mondrian"], "works on table"),
        (["--k", "2", "--epsilon", "0", "--method", "none", "--jobs", "0"], "--jobs"),
        (["--k", "2", "--epsilon", "0", "--method", "none", "--withhold", "lots"], "withhold"),
    ],
)
def test_bad_usage_exits_2_and_writes_nothing(run, tmp_path: Path, arguments: list[str], sentence: str) -> None:
    data, schema = write_survey(tmp_path)
    ran = run("sweep", data, "--schema", schema, *arguments, "--out", tmp_path / "sweep", "--json")
    assert ran.status == 2
    assert sentence in json.loads(ran.out)["error"]
    assert not (tmp_path / "sweep").exists()


def test_other_data_are_refused_with_2_unless_forced(run, tmp_path: Path) -> None:
    data, schema = write_survey(tmp_path)
    ask = ("sweep", data, "--schema", schema, "--k", "2", "--epsilon", "0", "--method", "none", "--jobs", 1)
    assert run(*ask, "--out", tmp_path / "sweep").status == 0
    data.write_text(data.read_text().replace("resp-7000,1", "resp-7000,2"))
    ran = run(*ask, "--out", tmp_path / "sweep")
    assert ran.status == 2
    assert "--force" in ran.err
    assert run(*ask, "--out", tmp_path / "sweep", "--force").status == 0


def test_no_value_of_a_record_is_in_what_is_written_or_printed(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    ask = ("sweep", data, "--schema", schema, "--k", "2,99", "--method", "none,mondrian", "--out", tmp_path / "sweep")
    published = [run(*ask, "--jobs", 1, *more) for more in ([], ["--json"])]
    said = "".join(ran.out + ran.err for ran in published)
    said += "".join(file.read_text() for file in (tmp_path / "sweep").iterdir())
    for value in ("Person-", "Influenza", "Asthmatic", "Hepatitis", "2024-03", "4350", "[20, "):
        assert value in data.read_text() or value == "[20, "
        assert value not in said


def test_a_fault_at_one_point_exits_70_and_keeps_the_others(run, tmp_path: Path, monkeypatch) -> None:
    from shoal.jobs.sweep import point

    whole = point.road.publish

    def sometimes(records, models, *rest, **more):
        if models[0].fewest_records == 3:
            raise RuntimeError("secret value of a record")
        return whole(records, models, *rest, **more)

    data, schema = write_survey(tmp_path)
    ask = ("sweep", data, "--schema", schema, "--k", "2,3", "--epsilon", "1", "--method", "none", "--jobs", 1)
    with monkeypatch.context() as patch:
        patch.setattr(point.road, "publish", sometimes)
        ran = run(*ask, "--out", tmp_path / "sweep")
    assert ran.status == 70
    assert "1 point on 40 records" in ran.out
    assert "RuntimeError" in ran.out
    assert "secret" not in ran.out + ran.err
    assert run(*ask, "--out", tmp_path / "sweep").out.startswith("2 points on 40 records, 1 of them new")


def test_an_interrupted_sweep_says_that_it_can_go_on(run, tmp_path: Path) -> None:
    data, schema = write_survey(tmp_path)
    ask = ("sweep", data, "--schema", schema, "--k", "2,4", "--epsilon", "1", "--method", "none", "--jobs", 1)
    ask = (*map(str, ask), "--out", str(tmp_path / "sweep"))
    program = (
        "import sys, time; from shoal.jobs.sweep import workers\n"
        "whole = workers.run_point\n"
        "def held_up(records, point, terms):\n"
        "    if point.promise.k == 4: print('held up', flush=True); time.sleep(60)\n"
        "    return whole(records, point, terms)\n"
        "workers.run_point = held_up\n"
        f"sys.argv = ['shoal', *{ask!r}]\n"
        "from shoal.cli.main import main; main()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
    ) as stopped:
        assert stopped.stdout is not None
        assert stopped.stdout.readline() == b"held up\n"
        stopped.send_signal(signal.SIGINT)
        _, err = stopped.communicate()
    assert stopped.returncode == 130
    assert err.strip() == b"shoal: interrupted; finished points are kept, and the same command goes on from there."
    assert pl.read_csv(tmp_path / "sweep" / "table.csv")["k"].to_list() == [2]
    assert run(*ask).out.startswith("2 points on 40 records, 1 of them new")
