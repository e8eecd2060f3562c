"""Promise: what to promise, how to keep it, and what the data can promise as they stand.

Everything chosen stands in the address. The forms are read from the address too: one that is filled in rightly leads to
the address with the choice in it, one that is not shows what is wrong and keeps what was entered.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response
from starlette.datastructures import QueryParams

from shoal.errors import WordingError
from shoal.jobs.catalog import format_catalog, read_wording
from shoal.pages.people_picture import people_picture
from shoal.plan import Plan
from shoal.server.access import service_of
from shoal.server.routes.models import DatasetId
from shoal.server.store import Role
from shoal.server.work.asks import CheckAsk, LimitsAsk
from shoal.workbench.choices import Choices, Chosen
from shoal.workbench.computed import computed, started
from shoal.workbench.described import Described, described
from shoal.workbench.editors import Editor, editor_of, editors_for
from shoal.workbench.rendering import page, see_other
from shoal.workbench.same_elsewhere import Same, command, python_call
from shoal.workbench.steps import steps
from shoal.workbench.visitors import Posted, Visitor, for_roles

__all__ = ["router"]

router = APIRouter()

_USUAL_K = 5
_MOST_COLUMNS = 20
"""So many columns that can be accepted are listed; others can be written."""
_PLAIN = ("withhold", "format", "time", "boost", "duplicates")


@router.get("/data/{dataset}/promise", **for_roles(Role.OWNER))
def promise(request: Request, who: Visitor, dataset: DatasetId, chosen: Chosen) -> Response:
    """Show what can be promised and what was chosen; carry out what a form on the page says."""
    service = service_of(request)
    data = described(service, who, dataset)
    if not data.is_known:
        return _shown(request, data, chosen)
    entered = _entered(request.query_params, data, chosen)
    if entered is not None and entered.editor.is_right:
        return see_other(f"/data/{dataset}/promise{entered.choices.query}#chosen")
    limits, check = _asks(data, chosen)
    return _shown(
        request,
        data,
        chosen,
        status=200 if entered is None else 400,
        entered=entered,
        limits=computed(service, who, limits),
        check=None if check is None else computed(service, who, check),
    )


@router.post("/data/{dataset}/promise", **for_roles(Role.OWNER))
def compute(request: Request, who: Visitor, dataset: DatasetId, chosen: Chosen, form: Posted) -> Response:
    """Have the limits found, or the promises checked on the data as they stand."""
    service = service_of(request)
    data = described(service, who, dataset)
    if data.is_known:
        limits, check = _asks(data, chosen)
        ask = check if form.text("do") == "check" else limits
        if ask is None:
            raise WordingError("There is no promise that could be checked.", "Choose one first.")
        started(service, who, ask)
    return see_other(f"/data/{dataset}/promise{chosen.query}#{'already' if form.text('do') == 'check' else 'limits'}")


@dataclass(frozen=True)
class _Entered:
    """A form that was sent: what it would lead to, and what was entered."""

    form: str
    """Which form it is: ``add``, ``change`` or ``method``."""
    place: int
    """Which of the promises is changed."""
    editor: Editor
    choices: Choices


def _entered(query: QueryParams, data: Described, chosen: Choices) -> _Entered | None:
    """Return the form that was sent with an address, if one was."""
    values = {name.removeprefix("set."): text.strip() for name, text in query.items() if name.startswith("set.")}
    if "add" in query:
        editor = _named(editors_for("promises", data.kind), query["add"]).filled(values).checked()
        return _Entered("add", -1, editor, chosen.with_models(*chosen.models, editor.wording))
    if "change" in query:
        place = int(query["change"]) if query["change"].isdecimal() else len(chosen.models)
        if place >= len(chosen.models):
            raise WordingError("There is no such promise to change.", "Choose one of those on the page.")
        editor = _named(editors_for("promises", data.kind), chosen.models[place].partition(":")[0])
        editor = editor.filled(values).checked()
        models = [editor.wording if i == place else each for i, each in enumerate(chosen.models)]
        return _Entered("change", place, editor, chosen.with_models(*models))
    if "settle" in query:
        editor = _named(editors_for("methods", data.kind), query["settle"]).filled(values).checked()
        return _Entered("method", -1, editor, chosen.with_(method=editor.wording))
    return None


def _named(editors: Sequence[Editor], name: str) -> Editor:
    for each in editors:
        if each.name == name:
            return each
    raise WordingError("There is nothing of that name that fits these data.", "Choose one of those on the page.")


def _asks(data: Described, chosen: Choices) -> tuple[LimitsAsk, CheckAsk | None]:
    """Return the orders for what the page can have computed."""
    given: dict = {} if data.kind == "table" else {"k": str(_k_of(chosen) or _USUAL_K)}
    limits = LimitsAsk(kind="limits", dataset=data.row.id, given=given)
    right = chosen.models and all(editor_of("promises", each, data.kind).is_right for each in chosen.models)
    return limits, CheckAsk(kind="check", dataset=data.row.id, models=chosen.models) if right else None


def _k_of(chosen: Choices) -> int | None:
    """Return the largest k that is promised."""
    found = [_settings_of(each).get("k", "") for each in chosen.models]
    return max((int(each) for each in found if each.isdecimal()), default=None)


def _settings_of(wording: str) -> Mapping[str, str]:
    try:
        return read_wording("promises", wording).settings
    except WordingError:
        return {}


def _faults(chosen: Choices) -> dict[str, str]:
    """Return what is wrong with the settings of one value each, by name."""
    found = {}
    for name in _PLAIN:
        value = chosen.get(name)
        if value:
            try:
                Plan.of(data="data", out="release", models=(), **{name: value}).refuse_unreadable()
            except WordingError as error:
                found[name] = f"{error.message} {error.cure}".strip()
    return found


def _shown(request: Request, data: Described, chosen: Choices, status: int = 200, **more: object) -> Response:
    there = f"/data/{data.row.id}/promise"
    base = {"data": data, "chosen": chosen, "there": there, "same": _same(data, chosen)}
    base["steps"] = steps("promise", data.row.id, query=chosen.query, ready=data.has_schema)
    if not data.is_known:
        return page(request, "promise.html", **base)
    promises = [editor_of("promises", each, data.kind) for each in chosen.models]
    method = editor_of("methods", chosen.get("method"), data.kind) if chosen.get("method") else None
    k = _k_of(chosen)
    faults = _faults(chosen)
    insensitive = data.columns_with("insensitive")
    return page(
        request,
        "promise.html",
        status=status,
        **base,
        **more,
        promises=[
            (each, _meaning(wording), f"{there}{_without(chosen, wording).query}#chosen")
            for each, wording in zip(promises, chosen.models, strict=True)
        ],
        offered=editors_for("promises", data.kind),
        methods=editors_for("methods", data.kind),
        method=method,
        faults=faults,
        formats=format_catalog(),
        acceptable=list(dict.fromkeys(["vacuous", "empty", *chosen.accept, *insensitive[:_MOST_COLUMNS]])),
        n_acceptable=len({"vacuous", "empty", *chosen.accept, *insensitive}),
        picture=None if k is None else people_picture(min(k, 10**6), _with_few(data, k), data.records),
        is_ready=bool(promises)
        and all(each.is_right for each in (*promises, *([method] if method else [])))
        and not faults,
    )


def _with_few(data: Described, k: int) -> int | None:
    """Return how many records are in groups of fewer than k as the data stand; None where that is not known."""
    by_size = data.about.get("records_by_group_size")
    if not by_size:
        return None
    told, few = sum(by_size.values()), sum(many for size, many in by_size.items() if int(size) < k)
    is_known = told == data.records or k <= max(map(int, by_size))  # the largest groups may be told together
    return few if is_known else None


def _without(chosen: Choices, wording: str) -> Choices:
    return chosen.with_models(*(each for each in chosen.models if each != wording))


def _meaning(wording: str) -> str:
    try:
        return read_wording("promises", wording).meaning
    except WordingError:
        return ""


def _same(data: Described, chosen: Choices) -> Same:
    schema = data.schema_file
    given = None if data.is_known and data.kind == "table" else f"k={_k_of(chosen) or _USUAL_K}"
    letters = None if given is None else {"k": _k_of(chosen) or _USUAL_K}
    lines = [command("shoal", "limits", data.row.name, given=given, schema=schema)]
    calls = [python_call("limits", data.row.name, given=letters, schema=schema)]
    if chosen.models:
        lines.append(command("shoal", "check", data.row.name, model=chosen.models, schema=schema))
        calls.append(python_call("check", data.row.name, models=list(chosen.models), schema=schema))
    return Same("\n".join(lines), "\n".join(["import shoal", "", *calls]))
