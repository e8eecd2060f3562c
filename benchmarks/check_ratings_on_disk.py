"""Check (k,ε) on 100 million and on a billion ratings that stay on disk: processor time and memory beside each other.

The ratings have the shape of the Netflix Prize data. A billion of them are ten times as many users; the items of each
tenth are renamed, so that users of different tenths rate different items, and each tenth is written in parts.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

import polars as pl

from shoal.datasets import write_generated

USERS, ITEMS, RATINGS = 480_189, 17_770, 100_480_507
PROMISE = "k-epsilon:k=5,epsilon=1"
MEMORY = "1GiB"
_PART = 10_000_000


def main(folder: Path) -> dict[str, float]:
    """Generate ratings unless they are there, and check them in a process of its own for each amount."""
    base = folder / "netflix.parquet"
    if not base.exists():
        write_generated("ratings", base, users=USERS, items=ITEMS, ratings=RATINGS, seed=1)
    measured = {**_measured("local_100", base, "local"), **_measured("stream_100", base, "stream")}
    billion = _in_parts(base, folder / "billion")
    measured |= _measured("stream_1000", billion, "stream")
    measured["ratio_of_cpu"] = round(measured["stream_1000_cpu_seconds"] / measured["stream_100_cpu_seconds"], 1)
    return measured


def _in_parts(base: Path, folder: Path) -> Path:
    """Write ten times the ratings, in parts of ten million."""
    folder.mkdir(exist_ok=True)
    for tenth in range(10):
        for number, begin in enumerate(range(0, RATINGS, _PART)):
            part = folder / f"part-{tenth}-{number:02}.parquet"
            if part.exists():
                continue
            rows = pl.scan_parquet(base).slice(begin, _PART)
            item = (pl.col("item") + tenth * ITEMS // 10) % ITEMS + 1
            renamed = rows.with_columns(pl.col("user") + tenth * USERS, item.cast(pl.Int32))
            unfinished = part.with_suffix(".unfinished")
            renamed.collect().sort("user", "item").write_parquet(unfinished)
            unfinished.rename(part)
    return folder


def _measured(name: str, data: Path, engine: str) -> dict[str, float]:
    """Return seconds, processor seconds and the peak of the memory of a check, start-up included."""
    asked = f"{str(data)!r}, [{PROMISE!r}], {_SCHEMA!r}, engine={engine!r}, memory={MEMORY!r}"
    program = f"import json, shoal; print(json.dumps(shoal.check({asked}).to_json())); {_USAGE}"
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
    seconds = time.perf_counter() - began
    said, usage = map(json.loads, done.stdout.splitlines()[-2:])
    return {
        f"{name}_seconds": round(seconds, 1),
        f"{name}_cpu_seconds": usage["cpu"],
        f"{name}_peak_mib": usage["peak"],
        f"{name}_violations": said["promises"][0]["violations"],
    }


_SCHEMA = {"kind": "ratings", "layout": "long", "user": "user", "item": "item", "rating": "rating", "scale": [1, 5]}
_USAGE = (
    "import resource; used = resource.getrusage(resource.RUSAGE_SELF); "
    "print(json.dumps({'cpu': round(used.ru_utime + used.ru_stime, 1), 'peak': used.ru_maxrss // 1024}))"
)
