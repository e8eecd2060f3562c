"""Adult with the hierarchies of its eight quasi-identifiers, for benchmarks; it is not one itself."""

from pathlib import Path

from shoal.data import Microdata
from shoal.io import read
from shoal.io.schemas import read_schema

ADULT = Path(__file__).resolve().parents[2] / "shared" / "data" / "tables" / "adult" / "arx"
QUASI_IDENTIFIERS = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "salary-class",
)


SALARY_SENSITIVE = ("salary-class", (*QUASI_IDENTIFIERS[:7], "occupation"))
"""The sensitive column and the quasi-identifiers where salaries are not to be learned."""


def adult_schema(
    folder: Path, sensitive: str = "occupation", quasi_identifiers: tuple[str, ...] = QUASI_IDENTIFIERS
) -> Path:
    """Write a schema; columns that are neither are dropped."""
    lines = ['kind = "table"']
    for name in (ADULT / "adult.csv").read_text(encoding="utf-8").splitlines()[0].split(";"):
        role = "sensitive" if name == sensitive else "quasi-identifier" if name in quasi_identifiers else "drop"
        lines += [f"[columns.{name}]", f'role = "{role}"']
        if role == "quasi-identifier":
            lines.append(f'hierarchy = "{ADULT / f"adult_hierarchy_{name}.csv"}"')
    file = folder / "adult.toml"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def adult(folder: Path, **settings: object) -> Microdata | None:
    """Read the table; None if it is not beside the project."""
    if not ADULT.exists():
        return None
    table = read(ADULT / "adult.csv", read_schema(adult_schema(folder, **settings))).records  # type: ignore[arg-type]
    assert isinstance(table, Microdata)
    return table
