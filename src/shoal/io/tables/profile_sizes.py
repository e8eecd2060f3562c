"""How many people stand behind published records, stated in a file beside the data.

For ratings the file says how many people each record stands for. For a table it says how many people each equivalence
class contains and, where promises need it, how many of them have each sensitive value; a line names the class by any
one of its records.
"""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from shoal.data import ClassPeople, Microdata, Ratings, Records, Role
from shoal.engines import LocalEngine
from shoal.errors import DataError, FileError
from shoal.io.formats.formula_escapes import escaped_cells, unescaped_cells
from shoal.io.schemas import RatingsSchema, TableSchema
from shoal.io.source import Source

__all__ = [
    "PEOPLE_FILE",
    "join_people",
    "people_by_record",
    "people_lines",
    "stated_lines",
    "states_people",
    "unfit_people",
    "with_people",
    "write_people",
    "write_people_lines",
]

PEOPLE_FILE = "people.csv"


def states_people(records: Records) -> bool:
    """Tell whether published records come with a file that says how many people stand behind them."""
    several = records.people if isinstance(records, Ratings) else None
    return several is not None or records.stated is not None


def with_people(source: Source) -> Source:
    """Return the source with the numbers of people from the file that its schema names, if it names one."""
    schema, records = source.schema, source.records
    if schema.people is None:
        return source
    path = Path(schema.people)
    if isinstance(schema, RatingsSchema) and isinstance(records, Ratings):
        return replace(source, records=replace(records, people=_of_profiles(path, records)))
    assert isinstance(schema, TableSchema)
    assert isinstance(records, Microdata)
    return replace(source, records=replace(records, stated=_Statement(path, records).read()))


def write_people(records: Records, path: Path) -> None:
    """Write the file that :func:`with_people` reads."""
    if isinstance(records, Ratings):
        pl.DataFrame({"record": records.users.values.cast(pl.String), "people": records.people}).write_csv(path)
        return
    assert isinstance(records, Microdata)
    assert records.stated is not None
    stated, labels = records.stated, LocalEngine().group(records).labels
    names = records.with_role(Role.IDENTIFIER)[0].values.cast(pl.String)
    lines = [people_lines(names, None, np.unique(labels, return_index=True)[1], stated.in_class)]
    for name, people in stated.with_value.items():
        column = records[name]
        firsts = np.unique(labels * len(column.vocabulary) + column.codes, return_index=True)[1]
        lines.append(people_lines(names, name, firsts, people))
    write_people_lines(pl.concat(lines), path)


def write_people_lines(lines: pl.DataFrame, path: Path, *, header: bool = True) -> None:
    """Write lines of people as a file, or as part of one."""
    escaped_cells(lines).write_csv(path, include_header=header)


def join_people(parts: Sequence[Path], path: Path) -> None:
    """Write the file of people from its parts, which have no header, and remove them."""
    with path.open("wb") as whole:
        whole.write((",".join(_COLUMNS) + "\n").encode())
        for part in parts:
            with part.open("rb") as file:
                shutil.copyfileobj(file, whole)
            part.unlink()


_COLUMNS = {"record": pl.String, "attribute": pl.String, "people": pl.Int64}


def people_lines(names: pl.Series, attribute: str | None, rows: np.ndarray, people: np.ndarray) -> pl.DataFrame:
    """Return lines that state how many people the classes are of that some rows name."""
    return pl.DataFrame(
        {"record": names.gather(rows), "attribute": [attribute] * len(rows), "people": people[rows]}, schema=_COLUMNS
    )


def _read(path: Path, width: int, meaning: str) -> pl.DataFrame:
    try:
        said = pl.read_csv(path, infer_schema=False)
    except (OSError, pl.exceptions.PolarsError):
        raise FileError(
            f"The file {path.name}, which the schema names, cannot be read.", "Check that it is there."
        ) from None
    if said.width != width:
        raise FileError(f"The file {path.name} must have {width} columns: {meaning}.")
    said.columns = list(_COLUMNS) if width == len(_COLUMNS) else ["record", "people"]
    return unescaped_cells(said.lazy()).collect().with_columns(pl.col("people").cast(pl.Int64, strict=False))


def people_by_record(path: Path) -> pl.DataFrame:
    """Return what a file beside ratings states: the ``people`` that each ``record`` stands for, sorted by record."""
    said = _read(path, 2, "the record, and the number of people it stands for").sort("record")
    if said["record"].is_duplicated().any() or said.null_count().sum_horizontal().item() or (said["people"] < 1).any():
        raise DataError(f"The file {path.name} must list every record once, with a whole number of at least 1.")
    return said


def _of_profiles(path: Path, ratings: Ratings) -> np.ndarray:
    said = _read(path, 2, "the record, and the number of people it stands for")
    asked = pl.DataFrame({"record": ratings.users.values.cast(pl.String)})
    numbers = asked.join(said, on="record", how="left", maintain_order="left")["people"]
    good = len(numbers) == len(asked) == len(said) and not numbers.null_count() and bool((numbers >= 1).all())
    if not good or ratings.has_sensitive:
        raise DataError(
            f"The file {path.name} must list every record of the data once, with a whole number of at least 1; and "
            "data with such a file must not have sensitive ratings."
        )
    return numbers.to_numpy().astype(np.int64)


class _Statement:
    """The numbers of people by equivalence class that a file states for a published table."""

    def __init__(self, path: Path, table: Microdata) -> None:
        self._path, self._table = path, table
        self._labels = LocalEngine().group(table).labels
        identifiers = table.with_role(Role.IDENTIFIER)
        if len(identifiers) != 1 or identifiers[0].counts.max(initial=0) > 1:
            raise self._unfit()
        self._names = pl.DataFrame({"record": identifiers[0].values.cast(pl.String)}).with_row_index("row")

    def read(self) -> ClassPeople:
        """Return the numbers by record; refuse a file that does not fit the records."""
        said = stated_lines(self._path)
        by_attribute = {key[0]: lines for key, lines in said.group_by("attribute")}
        in_class = self._numbers(by_attribute.pop(None, None), self._labels)
        with_value = {}
        for column in self._table.sensitive if by_attribute else ():
            pairs = self._labels * len(column.vocabulary) + column.codes
            people = self._numbers(by_attribute.pop(column.name, None), pairs, in_class)
            if not self._are_enough(people, pairs, in_class):
                raise self._unfit()
            with_value[column.name] = people
        if by_attribute:
            raise self._unfit()
        return ClassPeople(in_class, with_value)

    def _numbers(self, said: pl.DataFrame | None, labels: np.ndarray, most: np.ndarray | None = None) -> np.ndarray:
        """Return the people of the class of each record; a class is named once, and has no more people than records."""
        if said is None:
            raise self._unfit()
        rows = said.join(self._names, on="record", how="left", maintain_order="left")["row"]
        if rows.null_count():
            raise self._unfit()
        places, classes, records = np.unique(labels, return_inverse=True, return_counts=True)
        named = classes[rows.to_numpy()]
        if len(named) != len(places) or len(np.unique(named)) != len(places):
            raise self._unfit()
        people = np.zeros(len(places), np.int64)
        people[named] = said["people"].to_numpy()
        numbers = people[classes]
        if (people > records).any() or (most is not None and (numbers > most).any()):
            raise self._unfit()
        return numbers

    def _are_enough(self, people: np.ndarray, pairs: np.ndarray, in_class: np.ndarray) -> bool:
        """Tell whether the people of all values of a class add up to those of the class: everybody has a value."""
        firsts = np.unique(pairs, return_index=True)[1]
        together = np.bincount(self._labels[firsts], people[firsts])
        return bool((together[self._labels] >= in_class).all())

    def _unfit(self) -> DataError:
        return unfit_people(self._path)


def stated_lines(path: Path) -> pl.DataFrame:
    """Return the lines of a file of people of a table; refuse those without a record or with no number above 0."""
    said = _read(path, 3, "a record of the class, a sensitive attribute or nothing, and the number of people")
    if said["people"].null_count() or said["record"].null_count() or bool((said["people"] < 1).any()):
        raise unfit_people(path)
    return said


def unfit_people(path: Path) -> DataError:
    """Return the error that says that a file of people does not fit the records."""
    return DataError(
        f"The file {path.name} does not fit the data. It must state for every equivalence class one "
        "number of people, from 1 to the number of its records, and likewise for every sensitive value in it or "
        "for none; and the people of all values of a class must add up to at least those of the class."
    )
