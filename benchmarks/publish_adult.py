"""Publish and verify Adult with Mondrian, k = 5 and l = 2. Needs the data set beside the project."""

import time
from pathlib import Path

import shoal
from adult import ADULT, SALARY_SENSITIVE, adult_schema

PROMISES = ["k-anonymity:k=5", "l-diversity:l=2,kind=distinct"]


def main(folder: Path) -> dict[str, float]:
    """Time a warm run of the whole job, and tell the quality beside it."""
    if not ADULT.exists():
        return {"skipped_for_want_of_data": 1}
    schema = adult_schema(folder, *SALARY_SENSITIVE)
    measured: dict[str, float] = {}
    for mode in ("strict", "relaxed"):
        out, ledger = folder / f"release-{mode}", folder / f"ledger-{mode}"
        for _ in range(2):  # the first run compiles
            began = time.perf_counter()
            shoal.publish(
                ADULT / "adult.csv",
                schema=str(schema),
                models=PROMISES,
                method=f"mondrian:mode={mode}",
                out=str(out),
                ledger=str(ledger),
                force=True,
            )
            measured[f"{mode}_publish_seconds"] = round(time.perf_counter() - began, 2)
        began = time.perf_counter()
        assert shoal.verify(out).holds
        measured[f"{mode}_verify_seconds"] = round(time.perf_counter() - began, 2)
        measures = shoal.measure(out, ledger).measures
        measured[f"{mode}_average_group_size"] = round(measures["average group size"], 2)
        measured[f"{mode}_loss_a_cell"] = round(measures["distortion"] / (30_162 * 8), 4)
    return measured
