"""What a file of SPSS or Stata is to hold: codes with their labels, in types that it can hold."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from shoal.assumed import assume
from shoal.errors import DataError, FileError, MissingExtraError, SchemaError
from shoal.io.schemas import ColumnLabels, Schema

__all__ = ["LabeledFrame", "Limits", "labeled_frame", "unwritable_as_refusal"]

_ANOTHER = "Choose another format, such as --format csv or --format parquet"


@dataclass(frozen=True)
class Limits:
    """What the files of a program can hold."""

    title: str
    name: re.Pattern[str]
    names: str
    """What a name may be, in words."""
    bytes_of_name: int
    bytes_of_text: int
    bytes_of_column_label: int
    bytes_of_value_label: int
    letters_of_column_label: int
    largest_code: int | None = None
    """The largest code that may have a label, where only whole numbers may."""

    def may_have_label(self, code: int | float) -> bool:
        """Tell whether a code may have a label."""
        return self.largest_code is None or (isinstance(code, int) and abs(code) <= self.largest_code)


@dataclass(frozen=True, repr=False)
class LabeledFrame:
    """Codes and their labels."""

    codes: pl.DataFrame
    texts: dict[str, str | None]
    """The label of each column that has one."""
    values: dict[str, dict[int | float, str]]
    """The label of each code that has one, by column."""


def labeled_frame(data: pl.DataFrame, schema: Schema | None, limits: Limits) -> LabeledFrame:
    """Return what to write: columns of labels as codes where the schema knows them; refuse what a file cannot hold."""
    _refuse_names(data.columns, limits)
    labels = {} if schema is None else {name: each for name, each in schema.labels.items() if name in data.columns}
    texts: dict[str, str | None] = {
        name: _shortened(each.text, name, limits.bytes_of_column_label, limits, limits.letters_of_column_label)
        for name, each in labels.items()
        if each.text is not None
    }
    columns, values = [], {}
    for column in data.iter_columns():
        codes, coded = _coded(column, labels.get(column.name), limits)
        columns.append(codes)
        values |= {column.name: coded} if coded else {}
    return LabeledFrame(pl.DataFrame(columns), texts, values)


def _coded(column: pl.Series, labels: ColumnLabels | None, limits: Limits) -> tuple[pl.Series, dict[int | float, str]]:
    """Return a column as it is written, and the labels of its codes."""
    known = {} if labels is None else {code: label for code, label in labels.values.items() if _is_number(code)}
    codes = {_number(code): label for code, label in known.items() if limits.may_have_label(_number(code))}
    if column.dtype.is_numeric():
        longest = limits.bytes_of_value_label
        return column, {code: _shortened(label, column.name, longest, limits) for code, label in codes.items()}
    if column.dtype != pl.String:
        return _timely(column), {}
    words = column.drop_nulls().unique()
    # a file is read by its labels: one that would have to be shortened stays text
    whole = {code: label for code, label in codes.items() if len(label.encode()) <= limits.bytes_of_value_label}
    code_of = {label: code for code, label in reversed(whole.items())}
    if whole and set(words) <= code_of.keys():
        numbers = [code_of[word] for word in words]
        kind = pl.Int64 if all(isinstance(number, int) for number in numbers) else pl.Float64
        return column.replace_strict(words, numbers, default=None, return_dtype=kind), whole
    longest = column.str.len_bytes().max()
    if isinstance(longest, int) and longest > limits.bytes_of_text:
        raise DataError(
            f"A text of the column {column.name!r} is longer than the {limits.bytes_of_text:,} bytes that a file of "
            f"{limits.title} holds.",
            f"{_ANOTHER}.",
        )
    return column, {}


def _shortened(label: str, column: str, longest: int, limits: Limits, letters: int | None = None) -> str:
    """Return a label that a file can hold, and tell if it is shorter: the writers cut within a letter, or fail."""
    if len(label.encode()) <= longest and len(label) <= (letters or longest):
        return label
    assume(f"Labels of the column {column!r} are longer than {limits.title} allows, and are shortened in its file.")
    kept = label[: (letters or longest) - 1].encode()[: longest - len("…".encode())]
    return f"{kept.decode(errors='ignore')}…"


def _timely(column: pl.Series) -> pl.Series:
    """Return days and times as they are, but for times with parts of seconds: those are written as text."""
    if column.dtype == pl.Datetime and bool((column.dt.microsecond() != 0).any()):
        return column.dt.strftime("%Y-%m-%dT%H:%M:%S%.f")
    return column


def _is_number(code: str) -> bool:
    return re.fullmatch(r"-?[0-9]{1,15}(?:\.[0-9]+)?", code) is not None


def _number(code: str) -> int | float:
    return float(code) if "." in code else int(code)


def _refuse_names(names: list[str], limits: Limits) -> None:
    for name in names:
        if not limits.name.fullmatch(name) or len(name.encode()) > limits.bytes_of_name:
            raise SchemaError(
                f"A file of {limits.title} cannot have a column named {name!r}. {limits.names}.",
                "Rename it in the data, or choose another format, such as --format csv.",
            )
    if len({name.lower() for name in names}) < len(names):
        raise SchemaError(
            f"Two columns have the same name but for capital letters, which {limits.title} takes for one.",
            "Rename one of them in the data, or choose another format, such as --format csv.",
        )


@contextmanager
def unwritable_as_refusal(path: Path, limits: Limits) -> Iterator[None]:
    """Report whatever the writer says as one sentence: its own words may quote the data."""
    try:
        yield
    except (OSError, MissingExtraError):
        raise
    except Exception:  # noqa: BLE001 - the writers raise whatever their C library says
        raise FileError(f"{path.name} holds something that {limits.title} does not allow.", f"{_ANOTHER}.") from None
