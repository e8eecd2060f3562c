"""Schemas: how a file is laid out, and what its columns mean for privacy."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import tomli_w
from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from shoal.data import PRESENT, Role, Scale
from shoal.errors import FileError, SchemaError

from .column_labels import ColumnLabels
from .column_schema import ColumnSchema
from .hierarchy_schema import HierarchySchema
from .strict_model import FileName, FiniteNumber, StrictModel, finite_number, is_encoding

__all__ = [
    "AttributesSchema",
    "Layout",
    "RatingsSchema",
    "Schema",
    "TableSchema",
    "read_schema",
    "schema_of_kind",
]


def _number_or_text(value: object) -> object:
    return value if isinstance(value, str) else finite_number(value)


Mark = Annotated[int | float | str, BeforeValidator(_number_or_text)]
_MOST_LINES = 1_000_000_000
_MOST_WEIGHT_CLASSES = 100
Layout = Literal["long", "wide", "baskets", "movielens", "netflix"]


class _FileSchema(StrictModel):
    """Settings of any file of records, whatever its kind."""

    delimiter: str | None = None
    """The character between fields; if omitted, it is recognized: comma, semicolon, tab, bar or space."""
    header: bool | None = None
    """Whether the first line names the columns: true, unless ``names`` are given."""
    names: tuple[str, ...] | None = None
    """The names of the columns in file order, for files without a header."""
    quotes: bool = True
    """Whether a field that begins with ``"`` runs to the next ``"``; false reads quotes as ordinary characters."""
    skip_lines: int = Field(default=0, ge=0, le=_MOST_LINES)
    """How many lines to skip before the header or the first record."""
    escaped_formulas: bool = False
    """Whether cells that a spreadsheet would run as formulas were escaped with an apostrophe, to be removed."""
    encoding: str | None = None
    """The encoding of text; if omitted, UTF-8 where that is valid, and otherwise a guess that is told."""
    sheet: str | None = None
    """The sheet of a workbook to read, where it has several."""
    query: str | None = None
    """What to ask a database: a query that reads, or the name of a table."""
    decimal: Literal[".", ","] = "."
    """The sign before decimals in text: with a comma, 1.234,5 and 1234,5 are numbers."""
    null: tuple[Mark, ...] = ()
    """Marks that mean *null*; an empty field always does."""
    labels: dict[str, ColumnLabels] = Field(default_factory=dict)
    """What columns and their codes are called, by column; read from files of SPSS and Stata, and written to them."""

    def __init__(self, /, **settings: Any) -> None:
        try:
            super().__init__(**settings)
        except ValidationError as error:
            raise _as_schema_error(error, type(self)) from None
        except RecursionError:
            raise SchemaError("The schema is nested too deeply.") from None

    @field_validator("delimiter")
    @classmethod
    def _is_one_letter(cls, delimiter: str | None) -> str | None:
        if delimiter is not None and delimiter != "::" and (not delimiter.isascii() or len(delimiter) != 1):
            raise ValueError("a delimiter is one ASCII character, or '::'")
        if delimiter in ('"', "\n", "\r"):
            raise ValueError("a quote or a line end cannot be a delimiter")
        return delimiter

    @field_validator("encoding")
    @classmethod
    def _is_known_encoding(cls, encoding: str | None) -> str | None:
        if encoding is not None and not is_encoding(encoding):
            raise ValueError("it is the name of an encoding, such as utf-8, cp1252, latin-1 or utf-16")
        return encoding

    @field_validator("names")
    @classmethod
    def _are_distinct(cls, names: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if names is not None and len(set(names)) != len(names):
            raise ValueError("the names of columns must be distinct")
        return names

    @property
    def has_header(self) -> bool:
        """Whether the first line names the columns."""
        return self.names is None if self.header is None else self.header

    def to_toml(self) -> str:
        """Write the schema so that :func:`read_schema` reads the same."""
        settings = self.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        return tomli_w.dumps({"kind": getattr(self, "kind"), **settings})  # noqa: B009 - each kind declares its own


def _file_or_settings(value: object) -> object:
    return {"file": value} if isinstance(value, str) else value


class AttributesSchema(_FileSchema):
    """A second file about the people who gave the ratings: one line a person."""

    file: FileName
    user: str | None = None
    """The column that names the person, as in the ratings; if omitted, it has the same name there."""


class RatingsSchema(_FileSchema):
    """The layout of ratings, their scale, and which items are sensitive."""

    kind: Literal["ratings", "sets"] = "ratings"
    """``sets``: who has what, such as purchases and clicks; marks and counts only say that somebody has an item."""
    layout: Layout | None = None
    """long: one rating a line; wide: one person a line; baskets: the items of one person a line, without a header;
    movielens, netflix: the files of those collections."""
    scale: tuple[FiniteNumber, FiniteNumber] | None = None
    """The lowest and the highest rating; if omitted, those in the data."""
    step: FiniteNumber = 1
    """The distance between neighboring points of the scale: 0.5 for half stars."""
    round: bool = False
    """Whether a rating between two points is rounded to the nearest (halves up) instead of being refused."""
    user: str | None = None
    item: str | None = None
    rating: str | None = None
    """Long: the column of the ratings. For sets it may be left out, or name a column of counts: 0 is *not in it*."""
    date: str | None = None
    """Long: the column that says when a rating was given, or since when somebody has an item. It is read only where
    ``dates`` are published."""
    dates: Literal["month", "quarter", "year"] | None = None
    """The period in which the date of a rating is published; if omitted, dates are not published."""
    id: tuple[str, ...] = ()
    """Wide: identifying columns, never published. A single one names the people; several do not."""
    items: tuple[str, ...] | None = None
    """Wide: the rated columns. If given, every other column must be in id, ignore or sensitive; if omitted, every
    column that is not in id or ignore is an item."""
    sensitive: tuple[str, ...] = ()
    """Items whose ratings are sensitive, as they are written in the file."""
    hierarchy: HierarchySchema | None = None
    """Sets: the hierarchy of the items that are not sensitive, for item-generalization; a file with a line an item."""
    ignore: tuple[str, ...] = ()
    """Columns that are never read."""
    people: FileName | None = None
    """A CSV file that states how many people each record stands for: the record and a number, with a header."""
    attributes: Annotated[AttributesSchema, BeforeValidator(_file_or_settings)] | None = None
    """A file with the demographics of the people, one line a person: a name, or ``file`` and how it is laid out."""
    columns: dict[str, ColumnSchema] = Field(default_factory=dict)
    """The demographics by name: in a wide file columns beside the items, else those of the file ``attributes``."""

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        if self.kind == "sets" and (self.scale is not None or self.step != 1 or self.round):
            raise ValueError("sets have no scale: leave out scale, step and round")
        if self.layout == "baskets" and self.kind != "sets":
            raise ValueError("the layout 'baskets' is one of sets: write kind = \"sets\"")
        if self.scale is not None and Scale.of(*self.scale, self.step).points == 1:  # it raises errors of its own
            raise ValueError('a scale needs a highest rating above its lowest; who has what is kind = "sets"')
        if self.hierarchy is not None and self.kind != "sets":
            raise ValueError('a hierarchy of items is for sets, kind = "sets"')
        self._refuse_dates_in_vain()
        for name in self.id:
            if name in self.ignore or name in self.sensitive or name in (self.items or ()):
                raise ValueError(f"the column {name!r} is in id and in another list as well")
        for name in self.ignore:
            if name in self.sensitive or name in (self.items or ()):
                raise ValueError(f"the column {name!r} is in ignore and among the items as well")
        return self

    def _refuse_dates_in_vain(self) -> None:
        if self.dates is not None and self.hierarchy is not None:
            raise ValueError("an item in a period has no hierarchy: leave out dates or hierarchy")
        if self.layout in ("wide", "baskets") and (self.dates is not None or self.date is not None):
            raise ValueError(f"dates are read from files with one rating a line, and the layout is {self.layout}")
        if self.layout == "netflix" and self.date is not None:
            raise ValueError("the layout netflix says itself where dates are: leave out date")
        if self.date is not None and self.date in (*self.ignore, *self.id):
            raise ValueError(f"the column {self.date!r} is the date and in another list as well")

    @model_validator(mode="after")
    def _has_demographics_where_it_says(self) -> Self:
        if self.attributes is not None and self.layout == "wide":
            raise ValueError("'attributes' is for files with one rating a line; a wide file has its columns itself")
        if self.attributes is not None and not self.columns:
            raise ValueError("'attributes' names a file of people, and no [columns] say what is in it")
        if self.columns and not any(column.role.leaves for column in self.columns.values()):
            raise ValueError("no column under [columns] would be published; list identifiers in id, others in ignore")
        if self.columns and self.people is not None:
            raise ValueError("'people' is for records that stand for several people, who have no demographics")
        listed = (*self.id, *self.ignore, *self.sensitive, *(self.items or ())) if self.attributes is None else ()
        for name in self.columns:
            if name in listed:
                raise ValueError(f"the column {name!r} has a role and is in another list as well")
        return self

    @property
    def rating_scale(self) -> Scale | None:
        """The declared scale, if any; that of sets has one point."""
        if self.kind == "sets":
            return PRESENT
        return None if self.scale is None else Scale.of(*self.scale, self.step, rounding=self.round)


def _one_or_several(value: object) -> object:
    return (value,) if isinstance(value, str) else value


class TableSchema(_FileSchema):
    """The columns of a table: each has a role, and there is no default role."""

    kind: Literal["table"] = "table"
    person: Annotated[tuple[str, ...], BeforeValidator(_one_or_several)] = ()
    """The column that names the person of a record, or several that do together: promises then count people."""
    unit: Literal["record"] | None = None
    """``record``: promises count records even if an identifier repeats; a person may have several in a class."""
    people: FileName | None = None
    """For a published table: a CSV file that states how many people each equivalence class contains."""
    weight_classes: int | None = Field(default=None, ge=1, le=_MOST_WEIGHT_CLASSES)
    """In how many classes the weights are published, as one more stratum; if omitted, they are not published."""
    columns: dict[str, ColumnSchema] = Field(min_length=1)

    @model_validator(mode="after")
    def _is_one_sample(self) -> Self:
        roles = [column.role for column in self.columns.values()]
        for role in (Role.WEIGHT, Role.HOUSEHOLD):
            if roles.count(role) > 1:
                raise ValueError(f"only one column can have the role {role}")
        if self.weight_classes is not None and Role.WEIGHT not in roles:
            raise ValueError("'weight_classes' publishes weights in classes, and no column has the role weight")
        return self

    @model_validator(mode="after")
    def _has_one_unit(self) -> Self:
        if self.unit is not None and (self.person or self.people is not None):
            raise ValueError("'unit' makes promises count records, and 'person' or 'people' makes them count people")
        if self.person and self.people is not None:
            raise ValueError("'person' belongs to original data, and 'people' to published data")
        for name in self.person:
            if name not in self.columns:
                raise ValueError(f"'person' names the column {name!r}, which has no role")
            if self.columns[name].role not in (Role.IDENTIFIER, Role.HOUSEHOLD, Role.DROP):
                raise ValueError(
                    f"the column {name!r} names the person, so its role must be identifier, household or drop"
                )
        if len(set(self.person)) < len(self.person):
            raise ValueError("'person' names a column twice")
        return self


Schema = RatingsSchema | TableSchema

_KINDS: dict[str, type[RatingsSchema] | type[TableSchema]] = {
    "ratings": RatingsSchema,
    "sets": RatingsSchema,
    "table": TableSchema,
}


def read_schema(path: str | Path) -> Schema:
    """Read a schema file; the files that it names are relative to its folder."""
    path = Path(path)
    try:
        settings = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError:
        raise FileError(f"The schema {path} cannot be read.", "Check that the file is there.") from None
    except UnicodeDecodeError:
        raise SchemaError(
            f"The schema {path} is not UTF-8 text.", "Save it as UTF-8; the data may be in another encoding."
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise SchemaError(
            f"The schema {path} is not TOML: {error}.",
            'Put texts in quotes, as in kind = "table".',
        ) from None
    except RecursionError:
        raise SchemaError(f"The schema {path} is nested too deeply.") from None
    except ValueError:  # a number with thousands of digits
        raise SchemaError(f"The schema {path} holds a value that TOML does not allow.") from None
    return schema_of_kind(_with_files_beside(settings, path.parent), f"The schema {path}")


def schema_of_kind(settings: Mapping[str, Any], name: str = "The schema") -> Schema:
    """Return the schema of the kind that its settings say; ``name`` is what messages call it."""
    kind = settings.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise SchemaError(f"{name} does not say its kind.", 'Write kind = "ratings", "sets" or "table".')
    return _KINDS[kind](**settings)


def _with_files_beside(settings: dict[str, Any], folder: Path) -> dict[str, Any]:
    if isinstance(settings.get("people"), str):
        settings = {**settings, "people": str(folder / settings["people"])}
    if isinstance(settings.get("hierarchy"), str):
        settings = {**settings, "hierarchy": str(folder / settings["hierarchy"])}
    if "attributes" in settings:
        settings = {**settings, "attributes": _attributes_beside(settings["attributes"], folder)}
    columns = settings.get("columns")
    if not isinstance(columns, Mapping):
        return settings
    return {**settings, "columns": {name: _with_path(column, folder) for name, column in columns.items()}}


def _attributes_beside(attributes: Any, folder: Path) -> Any:
    named = _file_or_settings(attributes)
    if isinstance(named, Mapping) and isinstance(named.get("file"), str):
        return {**named, "file": str(folder / named["file"])}
    return attributes


def _with_path(column: Any, folder: Path) -> Any:
    if isinstance(column, Mapping) and isinstance(column.get("hierarchy"), str):
        return {**column, "hierarchy": str(folder / column["hierarchy"])}
    return column


def _as_schema_error(error: ValidationError, model: type[BaseModel]) -> SchemaError:
    """Report the first error by its place and what was expected there, never by what was written."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        known = ColumnSchema if first["loc"][0] == "columns" and len(first["loc"]) == 3 else model
        return SchemaError(
            f"The schema has an unknown setting {place!r}.", f"Known are: {', '.join(known.model_fields)}."
        )
    if first["type"] == "missing":
        return SchemaError(
            f"The schema lacks {place!r}.",
            'Every column needs a role: write [columns.NAME] and below it role = "quasi-identifier", for example.',
        )
    expected = first["msg"].removeprefix("Value error, ").replace("Input should be", "it must be")
    expected = expected.replace("a valid dictionary", "a table of names and values")
    return SchemaError(
        f"The schema is wrong at {place!r}: {expected}." if place else f"The schema is wrong: {expected}."
    )
