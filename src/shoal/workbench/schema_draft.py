"""A schema that is being made: what was decided for each column so far, and how it becomes a schema file.

No column is taken for harmless by itself. What surely or probably names people may be preselected as an identifier,
which is never published; every other column waits for a decision, and no schema is made before all have one.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Literal

from shoal.errors import WordingError

__all__ = [
    "DEMOGRAPHIC_ROLES",
    "FILE_SETTINGS",
    "TABLE_ROLES",
    "TYPES",
    "WIDE_ROLES",
    "ColumnDraft",
    "DraftKind",
    "FieldFault",
    "SchemaDraft",
]

DraftKind = Literal["table", "wide", "long"]

TABLE_ROLES: Final[Mapping[str, str]] = {
    "identifier": "identifier: names a person, never published",
    "quasi-identifier": "quasi-identifier: others may know it",
    "sensitive": "sensitive: others must not learn it",
    "insensitive": "insensitive: neither, published as it is",
    "drop": "drop: not published",
    "weight": "weight: how many people a record stands for",
    "household": "household: which records are of one household",
    "stratum": "stratum: how the sample was drawn",
}
"""The roles of a table's columns, and what they mean."""
DEMOGRAPHIC_ROLES: Final = ("quasi-identifier", "sensitive", "insensitive")
WIDE_ROLES: Final[Mapping[str, str]] = {
    "item": "answer: others may know some of them",
    "sensitive item": "sensitive answer: others must not learn it",
    "identifier": "identifier: names a person, never published",
    "ignore": "ignore: not published",
    **{role: f"about the person, {TABLE_ROLES[role]}" for role in DEMOGRAPHIC_ROLES},
}
"""What a column of a survey can be: an answer, or something about the person."""
TYPES: Final = ("number", "text", "date")
FILE_SETTINGS: Final = (
    "delimiter",
    "header",
    "names",
    "quotes",
    "skip_lines",
    "escaped_formulas",
    "encoding",
    "sheet",
    "query",
    "decimal",
    "labels",
)
"""Settings that say how a file is read, whatever is in it; they are kept as they were recognized."""
_KEPT_OF_ROLE: Final[Mapping[str, tuple[str, ...]]] = {
    "hierarchy": ("quasi-identifier", "sensitive"),
    "categories": ("sensitive",),
    "accepted_against_audit": ("insensitive",),
}
"""Settings of a column that a form does not show, and the roles with which they make sense."""


class FieldFault(WordingError):  # noqa: N818 - it reads as the sentence it means
    """What is wrong with one field of a form."""

    def __init__(self, place: str, message: str, cure: str = "") -> None:
        super().__init__(message, cure)
        self.place = place


@dataclass(frozen=True)
class ColumnDraft:
    """What was decided for a column so far."""

    role: str = ""
    """Empty where nothing was."""
    type: str = ""
    """Empty where it is found from the values."""
    person: bool = False
    """Whether the column names the person of a record."""


@dataclass(frozen=True)
class SchemaDraft:
    """What was decided so far."""

    kind: DraftKind
    columns: Mapping[str, ColumnDraft] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    """The fields beside the columns, as they were written."""

    # -- where a draft comes from

    @classmethod
    def of_schema(cls, schema: Mapping[str, Any], names: Iterable[str]) -> "SchemaDraft":
        """Return what a schema says, as a form shows it; ``names`` are the columns of the file."""
        if schema.get("kind") == "table":
            return cls("table", _columns_of_table(schema, names), _settings_of(schema, _OF_TABLE))
        if schema.get("layout") == "wide" or (schema.get("layout") is None and schema.get("id")):
            return cls("wide", _columns_of_wide(schema, names), _settings_of(schema, _OF_RATINGS))
        return cls("long", {}, _settings_of(schema, _OF_RATINGS))

    @classmethod
    def preselected(
        cls, kind: DraftKind, names: Sequence[str], suggested: Mapping[str, Sequence[Any]]
    ) -> "SchemaDraft":
        """Return a draft in which only what may name people has a role."""
        columns = {name: ColumnDraft(_first_role(suggested.get(name, ()))) for name in names}
        return cls(kind, columns if kind != "long" else {})

    @classmethod
    def of_json(cls, kept: Mapping[str, Any]) -> "SchemaDraft":
        """Return a draft that was kept."""
        columns = {name: ColumnDraft(**each) for name, each in kept["columns"].items()}
        return cls(kept["kind"], columns, kept["settings"])

    def to_json(self) -> dict[str, Any]:
        """Return what is kept of it."""
        columns = {name: asdict(each) for name, each in self.columns.items()}
        return {"kind": self.kind, "columns": columns, "settings": dict(self.settings)}

    # -- what is decided next

    @property
    def roles(self) -> Mapping[str, str]:
        """The roles that a column can have."""
        return TABLE_ROLES if self.kind == "table" else WIDE_ROLES

    @property
    def names_of_roles(self) -> Mapping[str, str]:
        """What each role is called: the beginning of what it means."""
        return {role: words.partition(":")[0] for role, words in self.roles.items()}

    @property
    def undecided(self) -> list[str]:
        """The columns that wait for a decision."""
        return [name for name, each in self.columns.items() if not each.role]

    def with_columns(self, changed: Mapping[str, ColumnDraft]) -> "SchemaDraft":
        """Return the draft after some decisions; columns that the file does not have are left out."""
        return replace(self, columns={name: changed.get(name, each) for name, each in self.columns.items()})

    def with_suggestions(self, suggested: Mapping[str, Sequence[Any]]) -> "SchemaDraft":
        """Return the draft with the likeliest role of each column that is undecided and has one."""
        likely = {
            name: replace(each, role=next((one["role"] for one in suggested.get(name, ()) if self._can(one)), ""))
            for name, each in self.columns.items()
            if not each.role
        }
        return self.with_columns(likely)

    def _can(self, suggestion: Mapping[str, Any]) -> bool:
        return suggestion["role"] in self.roles

    def with_rest(self, role: str) -> "SchemaDraft":
        """Return the draft with one role for every column that is undecided."""
        if role not in self.roles:
            raise FieldFault("rest", "This is not a role that columns can have here.", "Choose one of the list.")
        return self.with_columns({name: replace(self.columns[name], role=role) for name in self.undecided})

    # -- what comes of it

    def to_settings(self, base: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of a schema, or raise; ``base`` is the present one, or how the file was recognized."""
        for name, each in self.columns.items():
            if each.role not in self.roles:
                raise FieldFault(f"column {name}", f"The column {name!r} has no role.", "Choose one.")
            if each.type not in ("", *TYPES):
                raise FieldFault(f"column {name}", f"The column {name!r} has no such type.", "Choose one of the list.")
        read = {key: value for key, value in base.items() if key in FILE_SETTINGS}
        settings = {**read, **self._common()}
        return settings | (self._table(base) if self.kind == "table" else self._ratings(base))

    def _common(self) -> dict[str, Any]:
        marks = [_mark(each) for each in _listed(self.settings.get("null", ""))]
        return {"null": marks} if marks else {}

    def _table(self, base: Mapping[str, Any]) -> dict[str, Any]:
        before = base.get("columns", {}) if base.get("kind") == "table" else {}
        made: dict[str, Any] = {"kind": "table"}
        made |= {"columns": {name: _column(each, before.get(name)) for name, each in self.columns.items()}}
        person = [name for name, each in self.columns.items() if each.person]
        made |= {"person": person} if person else {}
        made |= {"unit": "record"} if self.settings.get("unit") else {}
        classes = self.settings.get("weight_classes", "")
        return made | ({"weight_classes": _whole("weight_classes", classes)} if classes else {})

    def _ratings(self, base: Mapping[str, Any]) -> dict[str, Any]:
        kind = self.settings.get("kind") or "ratings"
        made: dict[str, Any] = {"kind": kind}
        ends = [self.settings.get(end, "") for end in ("lowest", "highest")]
        if any(ends):
            made["scale"] = [_number(place, end) for place, end in zip(("lowest", "highest"), ends, strict=True)]
        made |= {"step": _number("step", self.settings["step"])} if self.settings.get("step") else {}
        made |= {"round": True} if self.settings.get("round") else {}
        kept = ("hierarchy", "people", "attributes") if self.kind == "long" else ()
        made |= {key: base[key] for key in kept if key in base and base.get("kind") in ("ratings", "sets")}
        return made | (self._wide(base) if self.kind == "wide" else self._long(base))

    def _wide(self, base: Mapping[str, Any]) -> dict[str, Any]:
        by_role: dict[str, list[str]] = {}
        for name, each in self.columns.items():
            by_role.setdefault(each.role, []).append(name)
        before = base.get("columns", {})
        about = [name for role in DEMOGRAPHIC_ROLES for name in by_role.get(role, ())]
        made: dict[str, Any] = {"layout": "wide", "id": by_role.get("identifier", [])}
        made |= {"items": [*by_role.get("item", ()), *by_role.get("sensitive item", ())]}
        made |= {"sensitive": by_role.get("sensitive item", []), "ignore": by_role.get("ignore", [])}
        if not made["items"]:
            raise FieldFault("columns", "No column holds answers.", "Say which do, or take the data for a table.")
        columns = {name: _column(self.columns[name], before.get(name)) for name in self.columns if name in about}
        return made | ({"columns": columns} if columns else {})

    def _long(self, base: Mapping[str, Any]) -> dict[str, Any]:
        plain = ("layout", "user", "item", "rating", "date", "dates")
        made: dict[str, Any] = {key: self.settings[key] for key in plain if self.settings.get(key)}
        made |= {"sensitive": _lines(self.settings.get("sensitive", ""))}
        made |= {"ignore": base["ignore"]} if base.get("ignore") and base.get("kind") != "table" else {}
        return made | ({"columns": base["columns"]} if "attributes" in base and base.get("columns") else {})


_OF_TABLE = ("unit", "weight_classes")
_OF_RATINGS = ("kind", "layout", "step", "round", "user", "item", "rating", "date", "dates")


def _settings_of(schema: Mapping[str, Any], plain: Iterable[str]) -> dict[str, str]:
    settings = {key: str(schema[key]) for key in plain if schema.get(key) not in (None, False)}
    if schema.get("null"):
        settings["null"] = ", ".join(map(str, schema["null"]))
    if schema.get("scale"):
        settings |= dict(zip(("lowest", "highest"), map(str, schema["scale"]), strict=True))
    if schema.get("sensitive"):
        settings["sensitive"] = "\n".join(schema["sensitive"])
    return settings


def _columns_of_table(schema: Mapping[str, Any], names: Iterable[str]) -> dict[str, ColumnDraft]:
    said = schema.get("columns", {})
    person = schema.get("person", ())
    person = (person,) if isinstance(person, str) else person
    return {name: _draft(said.get(name), person=name in person) for name in dict.fromkeys((*names, *said))}


def _draft(column: Any, *, person: bool = False) -> ColumnDraft:
    if isinstance(column, str):
        return ColumnDraft(column, "", person)
    return ColumnDraft((column or {}).get("role", ""), (column or {}).get("type", ""), person)


def _columns_of_wide(schema: Mapping[str, Any], names: Iterable[str]) -> dict[str, ColumnDraft]:
    said = schema.get("columns", {})
    listed: dict[str, str] = dict.fromkeys(schema.get("items") or (), "item")
    listed |= dict.fromkeys(schema.get("id", ()), "identifier")
    listed |= dict.fromkeys(schema.get("ignore", ()), "ignore")
    listed |= dict.fromkeys(schema.get("sensitive", ()), "sensitive item")
    rest = "" if schema.get("items") else "item"  # without a list, every other column is an item
    return {
        name: _draft(said[name]) if name in said else ColumnDraft(listed.get(name, rest))
        for name in dict.fromkeys((*names, *listed, *said))
    }


def _first_role(suggested: Sequence[Mapping[str, Any]]) -> str:
    return "identifier" if any(each["role"] == "identifier" for each in suggested) else ""


def _column(draft: ColumnDraft, before: Any) -> dict[str, Any]:
    earlier = before if isinstance(before, Mapping) else {}
    kept = {key: earlier[key] for key, roles in _KEPT_OF_ROLE.items() if key in earlier and draft.role in roles}
    return {"role": draft.role, **kept, **({"type": draft.type} if draft.type else {})}


def _listed(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def _lines(text: str) -> list[str]:
    return [each.strip() for each in text.splitlines() if each.strip()]


def _mark(text: str) -> int | float | str:
    if re.fullmatch(r"-?\d{1,15}", text):
        return int(text)
    return float(text) if re.fullmatch(r"-?\d{1,15}\.\d{1,10}", text) else text


def _number(place: str, text: str) -> int | float:
    found = _mark(text.strip().replace(",", "."))
    if isinstance(found, str):
        raise FieldFault(place, f"The {_NAMES.get(place, place)} is not a number.", "Write one, such as 5 or 0.5.")
    return found


def _whole(place: str, text: str) -> int:
    found = _number(place, text)
    if not isinstance(found, int):
        raise FieldFault(place, f"The {_NAMES.get(place, place)} is not a whole number.", "Write one, such as 5.")
    return found


_NAMES = {
    "lowest": "lowest rating",
    "highest": "highest rating",
    "step": "step of the scale",
    "weight_classes": "number of weight classes",
}
