"""A large table of people in Parquet parts for benchmarks, written part by part; it is not a benchmark itself.

Eight quasi-identifiers, some of which depend on each other, and a sensitive column. Most people are like few others in
all of them: ten million people have 3.5 million combinations, 5.8 million with the sensitive value.
"""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

__all__ = ["QUASI_IDENTIFIERS", "SENSITIVE", "write_schema", "write_table"]

QUASI_IDENTIFIERS = ("age", "zip", "sex", "education", "marital", "race", "country", "work")
SENSITIVE = "disease"
_PART = 2_000_000
_GROUPS = {"education": 4, "country": 8, "work": 4}
"""How many values of a column are joined to one label."""


def write_table(folder: Path, rows: int, seed: int = 1) -> int:
    """Write the parts and the schema of a table, and return the bytes of the parts; parts that exist are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in range(-(-rows // _PART)):
        file = folder / f"part-{part:03d}.parquet"
        if not file.exists():
            _people(np.random.default_rng((seed, part)), min(_PART, rows - part * _PART)).write_parquet(file)
    write_schema(folder / "schema.toml")
    return sum(file.stat().st_size for file in folder.glob("*.parquet"))


def _people(chance: np.random.Generator, n: int) -> pl.DataFrame:
    age = np.clip(chance.normal(42, 18, n), 0, 89).astype(np.int16)
    education = (_skewed(chance, n, 16, 1.3) + age // 30) % 16
    race = _skewed(chance, n, 5, 1.8)
    codes = {
        "zip": _skewed(chance, n, 900, 1.5),
        "sex": chance.integers(0, 2, n),
        "education": education,
        "marital": (_skewed(chance, n, 7, 1.6) + age // 20) % 7,
        "race": race,
        "country": (_skewed(chance, n, 40, 3) + 8 * race) % 40,
        "work": (_skewed(chance, n, 14, 1.8) + education) % 14,
        SENSITIVE: _skewed(chance, n, 40, 1.5),
    }
    words = {name: pl.Series(_words(name))[each] for name, each in codes.items()}
    return pl.DataFrame({"age": age, **words})


def _skewed(chance: np.random.Generator, n: int, values: int, skew: float) -> np.ndarray:
    """Draw values of which the first is the most frequent."""
    shares = np.cumsum(1 / np.arange(1, values + 1) ** skew)
    return np.searchsorted(shares / shares[-1], chance.random(n), side="right").clip(max=values - 1)


def _words(name: str) -> list[str]:
    if name == "zip":
        return [str(10_000 + 97 * code % 900) for code in range(900)]
    return [f"{name} {code:02d}" for code in range(40)]


def write_schema(file: Path) -> None:
    """Write the schema of the table, with hierarchies."""
    text = 'kind = "table"\n'
    for name in (*QUASI_IDENTIFIERS, SENSITIVE):
        role = "sensitive" if name == SENSITIVE else "quasi-identifier"
        text += f'\n[columns.{name}]\nrole = "{role}"\n{_hierarchy(name)}'
    file.write_text(text, encoding="utf-8")


def _hierarchy(name: str) -> str:
    if name == "age":
        return 'hierarchy = { kind = "interval", widths = [5, 10, 20, 40] }\n'
    if name == "zip":
        return 'hierarchy = { kind = "mask" }\n'
    if name not in _GROUPS:
        return ""
    words, size = _words(name), _GROUPS[name]
    tree: dict[str, Any] = {f"{name} {i} to {i + size - 1}": words[i : i + size] for i in range(0, len(words), size)}
    branches = ", ".join(f'"{label}" = {members}' for label, members in tree.items())
    return f'hierarchy = {{ kind = "tree", tree = {{ {branches} }} }}\n'
