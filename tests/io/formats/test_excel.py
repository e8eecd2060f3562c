"""Workbooks are read as their owners see them, and written so that nothing in them is run."""

import zipfile
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from shoal.errors import DataError, FileError, InputError, SchemaError
from shoal.io import RatingsSchema, TableSchema, read
from shoal.io.formats import Location
from shoal.io.formats.data_files import open_data
from shoal.io.formats.excel import write_sheet
from shoal.io.formats.write_frames import write_frames

xlsxwriter = pytest.importorskip("xlsxwriter")
pytest.importorskip("fastexcel")


def workbook(path: Path, **sheets: list[list[Any]]) -> Path:
    book = xlsxwriter.Workbook(str(path))
    forms = {kind: book.add_format({"num_format": form}) for kind, form in FORMS.items()}
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        for row, cells in enumerate(rows):
            for place, cell in enumerate(cells):
                if cell is not None:
                    sheet.write(row, place, cell, *([forms[type(cell)]] if type(cell) in forms else []))
    book.close()
    return path


FORMS: dict[type, str] = {date: "dd.mm.yyyy", datetime: "dd.mm.yyyy hh:mm", time: "hh:mm:ss"}
ROWS = [["name", "age", "day"], ["ann", 30, date(2020, 1, 2)], ["bob", 31, date(2021, 1, 2)]]


def test_whole_numbers_are_whole_and_days_are_days(tmp_path: Path) -> None:
    rows = [
        ["whole", "real", "day", "when", "clock", "yes", "mixed", "none"],
        [1, 1.5, date(2020, 1, 2), datetime(2020, 1, 2, 3, 4), time(3, 4, 5), True, 1, None],
        [2, 2, date(1990, 1, 2), datetime(2020, 1, 2), time(23, 0), False, "a", None],
        [None, None, None, None, None, None, 2.5, None],
    ]
    frame = open_data(workbook(tmp_path / "a.xlsx", one=rows)).frame(*rows[0])
    assert frame.to_dict(as_series=False) == {
        "whole": [1, 2, None],
        "real": [1.5, 2.0, None],
        "day": [date(2020, 1, 2), date(1990, 1, 2), None],
        "when": [datetime(2020, 1, 2, 3, 4), datetime(2020, 1, 2), None],
        "clock": ["03:04:05", "23:00:00", None],
        "yes": [True, False, None],
        "mixed": ["1", "a", "2.5"],
        "none": [None, None, None],
    }
    assert frame.schema["whole"] == pl.Int64


def test_several_sheets_are_refused_by_name_until_one_is_chosen(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", people=ROWS, notes=[["see above"]], empty=[])
    with pytest.raises(SchemaError, match=r"2 sheets: 'people', 'notes'\. Say which: --sheet 'people'"):
        open_data(path)
    with pytest.raises(SchemaError, match=r"no sheet 'x'\. It has: 'people', 'notes', 'empty'"):
        open_data(Location(str(path), sheet="x"))
    assert open_data(Location(str(path), sheet="people")).rows == 2
    columns: Any = {name: {"role": "quasi-identifier"} for name in ROWS[0]}
    source = read(path, TableSchema(sheet="people", columns=columns))
    assert source.schema.sheet == "people"
    with pytest.raises(InputError, match="another sheet than --sheet"):
        read(Location(str(path), sheet="notes"), TableSchema(sheet="people", columns=columns))


def test_an_only_sheet_with_cells_is_taken(tmp_path: Path) -> None:
    assert open_data(workbook(tmp_path / "a.xlsx", empty=[], people=ROWS)).names == ("name", "age", "day")


def test_empty_rows_and_columns_at_the_end_are_left_out(tmp_path: Path) -> None:
    rows = [[*row, None, " "] for row in ROWS] + [[" "], [None, "  "]]
    file = open_data(workbook(tmp_path / "a.xlsx", one=rows))
    assert (file.rows, file.names) == (2, ("name", "age", "day"))
    assert "2 empty rows at its end are not read." in file.notes


def test_the_header_is_where_the_schema_says(tmp_path: Path) -> None:
    title = [[], ["Survey of 2020"], []]
    path = workbook(tmp_path / "a.xlsx", one=[*title, *ROWS])
    columns: Any = {name: {"role": "quasi-identifier"} for name in ROWS[0]}
    assert read(path, TableSchema(columns=columns, skip_lines=2)).records.frame().rows()[0][1] == 30  # type: ignore[union-attr]
    named = workbook(tmp_path / "b.xlsx", one=ROWS[1:])
    assert len(read(named, TableSchema(columns=columns, names=("name", "age", "day"))).records) == 2
    assert open_data(named, RatingsSchema(header=False)).names == ("column_1", "column_2", "column_3")
    with pytest.raises(SchemaError, match="names 2 columns, but"):
        open_data(named, RatingsSchema(names=("a", "b")))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["a", "a"], [1, 2]], "The columns 1 and 2 of a.xlsx have the same name"),
        ([["a", None, "c"], [1, 2, 3]], "The column 2 of a.xlsx has no name"),
        ([["a", "b"], [1, 2], [], [3, 4]], "Row 3 of a.xlsx is empty"),
    ],
)
def test_sheets_that_are_no_tables_are_refused(rows: list[list[Any]], message: str, tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match=message):
        open_data(workbook(tmp_path / "a.xlsx", one=rows))


def test_formulas_are_read_by_their_results_and_errors_are_missing(tmp_path: Path) -> None:
    book = xlsxwriter.Workbook(str(tmp_path / "a.xlsx"))
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, ["a", "b"])
    sheet.write_formula(1, 0, "=40+2", value=42)
    sheet.write_formula(2, 0, "=NA()", value="#N/A")
    sheet.write_column(1, 1, ["x", "y"])
    book.close()
    assert open_data(tmp_path / "a.xlsx").frame("a")["a"].to_list() == [42, None]


def test_nothing_that_is_written_is_a_formula_or_says_who_wrote_it_when(tmp_path: Path) -> None:
    frame = pl.DataFrame({"=1+1": ["=cmd()", "+1", "@x", "http://a.b"], "day": [date(2020, 1, 1)] * 4})
    write_frames(iter([(0, frame[:0]), (4, frame)]), 4, tmp_path / "a.xlsx")
    with zipfile.ZipFile(tmp_path / "a.xlsx") as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    sheet = texts["xl/worksheets/sheet1.xml"]
    assert "<f>" not in sheet
    assert "hyperlink" not in sheet
    about = texts["docProps/core.xml"]
    assert "<dc:creator></dc:creator>" in about
    assert about.count("1980-01-01T00:00:00Z") == 2
    assert open_data(tmp_path / "a.xlsx").frame("=1+1").to_series().to_list() == ["=cmd()", "+1", "@x", "http://a.b"]


def test_a_sheet_holds_so_many_records_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_sheet, "_MOST_ROWS", 4)
    for rows in (3, 4):
        frame = pl.DataFrame({"a": range(rows)})
        blocks = iter([(0, frame[:0]), (rows, frame)])
        if rows == 3:
            write_frames(blocks, rows, tmp_path / "a.xlsx")
            continue
        with pytest.raises(DataError, match=r"at most 3 records.*--format csv"):
            write_frames(blocks, rows, tmp_path / "a.xlsx")


def test_a_workbook_from_standard_input_or_without_an_ending_is_recognized(tmp_path: Path) -> None:
    workbook(tmp_path / "a.xlsx", one=ROWS).rename(tmp_path / "workbook")
    assert open_data(tmp_path / "workbook").rows == 2
    (tmp_path / "broken.xlsx").write_bytes(b"PK\x03\x04 and then nothing")
    with pytest.raises(FileError, match="damaged, protected by a password"):
        open_data(tmp_path / "broken.xlsx")
