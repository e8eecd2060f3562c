"""Columns or ratings: what each column is, decided by whoever owns the data, kept as a schema file."""

import hashlib
import json
import tomllib
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, get_args

from fastapi import APIRouter, Query, Request, Response

from shoal.errors import SchemaError, ShoalError, WordingError
from shoal.server.access import service_of
from shoal.server.problems import NotFound, problem_of
from shoal.server.routes.models import DatasetId
from shoal.server.store import Role
from shoal.server.uploads import write_text
from shoal.workbench.choices import Choices, Chosen
from shoal.workbench.downloads import attachment
from shoal.workbench.own_data import OwnData
from shoal.workbench.rendering import page, see_other
from shoal.workbench.same_elsewhere import Same, command, python_call
from shoal.workbench.schema_draft import TYPES, ColumnDraft, DraftKind, FieldFault, SchemaDraft
from shoal.workbench.visitors import Form, Posted, Visitor, for_roles

__all__ = ["router"]

router = APIRouter()

_A_PAGE = 40
_DRAFT = ".schema-draft.json"
"""What was decided before it is a whole schema; no file that is sent can have this name."""

_LONGEST = 1 << 20
_ANSWER = {"role": "item", "sure": False, "reasons": ["it has numbers on a scale, as other columns have"]}
"""Why a column of a survey may be an answer; whether a sensitive one, only its owner knows."""

As = Annotated[DraftKind | None, Query(alias="as")]
PageNumber = Annotated[int, Query(ge=1, le=10**6)]


@dataclass(frozen=True)
class _Making:
    """The schema of a data set while it is made."""

    data: OwnData
    asked: DraftKind | None

    @cached_property
    def result(self) -> dict[str, Any]:
        """What the first look found; empty before it is done."""
        found = self.data.described()
        return found.result if found.is_done else {}

    @cached_property
    def starter(self) -> dict[str, Any]:
        """The schema to start from that the first look suggests."""
        return tomllib.loads(self.result.get("starter_schema", ""))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The columns of the file; none where it is no file with columns, or was not looked at yet.

        A file is opened only where the first look does not list all of them: opening one checks every line of it.
        """
        if self.result.get("kind") in ("unknown", "table"):
            return tuple(each["name"] for each in self._columns)
        if not self.result and (self.data.schema or {"kind": "table"})["kind"] == "table":
            return ()
        try:
            return self.data.rows().names
        except ShoalError:
            return tuple(each["name"] for each in self._columns)

    @property
    def _columns(self) -> list[dict[str, Any]]:
        columns = self.result.get("columns", [])
        return columns if isinstance(columns, list) else []

    @cached_property
    def found(self) -> dict[str, dict[str, Any]]:
        """What the first look found, by column; of answers as well, though nothing suggests a role for them."""
        return {each["name"]: each for each in (*self.result.get("answers", ()), *self._columns)}

    @cached_property
    def suggested(self) -> dict[str, list[dict[str, Any]]]:
        """Roles with reasons, by column; what looks like an answer is suggested to be one, after everything else."""
        rated = set(self.starter.get("items", ())) if self.kind == "wide" else set()
        names = dict.fromkeys((*self.found, *rated))
        found = {name: self.found.get(name, {}).get("suggested_roles", []) for name in names}
        return {name: [*each, _ANSWER] if name in rated else each for name, each in found.items()}

    @cached_property
    def base(self) -> dict[str, Any]:
        """What a new schema keeps: the present one, or how the file was recognized."""
        return self.data.schema or self.starter

    @property
    def kind(self) -> DraftKind:
        """What the data are taken for: as the address says, as the schema does, or as they look."""
        if self.asked is not None:
            return self.asked
        kept = self.kept
        if kept is not None:
            return kept.kind
        if self.data.schema is not None or self.starter.get("kind") in ("ratings", "sets"):
            return SchemaDraft.of_schema(self.base, ()).kind
        return "table"

    @cached_property
    def kept(self) -> SchemaDraft | None:
        """Decisions that are not a whole schema yet."""
        file = self.data.folder / _DRAFT
        return SchemaDraft.of_json(json.loads(file.read_bytes())) if file.is_file() else None

    @property
    def draft(self) -> SchemaDraft:
        """What was decided so far."""
        kind, kept = self.kind, self.kept
        if kept is not None and kept.kind == kind:
            return kept
        if self.data.schema is not None:
            present = SchemaDraft.of_schema(self.data.schema, self.names)
            if present.kind == kind:
                return present
        likely = SchemaDraft.of_schema(self.starter, ()) if self.starter.get("kind") in ("ratings", "sets") else None
        made = SchemaDraft.preselected(kind, self.names, self.suggested)
        return made if likely is None or kind == "table" else SchemaDraft(kind, made.columns, likely.settings)

    @property
    def seen(self) -> str:
        """By what a form knows that nothing was changed since it was made."""
        draft = self.kept
        text = f"{self.data.schema_text}\0{'' if draft is None else json.dumps(draft.to_json())}"
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def keep(self, draft: SchemaDraft) -> None:
        """Keep decisions that are not a whole schema yet."""
        write_text(self.data.folder / _DRAFT, json.dumps(draft.to_json()))

    def forget(self) -> None:
        """Forget decisions that are not a whole schema yet."""
        (self.data.folder / _DRAFT).unlink(missing_ok=True)

    def save(self, settings: dict[str, Any]) -> None:
        """Make settings the schema."""
        self.data.service.set_schema(self.data.row, settings, self.data.who)
        self.forget()


@router.get("/data/{dataset}/columns", **for_roles(Role.OWNER))
def columns(
    request: Request, who: Visitor, dataset: DatasetId, choices: Chosen, as_: As = None, columns: PageNumber = 1
) -> Response:
    """Show what was decided for each column, with what speaks for which role."""
    making = _Making(OwnData.of(service_of(request), who, dataset), as_)
    making.data.service.place_of(making.data.row)
    return _shown(request, making, choices, making.draft, columns)


@router.post("/data/{dataset}/columns", **for_roles(Role.OWNER))
def decide(
    request: Request,
    who: Visitor,
    dataset: DatasetId,
    choices: Chosen,
    form: Posted,
    as_: As = None,
    columns: PageNumber = 1,
) -> Response:
    """Keep decisions; once every column has one, they are the schema. Or take one from text, or the one before."""
    making = _Making(OwnData.of(service_of(request), who, dataset), as_)
    do = form.text("do", "save")
    text = form.text("text")
    draft = making.draft
    try:
        if do == "file":
            do, text = "import", _text_of(form)
        if do in ("undo", "reset", "import"):
            return _replaced(making, choices, do, text)
        draft = _posted(making.draft, form)
        if form.text("seen") != making.seen:
            raise _ChangedMeanwhile(
                "The schema was changed since this page was loaded, in another tab perhaps.",
                "What you chose is still here. Compare it with the schema below; saving it again replaces that.",
            )
        return _decided(making, choices, draft, do, form)
    except ShoalError as error:
        return _shown(request, making, choices, draft, columns, error, text if do == "import" else "")


class _ChangedMeanwhile(WordingError):  # noqa: N818 - it reads as the sentence it means
    http_status = 409


def _replaced(making: _Making, choices: Choices, do: str, text: str) -> Response:
    data = making.data
    if do == "undo":
        before = data.service.schema_text(data.row, before=True)
        if before is None:
            raise WordingError("There is no schema before this one.")
        making.save(tomllib.loads(before))
    elif do == "reset":
        making.forget()
    else:
        making.save(_settings(text))
    return see_other(f"{data.address}/columns{choices.query}")


def _text_of(form: Form) -> str:
    """Return a schema that was sent as a file."""
    try:
        return form.file("schema").file.read(_LONGEST).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SchemaError("The file is not UTF-8 text.", "Save it as UTF-8.") from None


def _settings(text: str) -> dict[str, Any]:
    """Return the settings of a schema that was sent as text."""
    try:
        found = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        place = f": {error}" if isinstance(error, tomllib.TOMLDecodeError) else ""
        raise SchemaError(f"The text is not TOML{place}.", 'Put texts in quotes, as in kind = "table".') from None
    if not found:
        raise SchemaError("There is nothing in the text.", 'A schema begins with kind = "table" or kind = "ratings".')
    return found


def _posted(draft: SchemaDraft, form: Form) -> SchemaDraft:
    """Return the draft after what a form says about the columns on its page, and about the rest."""
    names, roles, types = form.starting("column."), form.starting("role."), form.starting("type.")
    persons = form.starting("person.")
    changed = {
        name: ColumnDraft(roles.get(number, ""), types.get(number, ""), number in persons)
        for number, name in names.items()
    }
    settings = {key: value.replace("\r\n", "\n") for key, value in form.starting("setting.").items() if value}
    return SchemaDraft(draft.kind, draft.columns, settings).with_columns(changed)


def _decided(making: _Making, choices: Choices, draft: SchemaDraft, do: str, form: Form) -> Response:
    duplicates = form.text("duplicates")
    choices = choices.with_(duplicates=duplicates if duplicates in ("last", "mean") else None)
    there, number = f"{making.data.address}/columns", ""
    if do == "suggest":
        draft = draft.with_suggestions(making.suggested)
    elif do == "rest":
        draft = draft.with_rest(form.text("rest"))
    elif do.startswith("page."):
        number = do.removeprefix("page.")
    if do == "save" and not draft.undecided:
        making.save(draft.to_settings(making.base))
        return see_other(f"{there}{choices.query}")
    making.keep(draft)
    query = choices.query
    page_of_columns = f"columns={number}" if number.isdigit() and len(number) < 6 else ""
    joined = f"{query}{'&' if query else '?'}{page_of_columns}" if page_of_columns else query
    return see_other(f"{there}{joined}#left")


def _shown(
    request: Request,
    making: _Making,
    choices: Choices,
    draft: SchemaDraft,
    number: int,
    error: ShoalError | None = None,
    text: str = "",
) -> Response:
    data = making.data
    names = list(draft.columns)
    first = min((number - 1) * _A_PAGE, max(len(names) - 1, 0) // _A_PAGE * _A_PAGE)
    problem = None if error is None else problem_of(error)
    return page(
        request,
        "columns.html",
        status=200 if problem is None else problem["status"],
        data=data,
        choices=choices,
        steps=data.steps("columns", choices),
        computed=data.described(choices.get("duplicates")),
        draft=draft,
        kinds=get_args(DraftKind),
        names=names[first : first + _A_PAGE],
        file_names=making.names,
        found=making.found,
        suggested=making.suggested,
        first=first,
        total=len(names),
        a_page=_A_PAGE,
        types=TYPES,
        seen=making.seen,
        is_draft=making.kept is not None,
        problem=problem,
        fault=_place(error, names),
        text=text or data.schema_text or "",
        before=data.service.schema_text(data.row, before=True),
        same=_same(data),
        starter=making.result.get("starter_schema"),
    )


def _same(data: OwnData) -> Same:
    """Return how a schema to start from is written, and the data are read with it once its roles are filled in."""
    name = data.row.name
    lines = [
        command("shoal", "describe", name, out="schema.toml"),
        "# fill in the role of each column in schema.toml, then",
        command("shoal", "describe", name, schema="schema.toml"),
    ]
    calls = [
        python_call("describe", name, out="schema.toml"),
        "# fill in the role of each column in schema.toml, then",
        python_call("describe", name, schema="schema.toml"),
    ]
    return Same("\n".join(lines), "\n".join(["import shoal", "", *calls]))


def _place(error: ShoalError | None, names: list[str]) -> str:
    """Return the field that is to blame, as far as the error says it: its name, or ``column NAME``."""
    if error is None or isinstance(error, FieldFault):
        return getattr(error, "place", "")
    return next((f"column {name}" for name in names if repr(name) in error.message or f".{name}." in error.message), "")


@router.get("/data/{dataset}/schema.toml", **for_roles(Role.OWNER))
def schema_file(request: Request, who: Visitor, dataset: DatasetId) -> Response:
    """Return the schema as the file it is."""
    text = OwnData.of(service_of(request), who, dataset).schema_text
    if text is None:
        raise NotFound("The data set has no schema yet.", "Say what its columns are.")
    return Response(text, media_type="application/toml", headers=attachment("schema.toml"))
