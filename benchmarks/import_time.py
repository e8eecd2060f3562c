"""What a command loads before it works: modules, processor time, and how often that of importing polars and numpy.

Every command runs on small data (300 records), in a process of its own, five times; of the processor times of all
threads the median counts. ``verify`` is meant to stay below twice the bare imports.
"""

import json
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

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
    bare = statistics.median(_run(_BARE)[0] for _ in range(_RUNS))
    found: dict[str, Any] = {"bare_cpu_seconds": round(bare, 3)}
    for name, words in commands.items():
        program = _COMMAND.format(words=words, heavy=_HEAVY)
        runs = [_run(program) for _ in range(_RUNS)]
        status, modules, heavy = json.loads(runs[-1][2].splitlines()[-1])
        assert status in (0, 1), f"{name} ended with {status}"
        cpu, wall = (statistics.median(run[place] for run in runs) for place in (0, 1))
        found |= {f"{name}_modules": modules, f"{name}_cpu_seconds": round(cpu, 3), f"{name}_seconds": round(wall, 3)}
        found |= {f"{name}_ratio": round(cpu / bare, 2), f"{name}_loads": heavy}
    return found


def _one_record(folder: Path) -> str:
    file = folder / "me.csv"
    file.write_text("age,sex\n40,Female\n", encoding="utf-8")
    return str(file)


def _run(program: str) -> tuple[float, float, str]:
    """Return processor time, time and output of a program."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall, done.stdout
