"""What a ledger keeps is what was there."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, assume, given, settings

from shoal.data import Column, Hierarchy, Microdata, Role, Vocabulary
from shoal.errors import FileError
from shoal.io import TableSchema
from shoal.io.folders.ledger import read_ledger, write_ledger
from shoal.release import Ledger
from shoal.testing import tables


def kept(table: Microdata, folder: Path) -> Microdata:
    names = np.array([f"p{row}".encode() for row in range(len(table))])
    folder.mkdir(exist_ok=True)
    schema = TableSchema(columns={"any": {"role": "drop"}})  # type: ignore[dict-item]
    write_ledger(Ledger(table, np.arange(len(table)), names, {}, None), schema, "", folder)
    original = read_ledger(folder).original
    assert isinstance(original, Microdata)
    return original


def published(column: Column) -> list | None:
    """The labels of every record, level by level, and how many leaves each of them has."""
    hierarchy = column.hierarchy
    if hierarchy is None:
        return None
    levels = []
    for level in range(1, hierarchy.height + 1):
        codes = hierarchy.generalized(column.codes, level)
        words = hierarchy.labels[level].take(codes).cast(pl.String).to_list()
        levels.append(list(zip(words, hierarchy.leaves[level][codes].tolist(), strict=True)))
    return levels


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(table=tables())
def test_hierarchies_are_kept(table: Microdata, tmp_path: Path) -> None:
    assume(not any("" in column.vocabulary.values.cast(pl.String) for column in table.columns))  # files have no such
    again = kept(table, tmp_path / "ledger")
    for column in table.columns:
        assert published(again[column.name]) == published(column)


def test_leaves_that_nobody_has_are_kept(tmp_path: Path) -> None:
    column = Column.encode("land", Role.QUASI_IDENTIFIER, pl.Series(["Japan", "Spain", "Japan"]))
    tree = {"Europe": ["France", "Spain"], "Asia": ["Japan", "China", "India"]}
    column = column.with_hierarchy(Hierarchy.from_tree(column.vocabulary, tree))
    again = kept(Microdata((column,)), tmp_path)["land"].hierarchy
    assert again is not None
    assert [counts.tolist() for counts in again.leaves] == [[1, 1], [3, 2], [5]]


@pytest.mark.parametrize("text", ["", "[]", '{"land": 1}', '{"land": [["Spain"], ["*"]]}', '{"sea": [["a"], ["*"]]}'])
def test_hierarchies_that_were_altered_are_refused(text: str, tmp_path: Path) -> None:
    column = Column.encode("land", Role.QUASI_IDENTIFIER, pl.Series(["Japan", "Spain"]))
    kept(Microdata((column,)), tmp_path)
    (tmp_path / "hierarchies.json").write_text(text)
    with pytest.raises(FileError, match="damaged"):
        read_ledger(tmp_path)


def test_a_ledger_without_hierarchies_is_read(tmp_path: Path) -> None:
    vocabulary = Vocabulary(pl.Series(["Japan", "Spain"]))
    column = Column("land", Role.QUASI_IDENTIFIER, vocabulary, np.array([0, 1], np.int32))
    kept(Microdata((column,)), tmp_path)
    (tmp_path / "hierarchies.json").unlink()
    assert read_ledger(tmp_path).original["land"].hierarchy is None  # type: ignore[index]
