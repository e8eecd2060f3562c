"""What files of SPSS, Stata and SAS have in common: how they are read, with pyreadstat."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, ClassVar

import polars as pl

from shoal.errors import FileError, MissingExtraError
from shoal.io.formats.base import Format
from shoal.io.formats.contents import Contents
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.formats.whole_numbers import with_whole_numbers
from shoal.io.schemas import ColumnLabels, Schema, TableSchema

__all__ = ["Statistical", "pyreadstat_module"]


@dataclass(frozen=True)
class Statistical(Format):
    """A file of codes, and of labels for columns and for some codes."""

    streamed: ClassVar[bool] = False
    readers: ClassVar[Mapping[str, str]]
    """The function of pyreadstat that reads a file, by how its name ends."""
    default_reader: ClassVar[str]
    """The one for a file whose name says nothing."""

    def open(self, contents: Contents, schema: Schema | None) -> TabularFile:
        """Read all columns: codes of labeled values in ratings, labels in tables."""
        ending = "." + contents.name.lower().rpartition(".")[2]
        data, meta = _read(getattr(pyreadstat_module(), self.readers.get(ending, self.default_reader)), contents)
        labels = _labels(data, meta)
        notes = [*contents.notes, f"It is a file of {self.title}."]
        if isinstance(schema, TableSchema):
            data, unlabeled = _labeled(data, meta.variable_value_labels, schema)
            notes += [f"The column {name!r} is read by its codes: not every value has a label." for name in unlabeled]
        data = with_whole_numbers(data)
        return TabularFile(
            contents.name, tuple(data.columns), data.lazy(), data.height, False, tuple(notes), labels=labels
        )


def pyreadstat_module() -> ModuleType:
    """Return the library that reads and writes these files."""
    try:
        import pyreadstat
    except ImportError:
        raise MissingExtraError(
            "Files of SPSS, Stata and SAS need the extra 'surveys'.", "Run: pip install 'shoal[surveys]'"
        ) from None
    return pyreadstat


def _read(reader: Callable[..., Any], contents: Contents) -> tuple[pl.DataFrame, Any]:
    """Return the codes, and what the file says of them; values that the file declares as missing are null."""
    try:
        source = str(contents.path) if contents.path is not None else contents.source
        return reader(source, output_format="polars")
    except Exception:  # noqa: BLE001 - the readers raise whatever their C library says, and may quote the data
        raise FileError(f"{contents.name} is damaged, or not of the format its name says.", "Save it again.") from None


def _labels(data: pl.DataFrame, meta: Any) -> dict[str, ColumnLabels]:
    """Return the labels of columns and codes, for the columns that have some."""
    named = {name: text for name, text in meta.column_names_to_labels.items() if text}
    coded = meta.variable_value_labels
    return {
        name: ColumnLabels(
            text=named.get(name), values={_as_text(code): label for code, label in coded.get(name, {}).items()}
        )
        for name in data.columns
        if name in named or name in coded
    }


def _as_text(code: object) -> str:
    return str(int(code)) if isinstance(code, float) and code.is_integer() else str(code)


def _labeled(
    data: pl.DataFrame, labels: Mapping[str, Mapping[Any, str]], schema: TableSchema
) -> tuple[pl.DataFrame, list[str]]:
    """Replace codes by labels; also return the names of columns left as they are because a value has no label.

    A column of numbers often has labels for a few of them only, such as the ends of a scale; words among its numbers
    would make it neither. A column that the schema declares as numbers is left as it is, too.
    """
    unlabeled = []
    for name, label_of in labels.items():
        described = schema.columns.get(name)
        if described is not None and described.type == "number":
            continue
        codes = data[name].drop_nulls().unique()
        known = [label_of.get(code) for code in codes]
        if None in known:
            unlabeled.append(name)
            continue
        data = data.with_columns(pl.col(name).replace_strict(codes, known, return_dtype=pl.String, default=None))
    return data, unlabeled
