"""Publish and verify Adult with Mondrian, k = 5 and l = 2. Needs the data set beside the project."""

import time
from pathlib import Path

import shoal

ADULT = Path(__file__).resolve().parents[2] / "shared" / "data" / "tables" / "adult" / "arx"
PROMISES = ["k-anonymity:k=5", "l-diversity:l=2,kind=distinct"]


def main(folder: Path) -> dict[str, float]:
    """Time a warm run of the whole job, and tell the quality beside it."""
    if not ADULT.exists():
        return {"skipped_for_want_of_data": 1}
    schema = folder / "adult.toml"
    schema.write_text(adult_schema(), encoding="utf-8")
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


def adult_schema() -> str:
    """Give the schema of Adult: the salary is sensitive, and everything else is a quasi-identifier with a hierarchy."""
    lines = ['kind = "table"']
    for name in (ADULT / "adult.csv").read_text(encoding="utf-8").splitlines()[0].split(";"):
        role = "sensitive" if name == "salary-class" else "quasi-identifier"
        lines += [f"[columns.{name}]", f'role = "{role}"']
        if role == "quasi-identifier":
            lines.append(f'hierarchy = "{ADULT / f"adult_hierarchy_{name}.csv"}"')
    return "\n".join(lines) + "\n"
