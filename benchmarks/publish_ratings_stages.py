"""Where publishing ratings takes its time, stage by stage, from a Parquet file to a verified release.

A fifth of the shape of the Netflix Prize, published by ``predictive`` at k = 5: 100,000 users, 17,770 items and 20
million ratings in, about 20,000 complete profiles out. A second of the processor is counted for the innermost stage
that is under way, on whichever core, so that stages add up to the whole; what falls under none is told as well.
"""

import time
from pathlib import Path
from typing import Any

import shoal
from measuring import peak
from shoal.datasets import write_generated
from shoal.progress import listening

USERS, ITEMS, RATINGS, K = 100_000, 17_770, 20_000_000, 5
WARM = 2_000
"""The users of a first release, which is not counted: it loads or compiles whatever is compiled."""


def main(folder: Path) -> dict[str, Any]:
    """Publish twice, small and large, and tell what each stage of the second took."""
    small = _generated(folder / "small.parquet", WARM)
    shoal.publish(small, models=[f"k-anonymity:k={K}"], method="predictive", out=str(folder / "first"), force=True)
    data, clock = _generated(folder / "fifth.parquet", USERS), _Clock()
    began, used = time.perf_counter(), time.process_time()
    with listening(clock):
        made = shoal.publish(
            data, models=[f"k-anonymity:k={K}"], method="predictive", out=str(folder / "release"), seed=1, force=True
        )
    whole, on_cores = time.perf_counter() - began, time.process_time() - used
    stages = {name: round(seconds, 2) for name, seconds in clock.own.items() if seconds >= 0.005}
    return {
        "publish_seconds": round(whole, 1),
        "publish_processor_seconds": round(on_cores, 1),
        "outside_stages": round(on_cores - sum(clock.own.values()), 1),
        "publish_peak_mib": peak(),
        "release_mib": round(sum(file.stat().st_size for file in (folder / "release").iterdir()) / 2**20),
        "groups": made.groups,
        "distortion_per_cell": round(made.distortion / (made.ratings_invented + RATINGS - made.ratings_dropped), 4),
        "processor_seconds_by_stage": stages,
    }


def _generated(path: Path, users: int) -> Path:
    if not path.exists():
        write_generated("ratings", path, users=users, items=ITEMS, ratings=users * (RATINGS // USERS), seed=1)
    return path


class _Clock:
    """Hears stages, and gives each what the processor did while no other stage was under way inside it."""

    def __init__(self) -> None:
        self.own: dict[str, float] = {}
        self._open: list[tuple[str, float]] = []
        self._last = 0.0

    def begin(self, name: str, total: int | None, parent: object | None = None) -> object:  # noqa: ARG002
        """Stop the stage around this one for as long as it is under way."""
        self._count()
        self._open.append((name, time.perf_counter()))
        return self._open[-1]

    def advance(self, token: object, amount: int) -> None:
        """Do nothing."""

    def end(self, token: object) -> None:
        """Go on with the stage around this one."""
        self._count()
        self._open.remove(token)  # type: ignore[arg-type]

    def _count(self) -> None:
        now = time.process_time()
        if self._open:
            name = self._open[-1][0]
            self.own[name] = self.own.get(name, 0.0) + now - self._last
        self._last = now
