"""The laws of readers: what was written is read back, whatever the order of its lines, and a torn file is refused."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.data import Microdata, Ratings, Records, Survey
from shoal.errors import InputError

__all__ = ["check_reader"]


def check_reader(
    read: Callable[[Path], Records],
    write: Callable[[Records, Path], None],
    written: st.SearchStrategy[Records],
    *,
    name: str = "data.csv",
    torn: bool = False,
    examples: int = 30,
) -> None:
    """Check that a reader returns what a writer wrote, and refuses an empty file as bad input.

    ``written`` draws records that the format can hold; with ``torn``, a file cut off in the middle must be refused,
    which only formats that know their own end can do.
    """

    @settings(max_examples=examples, deadline=None)
    @given(written)
    def law(data: Records) -> None:
        with TemporaryDirectory() as folder:
            file = Path(folder) / name
            write(data, file)
            assert _plain(read(file)) == _plain(data), "what was written is not what is read back"
            whole = file.read_bytes()
            _check_refused(read, file, b"")
            if torn:
                _check_refused(read, file, whole[: len(whole) // 2])

    law()


def _plain(data: Records) -> object:
    """Return the outside values of records, in an order of their own."""
    if isinstance(data, Ratings):
        return data.scale, sorted(_people(data))
    if isinstance(data, Survey):
        roles = [(column.name, column.role) for column in data.table.columns]
        return data.ratings.scale, roles, sorted(zip(_people(data.ratings), _rows(data.table), strict=True))
    assert isinstance(data, Microdata)
    return [(column.name, column.role) for column in data.columns], sorted(_rows(data))


def _people(data: Ratings) -> list[tuple[str, list[tuple[str, bool, str]]]]:
    people = data.users.values.cast(pl.String).to_list()
    return list(zip(people, [_rated(data, row) for row in range(len(data))], strict=True))


def _rows(data: Microdata) -> list[list[str]]:
    columns = [column.values.cast(pl.String).to_list() for column in data.columns]
    return [[str(column[row]) for column in columns] for row in range(len(data))]


def _rated(data: Ratings, row: int) -> list[tuple[str, bool, str]]:
    rated = []
    for is_sensitive, matrix in ((False, data.observable), (True, data.sensitive)):
        names = matrix.items.values.cast(pl.String).to_list()
        here = slice(int(matrix.indptr[row]), int(matrix.indptr[row + 1]))
        marks = data.scale.decode(matrix.codes[here]).tolist()
        rated += [(names[i], is_sensitive, str(mark)) for i, mark in zip(matrix.indices[here], marks, strict=True)]
    return sorted(rated)


def _check_refused(read: Callable[[Path], Records], file: Path, content: bytes) -> None:
    file.write_bytes(content)
    try:
        read(file)
    except InputError:
        return
    raise AssertionError("a file that is empty or torn is not refused")
