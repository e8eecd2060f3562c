"""What the first run of each command costs, with no compiled kernel kept from an earlier one: a few hundred records.

Each command is a process of its own with an empty cache. Of each: seconds on the clock and of the processor, seconds
in the compiler, how many functions were compiled and for how many combinations of types; and the seconds of the second
run, for which everything is kept.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from shoal.datasets import write_generated

_NEAR = ("k-epsilon:k=3,epsilon=1",)
_GROUPS = ("k-anonymity:k=3",)
PUBLISHED = {
    "align": ("survey", _NEAR),
    "graph": ("survey", _NEAR),
    "greedy-interval": ("survey", _NEAR),
    "predictive": ("ratings", _GROUPS),
    "mondrian": ("table", _GROUPS),
    "top-down": ("table", _GROUPS),
    "lattice": ("table", _GROUPS),
    "microaggregation": ("table", _GROUPS),
    "decomposition:degree=0.2": ("table", _GROUPS),
}
"""The methods, each with the data and the promises that it is run on."""


def main(folder: Path) -> dict[str, Any]:
    """Run every command twice, the first time from an empty cache."""
    _write_data(folder)
    commands = {f"publish_{_name(method)}": _publish(folder, method) for method in PUBLISHED}
    survey, table = folder / "survey.csv", folder / "table.csv"
    commands["check_k_epsilon"] = ["check", str(survey), "--schema", _schema(survey), "--model", _NEAR[0]]
    commands["check_k_anonymity"] = ["check", str(table), "--schema", _schema(table), "--model", _GROUPS[0]]
    commands["report_of_ratings"] = ["report", *_folders(folder, "predictive"), "--out", str(folder / "ratings.html")]
    commands["report_of_a_table"] = ["report", *_folders(folder, "mondrian"), "--out", str(folder / "table.html")]
    commands["scoreboard"] = ["attack", *_folders(folder, "predictive"), "--attack", "scoreboard"]
    return {
        f"{name}_{figure}": value
        for name, command in commands.items()
        for figure, value in _cold_and_warm(command).items()
    }


def _write_data(folder: Path) -> None:
    write_generated("survey", folder / "survey.csv", respondents=300, issues=12, sensitive=2, seed=1)
    write_generated("ratings", folder / "ratings.csv", users=300, items=100, ratings=6000, seed=1)
    write_generated("table", folder / "table.csv", rows=300, seed=1)


def _schema(data: Path) -> str:
    return str(data.with_suffix(".schema.toml"))


def _folders(folder: Path, method: str) -> list[str]:
    return [str(folder / method), "--ledger", str(folder / f"{method}-ledger")]


def _publish(folder: Path, method: str) -> list[str]:
    kind, promises = PUBLISHED[method]
    data = folder / f"{kind}.csv"
    models = [word for promise in promises for word in ("--model", promise)]
    where = ["--out", *_folders(folder, _name(method)), "--force"]
    return ["publish", str(data), "--schema", _schema(data), *models, "--method", method, *where]


def _name(method: str) -> str:
    return method.partition(":")[0]


def _cold_and_warm(command: list[str]) -> dict[str, Any]:
    """Return the figures of a first run, and the seconds of a second."""
    with tempfile.TemporaryDirectory(prefix="shoal-no-kernels-") as cache:
        cold, warm = _run(command, cache), _run([*command, *_again(command)], cache)
    return {**cold, "again_processor_s": warm["processor_s"]}


def _again(command: list[str]) -> list[str]:
    return ["--force"] if command[0] == "report" else []


def _run(command: list[str], cache: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, __file__, *command],
        env={**os.environ, "NUMBA_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stderr.splitlines()[-1])


def _measure_this_process() -> None:
    """Run one command here and write its figures to standard error."""
    import time

    from numba.core import event

    from shoal.cli.main import shoal

    class _Count(event.Listener):
        depth, began, seconds, types, functions = 0, 0.0, 0.0, 0, set[str]()

        def on_start(self, event: Any) -> None:
            self.began = time.process_time() if self.depth == 0 else self.began
            self.depth += 1
            self.types += 1
            self.functions.add(repr(event.data["dispatcher"].py_func))

        def on_end(self, event: Any) -> None:  # noqa: ARG002
            self.depth -= 1
            self.seconds += time.process_time() - self.began if self.depth == 0 else 0.0

    count = _Count()
    began = time.perf_counter()
    event.register("numba:compile", count)
    try:
        shoal.main(sys.argv[1:], standalone_mode=False)
    finally:
        figures = {"s": round(time.perf_counter() - began, 1), "processor_s": round(time.process_time(), 1)}
        figures |= {"compiler_s": round(count.seconds, 1), "functions": len(count.functions), "types": count.types}
        print(json.dumps(figures), file=sys.stderr)


if __name__ == "__main__":
    _measure_this_process()
