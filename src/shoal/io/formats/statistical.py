"""Files of SPSS, Stata and SAS, read with pyreadstat."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import polars as pl

from shoal.errors import FileError, MissingExtraError
from shoal.io.schemas import Schema, TableSchema

from .base import Format
from .contents import Contents
from .registry import formats
from .tabular_file import TabularFile

__all__ = ["Statistical"]

_READERS = {
    ".sav": ("read_sav", "an SPSS file"),
    ".zsav": ("read_sav", "an SPSS file"),
    ".por": ("read_por", "an SPSS portable file"),
    ".dta": ("read_dta", "a Stata file"),
    ".sas7bdat": ("read_sas7bdat", "a SAS file"),
    ".xpt": ("read_xport", "a SAS transport file"),
}


@formats.add
@dataclass(frozen=True)
class Statistical(Format):
    """Files of SPSS, Stata and SAS: codes, and labels for some of them."""

    name: ClassVar[str] = "statistical"
    title: ClassVar[str] = "SPSS, Stata or SAS"
    endings: ClassVar[tuple[str, ...]] = tuple(_READERS)
    streamed: ClassVar[bool] = False

    def open(self, contents: Contents, schema: Schema | None) -> TabularFile:
        """Read all columns: codes of labeled values in ratings, labels in tables."""
        reader, kind = _READERS["." + contents.name.lower().rpartition(".")[2]]
        data, labels = _read(_pyreadstat_reader(reader), contents)
        notes = [*contents.notes, f"It is {kind}."]
        if isinstance(schema, TableSchema):
            data, unlabeled = _labeled(data, labels)
            notes += [f"The column {name!r} is read by its codes: not every value has a label." for name in unlabeled]
        return TabularFile(contents.name, tuple(data.columns), data.lazy(), data.height, False, tuple(notes))


def _pyreadstat_reader(name: str) -> Callable[..., Any]:
    try:
        import pyreadstat
    except ImportError:
        raise MissingExtraError(
            "Reading files of SPSS, Stata and SAS needs the extra 'surveys'.", "Run: pip install 'shoal[surveys]'"
        ) from None
    return getattr(pyreadstat, name)


def _read(reader: Callable[..., Any], contents: Contents) -> tuple[pl.DataFrame, Mapping[str, Mapping[Any, str]]]:
    """Return the codes, and for each column that has labels the label of each code."""
    try:
        source = str(contents.path) if contents.path is not None else contents.source
        data, meta = reader(source, output_format="polars")
    except Exception:  # noqa: BLE001 - the readers raise whatever their C library says, and may quote the data
        raise FileError(f"{contents.name} is damaged, or not of the format its name says.", "Save it again.") from None
    return data, meta.variable_value_labels


def _labeled(data: pl.DataFrame, labels: Mapping[str, Mapping[Any, str]]) -> tuple[pl.DataFrame, list[str]]:
    """Replace codes by labels; also return the names of columns left as they are because a value has no label.

    A column of numbers often has labels for a few of them only, such as the ends of a scale; words among its numbers
    would make it neither.
    """
    unlabeled = []
    for name, label_of in labels.items():
        codes = data[name].drop_nulls().unique()
        known = [label_of.get(code) for code in codes]
        if None in known:
            unlabeled.append(name)
            continue
        data = data.with_columns(pl.col(name).replace_strict(codes, known, return_dtype=pl.String, default=None))
    return data, unlabeled
