"""Predictive anonymization of the Netflix Prize shape, from Parquet to a verified release: time by stage, and memory.

Leave a generated file ``netflix.parquet`` in the folder (``--keep FOLDER``) to have it used again.
"""

import time
from pathlib import Path
from typing import Any

import shoal
from measuring import peak
from shoal.datasets import write_generated
from shoal.jobs.verify import verify
from shoal.progress import listening

KS = (50, 5)
FITTING = ("sorting ratings by item", "fitting the predictor")


def main(folder: Path) -> dict[str, Any]:
    """Publish, and add up what the stages took; everything after the factorization should take less than it."""
    data = folder / "netflix.parquet"
    if not data.exists():
        write_generated("ratings", data, users=480_189, items=17_770, ratings=100_480_507, seed=1)
    points = [_point(data, folder / f"release-{k}", k) for k in KS]
    return {f"k_{point['k']}_{name}": point[name] for point in points for name in _NAMES} | {"points": points}


_NAMES = ("seconds", "fitting", "after_fitting", "peak_mib")


def _point(data: Path, release: Path, k: int) -> dict[str, Any]:
    clock = _Clock()
    began = time.perf_counter()
    with listening(clock):
        made = shoal.publish(
            data, models=[f"k-anonymity:k={k}"], method="predictive", out=str(release), seed=1, force=True
        )
    seconds = time.perf_counter() - began
    fitting = sum(clock.seconds.get(name, 0) for name in FITTING)
    point = {
        "k": k,
        "seconds": round(seconds, 1),
        "fitting": round(fitting, 1),
        "before_fitting": round(clock.first[FITTING[0]] - began, 1),
        "after_fitting": round(began + seconds - clock.last[FITTING[1]], 1),
        "peak_mib": peak(),
        "groups": made.groups,
        "release_mib": round(sum(file.stat().st_size for file in release.iterdir()) / 2**20),
        "verified": verify(release).holds,
        "stages": {name: round(value, 1) for name, value in clock.seconds.items()},
    }
    print(point, flush=True)
    return point


class _Clock:
    """Hears stages and adds up what each took."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.first: dict[str, float] = {}
        self.last: dict[str, float] = {}

    def begin(self, name: str, total: int | None, parent: object | None = None) -> object:  # noqa: ARG002
        now = time.perf_counter()
        self.first.setdefault(name, now)
        return name, now

    def advance(self, token: object, amount: int) -> None:
        pass

    def end(self, token: object) -> None:
        name, began = token  # type: ignore[misc]
        self.last[name] = time.perf_counter()
        self.seconds[name] = self.seconds.get(name, 0) + self.last[name] - began
