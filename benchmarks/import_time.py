"""What a command loads before it works: modules, processor time, and its ratio to that of importing polars and numpy.

Every command runs on small data (300 records), in a process of its own: once to warm the caches of bytecode and of
kernels, then five times by turns with the bare imports, so that both meet the same machine. Of the processor times of
all threads the median counts. ``verify`` is meant to stay below twice the bare imports.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

_RUNS = 5
_HEAVY = ("numba", "scipy", "sklearn", "jinja2", "sqlalchemy", "pydantic", "matplotlib", "rich")
_BARE = "import polars, numpy"
_COMMAND = """
import json, sys
sys.argv = ["shoal", *{words!r}]
from shoal.cli.main import main
try:
    main()
except SystemExit as end:
    ours = [name for name in sys.modules if name.partition(".")[0] == "shoal"]
    heavy = [name for name in {heavy!r} if name in sys.modules]
    print(json.dumps([end.code or 0, len(ours), heavy]))
"""


def main(folder: Path) -> dict[str, Any]:
    data, schema = str(folder / "people.csv"), str(folder / "people.schema.toml")
    release, ledger = str(folder / "release"), str(folder / "ledger")
    promise = ("-m", "k-anonymity:k=5", "-m", "l-diversity:l=2")
    published = ("publish", data, "--schema", schema, *promise, "--method", "mondrian")
    commands = {
        "generate": ("generate", "table", "--rows", "300", "--out", data, "--force"),
        "publish": (*published, "--out", release, "--ledger", ledger, "--force"),
        "help": ("--help",),
        "describe": ("describe", data, "--schema", schema),
        "check": ("check", data, "--schema", schema, *promise),
        "verify": ("verify", release),
        "lookup": ("lookup", release, "--me", _one_record(folder)),
        "attack": ("attack", release, "--ledger", ledger, "-a", "homogeneity"),
        "measure": ("measure", release, "--ledger", ledger),
    }
    found: dict[str, Any] = {}
    for name, words in commands.items():
        found |= {f"{name}_{key}": value for key, value in _measured(name, words).items()}
    return found


def _measured(name: str, words: tuple[str, ...]) -> dict[str, Any]:
    """Return what a command loads and takes, beside the bare imports."""
    program = _COMMAND.format(words=words, heavy=_HEAVY)
    _run(program)
    pairs = [(_run(_BARE), _run(program)) for _ in range(_RUNS)]
    status, modules, heavy = json.loads(pairs[-1][1].output.splitlines()[-1])
    assert status in (0, 1), f"{name} ended with {status}"
    bare = statistics.median(bare.cpu for bare, _ in pairs)
    cpu, wall = (statistics.median(times) for times in zip(*((run.cpu, run.wall) for _, run in pairs), strict=True))
    times = {"bare_cpu_seconds": round(bare, 3), "cpu_seconds": round(cpu, 3), "seconds": round(wall, 3)}
    return {"modules": modules, **times, "ratio": round(cpu / bare, 2), "loads": heavy}


def _one_record(folder: Path) -> str:
    file = folder / "me.csv"
    file.write_text("age,sex\n40,Female\n", encoding="utf-8")
    return str(file)


class _Run(NamedTuple):
    cpu: float
    wall: float
    output: str


def _run(program: str) -> _Run:
    """Run a program, whose bytecode is kept like that of any installed package."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return _Run(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall, done.stdout)
