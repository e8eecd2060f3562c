"""How an owner reads the labels of a release: by the schema of the original and the hierarchies of the ledger."""

import json
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from shoal.data import Hierarchy
from shoal.data.same_values import exact_number
from shoal.data.time_span import time_span
from shoal.data.written_label import ROOT
from shoal.io.folders.ledger import KEPT_HIERARCHIES, damage_told, open_ledger
from shoal.io.schemas import Schema
from shoal.io.schemas.schema_of import tree_of
from shoal.labels.parsed_label import possible_readings

__all__ = ["explaining_schema"]

Levels = list[list[str | None]]
"""The labels of each level of a hierarchy, one a leaf."""


def explaining_schema(ledger: str | Path) -> Schema:
    """Return the schema of the original with the hierarchies that the ledger keeps and that labels need.

    Labels that say themselves what they stand for, such as intervals, need none: a hierarchy that was built from the
    data lists no other values than theirs, and whoever asks may have another.
    """
    opened = open_ledger(ledger, whole=False)
    with damage_told(opened.folder):
        kept = _kept(opened.folder / KEPT_HIERARCHIES)
        trees = {name: _tree(levels) for name, levels in kept.items() if _has_words(levels)}
    columns = {
        name: column.model_copy(update={"hierarchy": trees[name]}) if name in trees else column
        for name, column in opened.schema.columns.items()
    }
    return opened.schema.model_copy(update={"columns": columns})


def _kept(file: Path) -> Mapping[str, Levels]:
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def _tree(levels: Levels) -> object:
    return tree_of(Hierarchy.from_columns([pl.Series(level, dtype=pl.String) for level in levels]))


def _has_words(levels: Levels) -> bool:
    """Decide whether a label above the values is a word that does not say what it stands for."""
    values = {*levels[0], ROOT, None}
    return any(_is_word(label) for level in levels[1:] for label in set(level) - values if label is not None)


def _is_word(label: str) -> bool:
    is_plain = all(reading.form == "word" for reading in possible_readings(label))
    return is_plain and exact_number(label) is None and time_span(label) is None
