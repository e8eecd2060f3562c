"""Check (k,ε) on the Netflix Prize shape, from file to verdict, against the time Polars needs to read the file."""

import json
import subprocess
import sys
import time
from pathlib import Path

from shoal.datasets import write_generated

PROMISE = "k-epsilon:k=5,epsilon=1"
READ = "import polars; polars.read_parquet({!r}).height"
PEAK = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"


def main(folder: Path) -> dict[str, float]:
    """Generate the shape unless it is there, then time the whole command and a plain read, each in its own process."""
    data = folder / "netflix.parquet"
    if not data.exists():
        write_generated("ratings", data, users=480_189, items=17_770, ratings=100_480_507, seed=1)
    check = _timed(f"import shoal; print(shoal.check({str(data)!r}, [{PROMISE!r}]).to_json()); {PEAK}")
    read = _timed(f"{READ.format(str(data))}; {PEAK}")
    return {
        "check_seconds": check[0],
        "check_peak_mib": check[1],
        "read_seconds": read[0],
        "read_peak_mib": read[1],
        "ratio": round(check[0] / read[0], 1),
    }


def _timed(program: str) -> tuple[float, int]:
    """Return seconds, start-up included, and the peak of a program that prints it last; the better of two runs."""
    best = (float("inf"), 0)
    for _ in range(2):
        began = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
        best = min(best, (round(time.perf_counter() - began, 2), int(json.loads(done.stdout.splitlines()[-1]))))
    return best
