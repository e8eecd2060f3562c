"""The demographics and answers of one person who looks themselves up in a release of a survey."""

from collections.abc import Container
from dataclasses import replace

import polars as pl

from shoal.data import Microdata, Scale
from shoal.errors import WordingError
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.frames import ReadableData
from shoal.io.schemas import RatingsSchema, TableSchema
from shoal.io.tables.own_values import own_values, refuse_unless_one_line

from .own_ratings import OwnRatings, codes_on_scale, own_file

__all__ = ["read_own_survey"]


def read_own_survey(
    data: ReadableData, release: RatingsSchema, public: RatingsSchema | None, scale: Scale, items: Container[str]
) -> tuple[Microdata | None, OwnRatings, tuple[str, ...]]:
    """Read a file with a header and one line: columns of the release, and items that it has.

    Return the demographics, None where no column is named; the answers, of which an empty field says that none was
    given; and the other names. Of sets, an item that the person has is 1, and one that they do not have
    is 0 or empty. The ``public`` schema of the original explains labels, as for a table.
    """
    file = own_file(data)
    refuse_unless_one_line(file)
    if release.dates is not None:
        raise WordingError("The release says when answers were given, and one line of values does not say that.")
    columns = [name for name in file.names if name in release.columns]
    answered = [name for name in file.names if name in items and name not in release.columns]
    explained = None if public is None or not public.columns else _described(public)
    own = None if not columns else own_values(_of_columns(file, columns), _described(release), explained)
    line = file.frame(*answered) if answered else pl.DataFrame()
    marks = pl.Series([line[name].cast(pl.String)[0] for name in answered], dtype=pl.String)
    codes = codes_on_scale(marks, release, scale)
    others = tuple(name for name in file.names if name not in columns and name not in answered)
    return own, OwnRatings(pl.Series(answered, dtype=pl.String), codes), others


def _of_columns(file: TabularFile, names: list[str]) -> TabularFile:
    return replace(file, names=tuple(names), scan=file.scan.select(names), parts=())


def _described(schema: RatingsSchema) -> TableSchema:
    return TableSchema(columns=schema.columns, null=schema.null)
