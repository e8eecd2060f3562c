"""Data in several files, such as ``part-0.parquet``, ``part-1.parquet``: one table, in the order of their names."""

import re
from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from shoal.errors import FileError, SchemaError
from shoal.io.schemas import Schema

from .contents import Contents
from .registry import file_format, open_tabular
from .tabular_file import TabularFile

__all__ = ["open_parts"]

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")


def open_parts(contents: Sequence[Contents], schema: Schema | None) -> TabularFile:
    """Open files as one; refuse parts of several formats, or with other columns or types than the first."""
    first, *others = contents
    if not others and not first.partition:
        return open_tabular(first, schema)
    _refuse_mixture(contents)
    files = _with_partitions([(each, open_tabular(each, schema)) for each in contents])
    columns = files[0].scan.collect_schema()
    for file in files[1:]:
        columns = _same_columns(columns, file, files[0])
    parts = tuple((_with_types(file.scan, columns), file.rows) for file in files)
    name = first.location.name if first.location is not None else first.name
    note = f"It is made of {len(files):,} parts, read in the order of their names."
    notes = (*files[0].notes, *([note] if others else []))
    rows, whole = sum(file.rows for file in files), pl.concat([scan for scan, _ in parts])
    return replace(files[0], name=name, names=tuple(columns), scan=whole, rows=rows, notes=notes, parts=parts)


def _with_types(scan: pl.LazyFrame, columns: pl.Schema) -> pl.LazyFrame:
    """Return a part with the types that all parts together have; one that has them is left as it is."""
    if list(scan.collect_schema().items()) == list(columns.items()):
        return scan
    return scan.select(pl.col(name).cast(dtype) for name, dtype in columns.items())


def _refuse_mixture(contents: Sequence[Contents]) -> None:
    found = {format_.name: format_ for format_ in map(file_format, contents)}
    if len(found) > 1:
        titles = " and ".join(sorted(each.title for each in found.values()))
        raise FileError(
            f"The parts are files of several formats: {titles}.",
            "Name those that belong together by a pattern, such as 'folder/*.parquet'.",
        )
    only = next(iter(found.values()))
    if not only.streamed:
        raise FileError(f"{only.title} files are read one at a time, and these are {len(contents):,}.", "Name one.")


def _same_columns(columns: pl.Schema, file: TabularFile, first: TabularFile) -> pl.Schema:
    """Return the types of columns so far and of another part together; the order of its columns may differ."""
    other = file.scan.collect_schema()
    for name in (*columns, *other):
        if name not in other or name not in columns:
            lacking, having = (file, first) if name not in other else (first, file)
            raise SchemaError(
                f"The part {having.name} has a column {name!r}, and the part {lacking.name} has none.",
                "Parts of one table have the same columns.",
            )
        if pl.Null not in (columns[name], other[name]) and not _are_alike(columns[name], other[name], file):
            raise SchemaError(
                f"The column {name!r} is of another type in the part {file.name} ({other[name]}) than in the parts "
                f"before it ({columns[name]}).",
                "Write all parts with the same types.",
            )
    if file.settings != first.settings:
        raise SchemaError(
            f"The part {file.name} is laid out in another way than the part {first.name}.",
            'Say in the schema what is common to all parts, such as delimiter = ";" or encoding = "cp1252".',
        )
    return pl.Schema({name: _wider(dtype, other[name]) for name, dtype in columns.items()})


def _are_alike(one: pl.DataType, other: pl.DataType, file: TabularFile) -> bool:
    """Tell whether types are the same; where a file does not say any, a part may happen to have whole numbers only."""
    return one == other or (not file.types and {one, other} == {pl.Int64(), pl.Float64()})


def _wider(one: pl.DataType, other: pl.DataType) -> pl.DataType:
    return other if one == pl.Null or other == pl.Float64 else one


def _with_partitions(files: list[tuple[Contents, TabularFile]]) -> list[TabularFile]:
    """Add the columns that folders named ``column=value`` stand for."""
    keys = {tuple(key for key, _ in contents.partition) for contents, _ in files}
    if len(keys) > 1:
        raise FileError("The parts lie in folders of different depth.", "Name one level of folders by a pattern.")
    added: list[TabularFile] = [file for _, file in files]
    for place, key in enumerate(next(iter(keys))):
        values = [contents.partition[place][1] for contents, _ in files]
        whole = not added[0].as_written and all(value is None or _INTEGER.fullmatch(value) for value in values)
        dtype = pl.Int64() if whole else pl.String()
        added = [_with_column(file, key, value, dtype) for file, value in zip(added, values, strict=True)]
    return added


def _with_column(file: TabularFile, name: str, value: str | None, dtype: pl.DataType) -> TabularFile:
    if name in file.names:
        raise SchemaError(f"The column {name!r} is in the file {file.name} and in the name of its folder.")
    literal = pl.lit(value, dtype=pl.String).cast(dtype).alias(name)
    return replace(file, names=(*file.names, name), scan=file.scan.with_columns(literal))
