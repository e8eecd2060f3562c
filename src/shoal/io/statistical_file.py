"""Files of SPSS, Stata and SAS, read with pyreadstat."""

from collections.abc import Callable
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
_LABELLED = (".sav", ".zsav", ".por", ".dta")  # SAS keeps labels in a file of their own


def is_statistical(contents: Contents) -> bool:
    """Tell whether a file is named as one of a statistical package."""
    return _suffix(contents) in _READERS


def open_statistical(contents: Contents, *, labels: bool) -> TabularFile:
    """Read all columns: the codes of labelled values, or the labels themselves where they are asked for."""
    reader, told = _READERS[_suffix(contents)]
    data = _read(_pyreadstat_reader(reader), contents, labels=labels)
    scan = data.lazy()
    return TabularFile(
        contents.name, tuple(data.columns), scan, data.height, False, (*contents.notes, f"It is {told}.")
    )


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


def _read(reader: Callable[..., Any], contents: Contents, *, labels: bool) -> pl.DataFrame:
    settings: dict[str, Any] = {"output_format": "polars"}
    if labels and contents.name.lower().endswith(_LABELLED):
        settings |= {"apply_value_formats": True, "formats_as_category": False}
    try:
        source = str(contents.path) if contents.path is not None else contents.source
        data, _ = reader(source, **settings)
    except Exception:  # noqa: BLE001 - the readers raise whatever their C library says, and may quote the data
        raise FileError(f"{contents.name} is damaged, or not of the format its name says.", "Save it again.") from None
    return data
