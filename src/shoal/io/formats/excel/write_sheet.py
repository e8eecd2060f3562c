"""Write a workbook with one sheet, with xlsxwriter: text, numbers and dates, and never a formula."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import DataError, MissingExtraError

__all__ = ["writable_cells", "write_sheet"]

_MOST_ROWS, _MOST_COLUMNS, _LONGEST = 1_048_576, 16_384, 32_767
_LARGEST_WHOLE = 2**53
_FIRST_DAY = date(1900, 3, 1)
"""Excel takes 1900 for a leap year, so that days before this are ambiguous."""
_CURE = "Choose another format, such as --format csv or --format parquet."


def writable_cells(data: pl.DataFrame) -> pl.DataFrame:
    """Return what to write: values that a cell cannot hold are text; refuse what a sheet cannot hold at all."""
    if data.height >= _MOST_ROWS or data.width > _MOST_COLUMNS:
        raise DataError(
            f"A sheet of Excel has at most {_MOST_ROWS - 1:,} records and {_MOST_COLUMNS:,} columns, and these are "
            f"{data.height:,} records and {data.width:,} columns.",
            _CURE,
        )
    return pl.DataFrame([_writable(column) for column in data.iter_columns()])


def _writable(column: pl.Series) -> pl.Series:
    if column.dtype == pl.Date:
        return column if bool((column >= _FIRST_DAY).all()) else column.dt.strftime("%Y-%m-%d")
    if column.dtype == pl.Datetime:
        return column if _are_cells(column) else column.dt.strftime("%Y-%m-%dT%H:%M:%S%.f")
    if column.dtype.is_integer():
        return column if bool((column.cast(pl.Int128).abs() <= _LARGEST_WHOLE).all()) else column.cast(pl.String)
    if column.dtype.is_numeric():
        return column
    text = column.cast(pl.String)
    if bool((text.str.len_chars() > _LONGEST // 2).any()) and _is_too_long(text):
        raise DataError(
            f"A text of the column {column.name!r} is longer than the {_LONGEST:,} characters that a cell of Excel "
            "holds.",
            _CURE,
        )
    return text


def _are_cells(times: pl.Series) -> bool:
    """Tell whether times are whole seconds that a cell holds, and are not days: a cell at midnight is a day."""
    given = times.drop_nulls()
    whole = bool((given.dt.microsecond() == 0).all()) and bool((given.dt.date() >= _FIRST_DAY).all())
    return whole and not (given.dt.truncate("1d") == given).all()


def _is_too_long(text: pl.Series) -> bool:
    return any(len(word.encode("utf-16-le")) // 2 > _LONGEST for word in text.drop_nulls().unique())


def write_sheet(data: pl.DataFrame, path: Path) -> None:
    """Write a frame as the only sheet; the workbook does not say who made it, or when."""
    xlsxwriter, exact = _writers()
    book = xlsxwriter.Workbook(str(path), {"constant_memory": True})
    book.set_properties({"created": datetime(1980, 1, 1, tzinfo=UTC)})
    day, time = (book.add_format({"num_format": form}) for form in ("yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss"))
    sheet = book.add_worksheet("data", exact)
    for place, name in enumerate(data.columns):
        sheet.write_string(0, place, name)
    writers = [_cell_writer(sheet, dtype, day, time) for dtype in data.dtypes]
    for row, values in enumerate(data.iter_rows(), 1):
        for place, (value, write) in enumerate(zip(values, writers, strict=True)):
            if value is not None:
                write(row, place, value)
    book.close()


def _cell_writer(sheet: Any, dtype: pl.DataType, day: Any, time: Any) -> Any:
    if dtype == pl.String:
        return sheet.write_string
    if dtype.is_temporal():
        form = day if dtype == pl.Date else time
        return lambda row, place, value: sheet.write_datetime(row, place, value, form)
    return sheet.write_number


def _writers() -> tuple[Any, Any]:
    """Return the library, and its sheet changed so that it writes numbers exactly."""
    try:
        import xlsxwriter
        from xlsxwriter.worksheet import Worksheet
    except ImportError:
        raise MissingExtraError("Workbooks need the extra 'excel'.", "Run: pip install 'shoal[excel]'") from None

    class ExactWorksheet(Worksheet):
        """A sheet whose numbers have as many digits as it takes to read them back: the library writes 16."""

        def _xml_number_element(self, number: float, attributes: Any = ()) -> None:
            said = "".join(f' {key}="{value}"' for key, value in attributes)
            self.fh.write(f"<c{said}><v>{float(number)!r}</v></c>")

    return xlsxwriter, ExactWorksheet
