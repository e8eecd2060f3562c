"""A small table in a file, and what lies in a folder."""

import csv
from pathlib import Path

__all__ = ["K20", "names", "people"]

K20 = "k-anonymity:k=20"


def people(folder: Path, n: int = 400) -> tuple[Path, dict]:
    """Write a table, and return it with its schema."""
    with (folder / "people.csv").open("w", newline="", encoding="utf-8") as handle:
        writer = csv.writer(handle)
        writer.writerow(["name", "age", "town", "disease"])
        writer.writerows(
            (f"p{i}", i % 40, "Ulm" if i % 3 else "Bonn", ("flu", "cancer", "asthma")[i % 3]) for i in range(n)
        )
    age = {"role": "quasi-identifier", "hierarchy": {"kind": "interval", "widths": [10, 20]}}
    columns = {"name": "identifier", "age": age, "town": "quasi-identifier", "disease": "sensitive"}
    return folder / "people.csv", {"kind": "table", "columns": columns}


def names(folder: Path) -> set[str]:
    """Return the names of what lies in a folder."""
    return {path.name for path in folder.iterdir()}
