"""A table in Parquet parts that stays on disk: checked and published beside a bare group-by of the same columns.

Eight quasi-identifiers and a sensitive column; `--rows` says how many people (a million unless said). All commands get
4 GiB. What each takes is told with all its processes, and as a multiple of the processor's seconds of the group-by,
which was measured in the same run: other work on the machine lengthens both.
"""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from table_on_disk import QUASI_IDENTIFIERS, SENSITIVE, write_table
from whole_commands import Taken, run_command, shoal_command

SMALL = 20_000
MODELS = ("--model", "k-anonymity:k=5", "--model", "l-diversity:l=3", "--model", "t-closeness:t=0.3")
ON_DISK = ("--engine", "stream", "--memory", "4GiB")
BROKEN = 1
"""How `check` ends where a promise does not hold."""
_GROUP_BY = """
import sys, polars as pl
columns = sys.argv[2].split()
print(pl.scan_parquet(sys.argv[1] + "/*.parquet").group_by(columns).len().select(pl.len()).collect(engine="streaming"))
"""


def main(folder: Path, rows: int = 1_000_000) -> dict[str, Any]:
    """Measure each command once; kernels are compiled before, on a small table.

    A run that was stopped goes on with the commands that are left, if its folder was kept.
    """
    small, whole, kept = folder / "small", folder / f"people-{rows}", folder / f"measured-{rows}.json"
    write_table(small, SMALL)
    measured: dict[str, Any] = {"rows": rows, "file_mib": write_table(whole, rows) >> 20}
    found: dict[str, Any] = json.loads(kept.read_text()) if kept.exists() else {}
    for name in _commands(whole, folder / "out"):
        if name not in found:
            _taken(name, small, folder / "small results")
            found[name] = _taken(name, whole, folder).told()
            kept.write_text(json.dumps(found))
            print(name, found[name], file=sys.stderr, flush=True)
    return {**measured, **summary(found)}


def summary(found: dict[str, dict[str, float]]) -> dict[str, float]:
    """Return what the commands took, each as a multiple of the group-by as well."""
    base = found["group_by"]["processor"]
    told: dict[str, float] = {
        "seconds": round(sum(taken["clock"] for taken in found.values()), 2),
        "peak_mib": max(taken["peak_mib"] for taken in found.values()),
    }
    for name, taken in found.items():
        told |= {f"{name}_{what}": number for what, number in taken.items()}
        told[f"{name}_group_bys"] = round(taken["processor"] / base, 2)
    return told


def _commands(data: Path, out: Path) -> dict[str, list[str]]:
    """Return the commands by name, in the order in which they are run."""
    schema, release = ("--schema", data / "schema.toml"), ("--out", out, "--force")
    publish = ("publish", data, *schema, *ON_DISK, "--model", "k-anonymity:k=5", "--model", "l-diversity:l=3")
    return {
        "group_by": [sys.executable, "-c", _GROUP_BY, str(data), " ".join((*QUASI_IDENTIFIERS, SENSITIVE))],
        "check": shoal_command("check", data, *schema, *MODELS, *ON_DISK),
        "lattice": shoal_command(*publish, "--method", "lattice", "--withhold", "2%", *release),
        "mondrian": shoal_command(*publish, "--method", "mondrian", *release),
        "verify": shoal_command("verify", out, *ON_DISK),
    }


def _taken(name: str, data: Path, folder: Path) -> Taken:
    out = folder / "out"
    if name in ("lattice", "mondrian"):
        shutil.rmtree(out, ignore_errors=True)
    return run_command(_commands(data, out)[name], folder / "temporary", (0, BROKEN) if name == "check" else (0,))
