"""Check (k,ε) on MovieLens 100K against the time it takes to read the file. Needs the data set beside the project."""

import time
from pathlib import Path

import shoal

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "ratings" / "ml-100k" / "u.data"


def main(folder: Path) -> dict[str, float]:  # noqa: ARG001
    """Time reading alone, and checking from the file, warm; the best of five."""
    if not DATA.exists():
        return {"skipped_for_want_of_data": 1}
    model = ["k-epsilon:k=2,epsilon=1"]
    shoal.check(DATA, model)
    read = min(_timed(lambda: shoal.read(DATA)) for _ in range(5))
    check = min(_timed(lambda: shoal.check(DATA, model)) for _ in range(5))
    return {
        "read_seconds": round(read, 4),
        "check_seconds": round(check, 4),
        "ratio": round(check / read, 2),
        "violations": shoal.check(DATA, model).verdicts[0].violations,
    }


def _timed(action: object) -> float:
    assert callable(action)
    began = time.perf_counter()
    action()
    return time.perf_counter() - began
