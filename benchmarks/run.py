"""Run benchmarks, each in a process of its own, and keep their results.

    python benchmarks/run.py                        every benchmark here
    python benchmarks/run.py generate_netflix_shape --keep FOLDER
    python benchmarks/run.py tables_at_scale --rows 10000000

A benchmark is a module beside this one with a function ``main(folder: Path) -> dict`` that may write into the folder
and gives named numbers: times it took itself, sizes, and how good the result is. Time and peak memory of the whole
process are added here. Big files go to a temporary folder that is deleted, or to the folder of ``--keep``. Results are
written to ``benchmarks/results/NAME.json`` with the machine they were measured on. A benchmark whose ``main`` takes
``rows`` as well is run on so many, if ``--rows`` says so, and its results have the number in their name.
"""

import argparse
import importlib
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
_NO_BENCHMARKS = ("run", "measuring", "draw", "adult", "census", "table_on_disk", "spark_and_stream", "whole_commands")
_NO_BENCHMARKS += ("desk_stores",)


def main() -> int:
    """Run the benchmarks that are named, or all, and print a table of their results."""
    parser = _parser()
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(_found()):
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are: {', '.join(_found())}")
    if arguments.inside:
        return _run_inside(arguments.names[0], arguments.inside, arguments.rows)
    failed = 0
    for name in arguments.names or _found():
        result = _run_apart(name, arguments.keep, arguments.rows)
        failed += result is None
        if result is not None:
            _store(name if arguments.rows is None else f"{name}_{arguments.rows}", result)
            _print(name, result)
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Run benchmarks and keep their results.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="which (all unless said)")
    parser.add_argument("--keep", type=Path, help="a folder outside the repository in which to keep big files")
    parser.add_argument("--rows", type=int, help="how many rows, of benchmarks that may be run on any number")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    return parser


def _found() -> list[str]:
    return sorted(file.stem for file in HERE.glob("*.py") if file.stem not in _NO_BENCHMARKS)


def _run_apart(name: str, keep: Path | None, rows: int | None) -> dict[str, Any] | None:
    """Run one benchmark in a process of its own, so that the peak of its memory is its own."""
    with tempfile.TemporaryDirectory(prefix="shoal-benchmark-") as temporary:
        folder = keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, str(HERE / "run.py"), name, "--inside", str(folder)]
        command += [] if rows is None else ["--rows", str(rows)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        print(f"{name}: failed with status {done.returncode}", file=sys.stderr)
        return None
    return json.loads(done.stdout.splitlines()[-1])


def _run_inside(name: str, folder: Path, rows: int | None) -> int:
    sys.path.insert(1, str(HERE.parent))  # held-out ratings are drawn as in the experiments
    began = time.perf_counter()
    measured = importlib.import_module(name).main(folder, **({} if rows is None else {"rows": rows}))
    whole = {"seconds": round(time.perf_counter() - began, 2), "peak_mib": peak_mib()}
    print(json.dumps({**whole, **measured}))
    return 0


def peak_mib() -> int:
    """Return the most memory this process has held so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (2**20 if sys.platform == "darwin" else 2**10))  # bytes there, kibibytes elsewhere


def _store(name: str, result: dict[str, Any]) -> None:
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps({"benchmark": name, "measured": result, "machine": _machine()}, indent=2)
    (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def _machine() -> dict[str, Any]:
    """Describe the machine without naming it."""
    import numba
    import numpy as np
    import polars as pl

    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    versions |= {"polars": pl.__version__, "numba": numba.__version__}
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {"system": f"{platform.system()} {platform.machine()}", "cores": cores, "ram_gib": memory >> 30, **versions}


def _print(name: str, result: dict[str, Any]) -> None:
    print(name)
    for measure, value in result.items():
        shown = f"{value:,}" if isinstance(value, int | float) else f"{len(value)} of them"
        print(f"    {measure:<28}{shown:>16}")


if __name__ == "__main__":
    raise SystemExit(main())
