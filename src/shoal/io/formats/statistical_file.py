"""Files of SPSS, Stata and SAS, read with pyreadstat."""

from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from shoal.errors import FileError, MissingExtraError

from .contents import Contents
from .tabular_file import TabularFile

__all__ = ["is_statistical", "open_statistical"]

_READERS = {
    ".sav": ("read_sav", "an SPSS file"),
    ".zsav": ("read_sav", "an SPSS file"),
    ".por": ("read_por", "an SPSS portable file"),
    ".dta": ("read_dta", "a Stata file"),
    ".sas7bdat": ("read_sas7bdat", "a SAS file"),
    ".xpt": ("read_xport", "a SAS transport file"),
}


def is_statistical(contents: Contents) -> bool:
    """Tell whether a file is named as one of a statistical package."""
    return _suffix(contents) in _READERS


def open_statistical(contents: Contents, *, labels: bool) -> TabularFile:
    """Read all columns: the codes of labeled values, or the labels themselves where they are asked for."""
    reader, published = _READERS[_suffix(contents)]
    data, words = _read(_pyreadstat_reader(reader), contents)
    notes = [*contents.notes, f"It is {published}."]
    if labels:
        data, partly = _labeled(data, words)
        notes += [f"The column {name!r} is read by its codes: not every value has a label." for name in partly]
    return TabularFile(contents.name, tuple(data.columns), data.lazy(), data.height, False, tuple(notes))


def _suffix(contents: Contents) -> str:
    return "." + contents.name.lower().rpartition(".")[2]


def _pyreadstat_reader(name: str) -> Callable[..., Any]:
    try:
        import pyreadstat
    except ImportError:
        raise MissingExtraError(
            "Files of SPSS, Stata and SAS need the extra part 'surveys'.", "Run: pip install 'shoal[surveys]'"
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


def _labeled(data: pl.DataFrame, words: Mapping[str, Mapping[Any, str]]) -> tuple[pl.DataFrame, list[str]]:
    """Put labels in place of codes, and give the names of the columns left alone because a value has no label.

    A column of numbers often has labels for a few of them only, such as the ends of a scale; words among its numbers
    would make it neither.
    """
    partly = []
    for name, label_of in words.items():
        codes = data[name].drop_nulls().unique()
        labels = [label_of.get(code) for code in codes]
        if None in labels:
            partly.append(name)
            continue
        data = data.with_columns(pl.col(name).replace_strict(codes, labels, return_dtype=pl.String, default=None))
    return data, partly
