"""The hierarchy of a column: suggested, drawn as a tree, edited as text and checked, kept as a file of the data set."""

import hashlib
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from anyio import from_thread
from fastapi import APIRouter, Query, Request, Response

from shoal.errors import ShoalError, WordingError
from shoal.server.access import service_of
from shoal.server.problems import NotFound, problem_of
from shoal.server.routes.jobs import awaited
from shoal.server.routes.models import DatasetId
from shoal.server.service import TooManyWaiting
from shoal.server.store import Role
from shoal.server.uploads import write_text
from shoal.server.work.asks import LONGEST_HIERARCHY, Ask, CheckHierarchyAsk, DrawHierarchyAsk, SuggestHierarchyAsk
from shoal.workbench.choices import Choices, Chosen
from shoal.workbench.computed import Computed, computed, started
from shoal.workbench.downloads import attachment
from shoal.workbench.own_data import OwnData
from shoal.workbench.page_weight import escaped_bytes
from shoal.workbench.rendering import page, see_other
from shoal.workbench.same_elsewhere import Same, command, python_call
from shoal.workbench.schema_draft import FieldFault
from shoal.workbench.tree import tree_of
from shoal.workbench.visitors import Form, Posted, Visitor, for_roles

__all__ = ["router"]

router = APIRouter()

KINDS: Final = {
    "": "the kind that is likely",
    "interval": "intervals of growing width, for numbers",
    "quantile": "intervals with about as many records each",
    "date": "month, quarter, year and decade",
    "mask": "characters masked from the right, for codes",
    "frequency": "rare values merged",
}
"""How a hierarchy can be built, in words."""
_SIZES: Final = {"interval": "widths", "quantile": "parts", "frequency": "shares"}
"""What the sizes of each kind are called."""
_WAIT = 10
_LONGEST_SHOWN = 60_000
"""A longer file is edited elsewhere: the page would grow beyond what a slow connection bears."""

Text = Annotated[str, Query(max_length=2000)]


@dataclass(frozen=True)
class _Editing:
    """The hierarchy of a column while it is made."""

    data: OwnData
    column: str
    kind: str = ""
    sizes: str = ""

    @property
    def address(self) -> str:
        """Where this page is, with what was asked for."""
        said = {"column": self.column, "kind": self.kind, "sizes": self.sizes}
        return f"{self.data.address}/columns/hierarchy?{urlencode({key: each for key, each in said.items() if each})}"

    def refuse_unknown(self) -> None:
        """Refuse a column of which the schema says nothing."""
        if self.column not in (self.data.schema or {}).get("columns", {}):
            raise NotFound("The schema has no such column.", "Say what the columns are first.")

    @cached_property
    def declared(self) -> Any:
        """What the schema says of the column's hierarchy; None where it says nothing."""
        self.refuse_unknown()
        return (self.data.schema or {})["columns"][self.column].get("hierarchy")

    @property
    def draft_file(self) -> Path:
        """Where a text is kept that is not saved yet; no file that is sent can have this name."""
        return self.data.folder / f".hierarchy-{hashlib.sha256(self.column.encode()).hexdigest()[:16]}.csv"

    @cached_property
    def draft(self) -> str | None:
        """A text that is not saved yet."""
        return self.draft_file.read_text(encoding="utf-8") if self.draft_file.is_file() else None

    @cached_property
    def kept(self) -> str | None:
        """The text of the file that the schema names; None where it names none."""
        file = self.data.folder / self.declared if isinstance(self.declared, str) else None
        return file.read_text(encoding="utf-8-sig") if file is not None and file.is_file() else None

    def suggestion(self) -> SuggestHierarchyAsk:
        """Return the order for a suggestion, or raise."""
        if self.kind not in KINDS:
            raise FieldFault("kind", "There is no such kind of hierarchy.", "Choose one of the list.")
        said: dict[str, Any] = {"hierarchy": self.kind or None}
        numbers = _numbers(self.sizes)
        if numbers:
            if self.kind not in _SIZES:
                raise FieldFault("sizes", "This kind has no sizes.", f"Those that do are {', '.join(_SIZES)}.")
            said[_SIZES[self.kind]] = numbers if self.kind == "quantile" else [float(each) for each in numbers]
        return SuggestHierarchyAsk(kind="suggest-hierarchy", dataset=self.data.row.id, column=self.column, **said)

    def built(self) -> dict[str, Any]:
        """Return the hierarchy as the schema says how it is built."""
        found = computed(self.data.service, self.data.who, self.suggestion())
        kind = self.kind or (found.result["kind"] if found.is_done else "")
        if kind not in _SIZES and kind not in ("mask", "date"):
            raise FieldFault("kind", "No kind of hierarchy was chosen.", "Choose one, or have one suggested.")
        numbers = _numbers(self.sizes)
        return {"kind": kind, **({_SIZES[kind]: numbers} if numbers else {})}

    def checking(self, content: str) -> CheckHierarchyAsk:
        """Return the order to check a text against the column."""
        if len(content) > LONGEST_HIERARCHY:
            raise WordingError("The text is too long.", "Send it as a file, and name it in the schema.")
        return CheckHierarchyAsk(kind="check-hierarchy", dataset=self.data.row.id, column=self.column, content=content)

    def drawing(self) -> DrawHierarchyAsk:
        """Return the order to draw what the schema says."""
        return DrawHierarchyAsk(kind="draw-hierarchy", dataset=self.data.row.id, column=self.column)

    def set(self, hierarchy: Any) -> None:
        """Write into the schema what the hierarchy of the column is; None for none."""
        schema = self.data.schema or {}
        column = {key: value for key, value in schema["columns"][self.column].items() if key != "hierarchy"}
        column |= {} if hierarchy is None else {"hierarchy": hierarchy}
        changed = {**schema, "columns": {**schema["columns"], self.column: column}}
        self.data.service.set_schema(self.data.row, changed, self.data.who)
        self.draft_file.unlink(missing_ok=True)


def _numbers(text: str) -> list[int | float]:
    parts = [each for each in re.split(r"[,;\s]+", text.strip()) if each]
    if not all(re.fullmatch(r"\d{1,12}(\.\d{1,9})?", each) for each in parts):
        raise FieldFault("sizes", "The sizes are not numbers.", "Write them with commas between, as in 5, 10, 20.")
    return [float(each) if "." in each else int(each) for each in parts]


@router.get("/data/{dataset}/columns/hierarchy", **for_roles(Role.OWNER))
def hierarchy(
    request: Request,
    who: Visitor,
    dataset: DatasetId,
    choices: Chosen,
    column: Text = "",
    kind: Text = "",
    sizes: Text = "",
) -> Response:
    """Show the hierarchy of a column, what could be suggested, and its text to edit."""
    data = OwnData.of(service_of(request), who, dataset)
    if not data.has_schema:
        return see_other(f"{data.address}/columns{choices.query}")
    return _shown(request, _Editing(data, column, kind, sizes), choices)


@router.post("/data/{dataset}/columns/hierarchy", **for_roles(Role.OWNER))
def change(
    request: Request, who: Visitor, dataset: DatasetId, choices: Chosen, form: Posted, column: Text = ""
) -> Response:
    """Have a hierarchy suggested, take it, check a text, or save it."""
    data = OwnData.of(service_of(request), who, dataset)
    editing = _Editing(data, column, form.text("kind"), form.text("sizes"))
    text = form.text("text").replace("\r\n", "\n")
    try:
        editing.refuse_unknown()
        _ACTIONS.get(form.text("do"), _refuse)(editing, form, text)
    except ShoalError as error:
        return _shown(request, editing, choices, problem_of(error), getattr(error, "place", "text"), text)
    return see_other(editing.address)


def _suggest(editing: _Editing, form: Form, text: str) -> None:  # noqa: ARG001 - actions take the same
    started(editing.data.service, editing.data.who, editing.suggestion())


def _take(editing: _Editing, form: Form, text: str) -> None:  # noqa: ARG001
    editing.set(editing.built())


def _edit(editing: _Editing, form: Form, text: str) -> None:  # noqa: ARG001
    found = computed(editing.data.service, editing.data.who, editing.suggestion())
    content = found.result.get("content") if found.is_done else None
    if content is None:
        raise FieldFault("kind", "Nothing was suggested yet, or it is too long to edit here.", "Have one suggested.")
    write_text(editing.draft_file, content)


def _check(editing: _Editing, form: Form, text: str) -> None:  # noqa: ARG001
    ask = editing.checking(text)
    write_text(editing.draft_file, text)
    started(editing.data.service, editing.data.who, ask)


def _save(editing: _Editing, form: Form, text: str) -> None:
    """Save a text that was checked; where the check takes long or finds faults, the page shows that instead."""
    _check(editing, form, text)
    found = _finished(editing, editing.checking(text))
    if not found.is_done or not found.result["holds"]:
        return
    name = f"{_plain(editing.column)}-{hashlib.sha256(text.encode()).hexdigest()[:8]}.csv"
    file = editing.data.folder / name  # a new name for a new text, so that the schema before stays true
    editing.data.service.set_file(editing.data.row, editing.data.who, lambda: write_text(file, text))
    editing.set(name)


def _finished(editing: _Editing, ask: Ask) -> Computed:
    found = started(editing.data.service, editing.data.who, ask)
    if found.is_under_way:
        assert found.job is not None
        return Computed(found.service, ask, from_thread.run(awaited, found.service, found.job, _WAIT))
    return found


def _remove(editing: _Editing, form: Form, text: str) -> None:  # noqa: ARG001
    editing.set(None)


def _reset(editing: _Editing, form: Form, text: str) -> None:  # noqa: ARG001
    editing.draft_file.unlink(missing_ok=True)


def _refuse(editing: _Editing, form: Form, text: str) -> None:  # noqa: ARG001
    raise WordingError("It was not said what to do.", "Use one of the buttons.")


_ACTIONS = {
    "suggest": _suggest,
    "take": _take,
    "edit": _edit,
    "check": _check,
    "save": _save,
    "remove": _remove,
    "reset": _reset,
}


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:40] or "column"


def _shown(
    request: Request,
    editing: _Editing,
    choices: Choices,
    problem: dict[str, Any] | None = None,
    fault: str = "",
    text: str = "",
) -> Response:
    data, service, who = editing.data, editing.data.service, editing.data.who
    drawn = None if editing.declared is None else computed(service, who, editing.drawing())
    if drawn is not None and drawn.state == "none":
        with suppress(TooManyWaiting):
            drawn = Computed(service, drawn.ask, service.submit(editing.drawing(), who))
    built = _built(editing, drawn)
    text = text or editing.draft or editing.kept or built
    suggested = Computed(service, None, None)
    with suppress(FieldFault):  # which was told already
        suggested = computed(service, who, editing.suggestion())
    checked = None
    if editing.draft is not None and text == editing.draft:
        checked = computed(service, who, editing.checking(text))
    known = [each for each in (drawn, suggested, checked) if each is not None and each.is_under_way]
    return page(
        request,
        "hierarchy.html",
        status=200 if problem is None else problem["status"],
        data=data,
        editing=editing,
        choices=choices,
        steps=data.steps("columns", choices),
        declared=editing.declared,
        drawn=drawn,
        tree=tree_of(drawn.result["drawing"]) if drawn is not None and drawn.is_done else None,
        suggested=suggested,
        kinds=KINDS,
        sizes_of=_SIZES,
        checked=checked,
        waits_for=known[0] if known else None,
        problem=problem,
        fault=fault,
        text=text,
        is_built=bool(built) and text == built,
        too_long=escaped_bytes(text) > _LONGEST_SHOWN,
        same=_same(editing),
    )


def _built(editing: _Editing, drawn: Computed | None) -> str:
    """Return the text of a hierarchy that Shoal builds, once it was drawn, so that it can be edited in place."""
    if isinstance(editing.declared, str) or drawn is None or not drawn.is_done:
        return ""
    return drawn.result.get("content") or ""


def _same(editing: _Editing) -> Same:
    name, given = editing.data.row.name, {"schema": "schema.toml", "column": editing.column}
    sizes: dict[str, list[int | float]] = {}
    with suppress(FieldFault):
        sizes = {_SIZES[editing.kind]: _numbers(editing.sizes)} if editing.kind in _SIZES and editing.sizes else {}
    kind = {"kind": editing.kind} if editing.kind and not sizes else {}
    written = {key: ",".join(map(str, numbers)) for key, numbers in sizes.items()}
    return Same(
        command("shoal", "hierarchy", "suggest", name, **given, **kind, **written, out="hierarchy.csv"),
        "import shoal\n\n" + python_call("suggest_hierarchy", name, **given, **kind, **sizes, out="hierarchy.csv"),
    )


@router.get("/data/{dataset}/columns/hierarchy.csv", **for_roles(Role.OWNER))
def hierarchy_file(request: Request, who: Visitor, dataset: DatasetId, column: Text = "") -> Response:
    """Return the file of a hierarchy."""
    editing = _Editing(OwnData.of(service_of(request), who, dataset), column)
    if editing.kept is None:
        raise NotFound("The column has no hierarchy that is a file.", "Write one, or have one suggested.")
    return Response(editing.kept, media_type="text/csv", headers=attachment(editing.declared))
