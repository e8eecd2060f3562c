"""Signals end a command with their own exit status wherever they strike, and nothing unfinished stays behind."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli.files import write_survey, write_table

INTERRUPTING = """
import io, json, os, random, shutil, signal, sys, threading, time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from shoal.cli.main import main

def run(command):
    sys.argv = ["shoal", *command]
    said = io.StringIO()
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(said):
            main()
    except SystemExit as end:
        return end.code, said.getvalue()

def interrupted(command, number, moment):
    signal.signal(number, lambda *_: None)  # it may come when the command is over
    sender = threading.Timer(moment, os.kill, (os.getpid(), number))
    sender.start()
    ended = run(command)
    sender.join()
    return ended
"""


def published(program: str, *arguments: object) -> dict:
    """Run a program that prints one line of JSON."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTING + program, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_a_signal_inside_a_compiled_kernel_is_no_fault() -> None:
    """Numba tells it as a SystemError: in a tight loop of kernels, nine of ten signals strike inside one."""
    program = (
        "import numpy as np, shoal.jobs.check\n"
        "from shoal.kernels.numbering import distinct_keys\n"
        "def loop(*_, **__):\n"
        "    threading.Timer(chance.random() / 100, os.kill, (os.getpid(), number)).start()\n"
        "    while True: distinct_keys(keys)\n"
        "keys, shoal.jobs.check.check = np.arange(1000), loop\n"
        "distinct_keys(keys)\n"
        "chance, ends = random.Random(0), {}\n"
        "for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):\n"
        "    ends[number.name] = sorted({run(['check', 'x', '-m', 'k-anonymity:k=2']) for _ in range(20)})\n"
        "print(json.dumps(ends))"
    )
    said = "shoal: interrupted; nothing unfinished was left behind.\n"
    ends = {name: {(status, text.lstrip("\n")) for status, text in each} for name, each in published(program).items()}
    assert ends == {"SIGTERM": {(143, said)}, "SIGINT": {(130, said)}, "SIGHUP": {(129, said)}}


def test_commands_that_are_interrupted_at_random_moments_leave_nothing(tmp_path: Path) -> None:
    data, schema = write_table(tmp_path, rows=2000)
    survey, of_survey = write_survey(tmp_path, respondents=200)
    (tmp_path / "work").mkdir()
    out, promise = tmp_path / "work" / "out", ("-m", "k-anonymity:k=5")
    table = (data, "--schema", schema)
    commands = [
        ("publish", *table, *promise, "--out", out, "--ledger", tmp_path / "work" / "ledger"),
        (
            "publish",
            survey,
            "--schema",
            of_survey,
            "-m",
            "k-epsilon:k=2,epsilon=1",
            "--out",
            out,
            "--format",
            "parquet",
        ),
        ("check", *table, *promise, "--explain", tmp_path / "work" / "who.csv"),
        ("lattice", *table, *promise, "--out", tmp_path / "work" / "nodes.csv"),
        ("generate", "table", "--rows", 20_000, "--out", tmp_path / "work" / "people.csv"),
    ]
    program = (
        "work, chance, ends = Path(sys.argv[2]), random.Random(1), []\n"
        "for command in json.loads(sys.argv[1]):\n"
        "    run(command)\n"  # loads what it needs
        "    length = time.perf_counter()\n"
        "    shutil.rmtree(work); work.mkdir(); run(command)\n"
        "    length = time.perf_counter() - length\n"
        "    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):\n"
        "        shutil.rmtree(work); work.mkdir()\n"
        "        status, _ = interrupted(command, number, chance.random() * length)\n"
        "        ends.append([int(number), status, sorted(each.name for each in work.iterdir())])\n"
        "print(json.dumps(ends))"
    )
    ends = published(program, json.dumps([[str(word) for word in command] for command in commands]), tmp_path / "work")
    assert len(ends) == 15
    for number, status, left in ends:
        assert status in (0, 1, 128 + number), "over, or stopped by the signal"
        assert not any(name.startswith(".") for name in left)
        assert "ledger" not in left or "out" in left
    assert sum(status == 128 + number for number, status, _ in ends) >= 5, "many strike while the command runs"


def test_an_interrupted_sweep_goes_on_to_no_other_point_and_tells_what_is_kept(tmp_path: Path) -> None:
    data, schema = write_table(tmp_path, rows=100)
    program = (
        "import numpy as np; from shoal.jobs.sweep import point\n"
        "from shoal.kernels.numbering import distinct_keys\n"
        "def loop(*_, **__):\n"
        "    threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGTERM)).start()\n"
        "    while True: distinct_keys(keys)\n"
        "keys, point._outcome = np.arange(1000), loop\n"
        "command = ['sweep', sys.argv[1], '--schema', sys.argv[2], '--k', '2,3', '--method', 'mondrian',\n"
        "           '--jobs', '1', '--out', sys.argv[3]]\n"
        "print(json.dumps(run(command)))"
    )
    status, said = published(program, data, schema, tmp_path / "sweep")
    assert status == 143
    assert (
        said.lstrip("\n") == "shoal: interrupted; finished points are kept, and the same command goes on from there.\n"
    )
    assert (tmp_path / "sweep" / "points.jsonl").read_text(encoding="utf-8") == ""


def test_an_interruption_that_python_can_only_drop_comes_again() -> None:
    program = (
        "import shoal.jobs.check\n"
        "class Slow:\n"
        "    def __del__(self): time.sleep(0.4)\n"
        "def work(*_, **__):\n"
        "    slow = Slow()\n"
        "    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGTERM)).start()\n"
        "    del slow\n"
        "    time.sleep(30)\n"
        "shoal.jobs.check.check = work\n"
        "print(json.dumps(run(['check', 'x', '-m', 'k-anonymity:k=2'])))"
    )
    assert published(program)[0] == 143


def test_a_signal_that_comes_when_the_command_is_over_changes_nothing() -> None:
    program = (
        "import shoal.cli.main as main_module\n"
        "def fail(message, status):\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    sys.exit(status)\n"
        "main_module._fail = fail\n"
        "print(json.dumps(run(['check', 'nowhere.csv', '-m', 'k-anonymity:k=2'])))"
    )
    assert published(program)[0] == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_while_the_process_goes_down_changes_nothing(tmp_path: Path, number: int) -> None:
    program = (
        "import atexit, os, sys; from shoal.cli.main import main\n"
        "atexit.register(os.kill, os.getpid(), int(sys.argv.pop()))\n"
        "main()"
    )
    words = ("generate", "table", "--rows", "20", "--out", tmp_path / "people.csv")
    done = subprocess.run(
        [sys.executable, "-c", program, *words, str(int(number))], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "people.csv").exists()


def test_a_signal_that_was_ignored_before_stays_ignored() -> None:
    """As under nohup: a terminal that is closed must not stop the command."""
    program = (
        "import shoal.jobs.check\n"
        "def work(*_, **__):\n"
        "    os.kill(os.getpid(), signal.SIGHUP); sys.exit(7)\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "shoal.jobs.check.check = work\n"
        "print(json.dumps(run(['check', 'x', '-m', 'k-anonymity:k=2'])))"
    )
    assert published(program)[0] == 7


@pytest.mark.parametrize("between", ["ledger", "release"])
def test_a_signal_while_folders_get_their_names_leaves_both_or_none(tmp_path: Path, between: str) -> None:
    data, schema = write_table(tmp_path)
    program = (
        "import shoal.io.folders.staging as staging\n"
        "move, between = staging._rename, sys.argv[3]\n"
        "def signaled(folder, target, **how):\n"
        "    move(folder, target, **how)\n"
        "    if target.name == between: os.kill(os.getpid(), signal.SIGTERM); time.sleep(0.1)\n"
        "staging._rename = signaled\n"
        "os.chdir(sys.argv[4])\n"
        "command = ['publish', sys.argv[1], '--schema', sys.argv[2], '-m', 'k-anonymity:k=5', '--out', 'release',\n"
        "           '--ledger', 'ledger']\n"
        "status, said = run(command)\n"
        "print(json.dumps([status, sorted(os.listdir('.'))]))"
    )
    (tmp_path / "work").mkdir()
    status, left = published(program, data, schema, between, tmp_path / "work")
    assert status == 128 + signal.SIGTERM
    assert left == ["ledger", "release"]
    assert os.listdir(tmp_path / "work" / "release")


STARTING = """
import multiprocessing.util, os, signal, sys, time
from shoal.cli.main import main
if __name__ == "__main__":
    number, group, spawn = int(sys.argv.pop(1)), sys.argv.pop(1) == "group", multiprocessing.util.spawnv_passfds
    def spawned(path, args, passfds):
        process = spawn(path, args, passfds)
        if any("spawn_main" in str(arg) for arg in args):
            time.sleep(0.2)  # it is there, and knows nothing yet
            os.killpg(os.getpgid(0), number) if group else os.kill(os.getpid(), number)
        return process
    multiprocessing.util.spawnv_passfds = spawned
    main()
"""


@pytest.mark.parametrize(
    ("number", "to"), [(signal.SIGTERM, "it alone"), (signal.SIGINT, "it alone"), (signal.SIGINT, "group")]
)
def test_a_signal_while_a_worker_starts_is_told_in_one_sentence(tmp_path: Path, number: int, to: str) -> None:
    data, schema = write_table(tmp_path)
    (tmp_path / "starting.py").write_text(STARTING, encoding="utf-8")
    words = ("sweep", data, "--schema", schema, "--k", "2,3", "--method", "mondrian", "--out", tmp_path / "sweep")
    done = subprocess.run(
        [sys.executable, tmp_path / "starting.py", str(int(number)), to, *words],
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
    )
    assert done.returncode == 128 + number
    said = "shoal: interrupted; finished points are kept, and the same command goes on from there.\n"
    assert done.stderr.lstrip() == said
