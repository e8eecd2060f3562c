"""Interrupt commands: how each ends, and what it leaves behind.

Commands run warm, in this process, as the terminal runs them, while a second process sends the signal: to one that
calls a compiled kernel again and again, and to all kinds of them at random moments. Signals that arrive when a command
is over are not counted, and the trial is repeated. What is whole may stay: a sweep keeps its finished points, and a
release that got its name just before the signal is one.
"""

import io
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import numpy as np

from shoal.cli.main import main as shoal
from shoal.jobs import check as job
from shoal.kernels.numbering import distinct_keys

IN_KERNELS = {"sigterm": 300, "sigint": 100, "sighup": 100}
AT_RANDOM = {"sigterm": 40, "sigint": 20, "sighup": 20}
OVER = (0, 1)
"""How commands end that are not interrupted: it is done or holds, or it does not hold."""
_SENDER = """
import os, sys, time
for line in sys.stdin:
    process, number, moment = line.split()
    time.sleep(float(moment))
    os.kill(int(process), int(number))
    print("sent", flush=True)
"""


def main(folder: Path) -> dict[str, float]:
    """Count by signal how many commands ended with its status, how many otherwise, and how many left something."""
    published = Counter[str]()
    with subprocess.Popen([sys.executable, "-c", _SENDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as sender:
        for name, trials in IN_KERNELS.items():
            for status in _in_kernels(trials, signal.Signals[name.upper()], sender):
                _count(published, f"{name}_in_kernels", signal.Signals[name.upper()], status, [])
        commands, work, chance = _prepared(folder), folder / "work", random.Random(0)
        lengths = [_length(command, work) for command in commands]
        for name, trials in AT_RANDOM.items():
            number, done = signal.Signals[name.upper()], 0
            while done < trials:
                turn = chance.randrange(len(commands))
                status, left = _interrupted(commands[turn], work, number, chance.random() * lengths[turn], sender)
                if status not in OVER:
                    done += 1
                    _count(published, f"{name}_at_random", number, status, left)
        assert sender.stdin is not None
        sender.stdin.close()
    return dict(published)


def _count(published: Counter[str], name: str, number: signal.Signals, status: int, left: list[Path]) -> None:
    published[name] += 1
    published[f"{name}_own_status"] += status == 128 + number
    published[f"{name}_as_a_fault"] += status == 70
    published[f"{name}_otherwise"] += status not in (128 + number, 70)
    published[f"{name}_left_unfinished"] += bool(left)


def _in_kernels(trials: int, number: signal.Signals, sender: subprocess.Popen[bytes]) -> Iterator[int]:
    """Return how a command ends that does nothing but call a compiled kernel, again and again."""
    keys, check, chance = np.arange(1000), job.check, random.Random(0)
    distinct_keys(keys)

    def loop(*_: object, **__: object) -> None:
        _send(number, chance.random() / 100, sender)
        while True:
            distinct_keys(keys)

    job.check = loop
    try:
        for _ in range(trials):
            yield _ended(["check", "nothing.csv", "--model", "k-anonymity:k=2"])
            _await(sender)
    finally:
        job.check = check


def _send(number: signal.Signals, moment: float, sender: subprocess.Popen[bytes]) -> None:
    assert sender.stdin is not None
    sender.stdin.write(f"{os.getpid()} {int(number)} {moment}\n".encode())
    sender.stdin.flush()


def _await(sender: subprocess.Popen[bytes]) -> None:
    assert sender.stdout is not None
    sender.stdout.readline()


def _prepared(folder: Path) -> list[list[str]]:
    """Write what the commands need, and return them."""
    (folder / "tmp").mkdir()
    tempfile.tempdir = str(folder / "tmp")
    people, survey, desk = folder / "people.csv", folder / "survey.csv", folder / "desk.sqlite"
    release, ledger, work = folder / "release", folder / "ledger", folder / "work"
    table = [str(people), "--schema", str(folder / "people.schema.toml"), "--model", "k-anonymity:k=5"]
    answers = [str(survey), "--schema", str(folder / "survey.schema.toml")]
    ratings = str(folder / "ratings.csv")
    of_desk, asked = ["--desk", str(desk)], ["--requester", "ann", "--purpose", "study"]
    for words in (
        ["generate", "table", "--rows", "5000", "--seed", "1", "--out", str(people)],
        ["generate", "survey", "--respondents", "1000", "--seed", "1", "--out", str(survey)],
        ["generate", "ratings", "--users", "1000", "--items", "100", "--seed", "1", "--out", ratings],
        ["publish", *table, "--method", "mondrian", "--out", str(release), "--ledger", str(ledger)],
        ["desk", "init", *of_desk],
        ["desk", "requester", "ann", "--trust", "0.5", *of_desk],
        ["desk", "purpose", "study", "--priorities", "age:1;sex:0.5", *of_desk],
        ["desk", "dataset", "people", *table, "--purpose", "study", *of_desk],
    ):
        status = _ended(words)
        assert status == 0, words[:2]
    return [
        ["describe", *table[:3]],
        ["check", *table],
        ["check", *answers, "--model", "k-epsilon:k=5,epsilon=1", "--explain", str(work / "who.csv")],
        ["limits", *answers, "--given", "k=5"],
        ["lattice", *table, "--out", str(work / "nodes.csv")],
        ["sweep", *table[:3], "--k", "5,10", "--method", "mondrian", "--jobs", "1", "--out", str(work / "sweep")],
        ["publish", *table, "--method", "mondrian", "--out", str(work / "out"), "--ledger", str(work / "ledger")],
        ["publish", *table, "--method", "top-down", "--out", str(work / "out"), "--format", "parquet"],
        ["publish", *answers, "--model", "k-epsilon:k=5,epsilon=1", "--method", "align", "--out", str(work / "out")],
        ["publish", ratings, "--model", "k-anonymity:k=5", "--out", str(work / "out")],
        ["verify", str(release), "--ledger", str(ledger)],
        ["attack", str(release), "--ledger", str(ledger)],
        ["measure", str(release), "--ledger", str(ledger), "--all"],
        ["report", str(release), "--ledger", str(ledger), "--out", str(work / "report.html")],
        ["desk", "request", "people", *table[:3], *of_desk, *asked, "--out", str(work / "out")],
        ["generate", "table", "--rows", "50000", "--seed", "1", "--out", str(work / "people.csv")],
    ]


def _length(command: list[str], work: Path) -> float:
    """Return how long a command takes when it is warm."""
    began = 0.0
    for _ in range(2):
        _emptied(work)
        began = time.perf_counter()
        status = _ended(command)
        assert status in OVER, (command[:2], status)
    return time.perf_counter() - began


def _emptied(work: Path) -> None:
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()


def _interrupted(
    command: list[str], work: Path, number: signal.Signals, moment: float, sender: subprocess.Popen[bytes]
) -> tuple[int, list[Path]]:
    """Return how a command ended, 0 if that was before the signal, and what it left."""
    _emptied(work)
    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, lambda *_: None)  # it may come before the command begins, or after it
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        _send(number, moment, sender)
        status = _ended(command)
    except KeyboardInterrupt:
        status = 0
    for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(each, lambda *_: None)
    _await(sender)
    unfinished = (".shoal-staging", "-held-", ".part")
    left = [path for path in work.parent.rglob("*") if any(mark in path.name for mark in unfinished)]
    left += (work.parent / "tmp").iterdir()
    left += [work / "ledger"] if (work / "ledger").exists() and not (work / "out").exists() else []
    return status, left


def _ended(command: list[str]) -> int:
    sys.argv = ["shoal", *command]
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            shoal()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
