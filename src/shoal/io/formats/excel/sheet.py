"""One sheet of a workbook as named columns, read with fastexcel."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import polars as pl

from shoal.errors import FileError, MissingExtraError, SchemaError
from shoal.io.formats.contents import Contents
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.formats.whole_numbers import with_whole_numbers
from shoal.io.schemas import Schema

__all__ = ["read_sheet"]


def read_sheet(contents: Contents, schema: Schema | None) -> TabularFile:
    """Read a sheet; its first row that is not empty, after ``skip_lines``, names the columns unless the schema does."""
    with _faults_of(contents):
        workbook = _fastexcel().read_excel(contents.path if contents.path is not None else contents.data)
        sheet = _chosen(contents, schema, workbook)
        grid = workbook.load_sheet(sheet, header_row=None, dtypes="string").to_polars()
        above = workbook.load_sheet(sheet, header_row=None, skip_rows=0, dtypes="string").height - grid.height
        skip = (schema.skip_lines if schema else 0) + (schema is None or schema.has_header)
        names = _names(contents, schema, grid, skip)
        used = _used(grid, skip)
        cells = workbook.load_sheet(
            sheet,
            header_row=None,
            skip_rows=above + skip,
            schema_sample_rows=None,
            column_names=[f"column {place}" for place in range(grid.width)],
        ).to_polars()
    _refuse_blank_row(contents.name, used, above + skip)
    data = _plain_types(cells.head(len(used)).select(cells.columns[: len(names)]))
    data.columns = names
    notes = [*contents.notes, f"It is the sheet {sheet!r} of a workbook."]
    if grid.height - skip > len(used):
        notes.append(f"{grid.height - skip - len(used):,} empty rows at its end are not read.")
    settings = {} if schema is None or schema.sheet is None else {"sheet": sheet}
    return TabularFile(contents.name, tuple(names), data.lazy(), data.height, False, tuple(notes), settings)


def _fastexcel() -> Any:
    try:
        import fastexcel
    except ImportError:
        raise MissingExtraError("Workbooks need the extra 'excel'.", "Run: pip install 'shoal[excel]'") from None
    # it logs the columns that it finds empty, which is no news
    logging.getLogger("fastexcel").setLevel(logging.ERROR)
    return fastexcel


@contextmanager
def _faults_of(contents: Contents) -> Iterator[None]:
    """Report whatever goes wrong inside the reader as an error of the file, without words that may quote the data."""
    damaged = FileError(
        f"{contents.name} is damaged, protected by a password or not of the format its name says.",
        "Open it in a spreadsheet program and save it as .xlsx.",
    )
    try:
        yield
    except (FileError, SchemaError, MissingExtraError):
        raise
    except Exception:  # noqa: BLE001 - the reader is written in another language, and has errors of its own
        raise damaged from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise damaged from None


def _chosen(contents: Contents, schema: Schema | None, workbook: Any) -> str:
    """Return the name of the sheet to read; sheets without any cell do not count."""
    asked = contents.location.sheet if contents.location is not None else None
    wanted = asked if asked is not None else schema.sheet if schema is not None else None
    if wanted is not None and wanted not in workbook.sheet_names:
        raise SchemaError(f"{contents.name} has no sheet {wanted!r}.", f"It has: {_listed(workbook.sheet_names)}.")
    if wanted is not None:
        return wanted
    filled = [name for name in workbook.sheet_names if workbook.load_sheet(name, header_row=None, n_rows=1).width]
    if not filled:
        raise FileError(f"{contents.name} has no cells.", "Give a workbook with records.")
    if len(filled) > 1:
        raise SchemaError(
            f"{contents.name} has {len(filled)} sheets: {_listed(filled)}.",
            f"Say which: --sheet {filled[0]!r}, or sheet = {_quoted(filled[0])} in the schema.",
        )
    return filled[0]


def _listed(names: list[str]) -> str:
    return ", ".join(map(repr, names[:10])) + (", …" if len(names) > 10 else "")


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _names(contents: Contents, schema: Schema | None, grid: pl.DataFrame, skip: int) -> list[str]:
    """Return the names of the columns, without columns at the right that have neither a name nor a cell."""
    filled = [not grid[name][skip:].str.strip_chars().replace("", None).is_null().all() for name in grid.columns]
    has_header = schema is None or schema.has_header
    header = [(name or "").strip() for name in grid.row(skip - 1)] if has_header and grid.height >= skip else []
    named = [bool(name) for name in header] or [False] * grid.width
    width = max((place + 1 for place in range(grid.width) if filled[place] or named[place]), default=0)
    if schema is not None and schema.names is not None:
        if len(schema.names) != width:
            raise SchemaError(f"The schema names {len(schema.names)} columns, but {contents.name} has {width}.")
        return list(schema.names)
    if not has_header:
        return [f"column_{place + 1}" for place in range(width)]
    return _checked(contents.name, header[:width])


def _checked(file: str, names: list[str]) -> list[str]:
    where = "Write one name in each cell of the row above the records; skip_lines = 2 skips two rows before it."
    if not names:
        raise SchemaError(f"{file} has no row that names the columns.", where)
    for place, name in enumerate(names, 1):
        if not name:
            raise SchemaError(f"The column {place} of {file} has no name.", where)
        if names.index(name) + 1 != place:  # by position: where the header was forgotten, a name is a value
            raise SchemaError(f"The columns {names.index(name) + 1} and {place} of {file} have the same name.", where)
    return names


def _used(grid: pl.DataFrame, skip: int) -> pl.Series:
    """Return for each record down to the last that has a cell whether it is empty."""
    no_cell = pl.all_horizontal(pl.all().str.strip_chars().replace("", None).is_null())
    empty = grid[skip:].select(no_cell.alias("empty"))["empty"]
    filled = (~empty).arg_true()
    return empty[: int(filled[-1]) + 1] if len(filled) else empty[:0]


def _refuse_blank_row(name: str, empty: pl.Series, skipped: int) -> None:
    if empty.any():
        row = int(empty.arg_true()[0]) + skipped + 1
        raise SchemaError(f"Row {row:,} of {name} is empty, and records follow.", "Remove empty rows between records.")


def _plain_types(cells: pl.DataFrame) -> pl.DataFrame:
    """Return whole numbers as whole, days as dates, and times of day as text: a workbook has numbers only."""
    return with_whole_numbers(pl.DataFrame([_plain_times(column) for column in cells.iter_columns()]))


def _plain_times(column: pl.Series) -> pl.Series:
    if column.dtype == pl.Duration:
        return column.dt.to_string("iso")
    if column.dtype != pl.Datetime:
        return column
    times = column.dt.cast_time_unit("us")
    if bool((times.dt.year() < 1900).all()):  # the day before the first one: a time of day
        return times.dt.strftime("%H:%M:%S")
    return times.dt.date() if bool((times.dt.truncate("1d") == times).all()) else times
