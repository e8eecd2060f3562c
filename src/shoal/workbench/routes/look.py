"""Looking at data: what is in them, who stands out, and the records themselves, some at a time."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from shoal.errors import ShoalError, WordingError
from shoal.server.access import service_of
from shoal.server.problems import problem_of
from shoal.server.routes.models import DatasetId
from shoal.server.store import Role
from shoal.workbench.choices import Choices, Chosen
from shoal.workbench.computed import Computed, started
from shoal.workbench.own_data import OwnData
from shoal.workbench.page_weight import cut, cut_to_fit
from shoal.workbench.rendering import page, see_other
from shoal.workbench.same_elsewhere import from_service
from shoal.workbench.visitors import Posted, Visitor, for_roles

__all__ = ["router"]

router = APIRouter()

_COLUMNS_A_PAGE = 10
_RECORDS_A_PAGE = 50
_MOST_ROWS = 20
"""So many rows of a table are shown; the first look may find hundreds of dependencies."""
_FIELDS_A_PAGE = 20
"""A record of hundreds of fields would make a page of megabytes: it is paged as records are."""
_LONGEST_NAME = 60
_MOST_BYTES = 45_000
"""So much of the records is on a page, without what stands around them."""
_DRAWN = ("Columns", "How high ratings are")
"""Tables that the page shows otherwise: with histograms, and beside a chart."""

PageNumber = Annotated[int, Query(ge=1, le=10**9)]


@router.get("/data/{dataset}/look", **for_roles(Role.OWNER))
def look(request: Request, who: Visitor, dataset: DatasetId, choices: Chosen, columns: PageNumber = 1) -> Response:
    """Show what is in the data: problems first, then who stands out, then columns with histograms."""
    data = OwnData.of(service_of(request), who, dataset)
    return _shown(request, data, choices, columns)


@router.post("/data/{dataset}/look", **for_roles(Role.OWNER))
def act(request: Request, who: Visitor, dataset: DatasetId, choices: Chosen, form: Posted) -> Response:
    """Have the data looked at again, or add to the schema what the problem of the last look says is missing."""
    data = OwnData.of(service_of(request), who, dataset)
    there = f"{data.address}/look"
    if form.text("do") == "declare":
        try:
            _declare(data, choices)
        except ShoalError as error:
            return _shown(request, data, choices, 1, problem_of(error))
        return see_other(f"{there}{choices.query}")
    if form.text("duplicates") in ("last", "mean"):
        choices = choices.with_(duplicates=form.text("duplicates"))
    if choices.get("duplicates"):
        started(data.service, who, data.describe_ask(choices.get("duplicates")))
    elif not data.described().is_under_way:
        data.service.describe(data.row, who)
    return see_other(f"{there}{choices.query}")


def _declare(data: OwnData, choices: Choices) -> None:
    """Add to the schema the settings that were recognized, which the page has shown."""
    found = data.described(choices.get("duplicates"))
    settings = found.result.get("declare") if found.is_done else (found.problem or {}).get("declare")
    if not settings:
        raise WordingError("There is nothing to add to the schema.", "Load the page again.")
    data.service.set_schema(data.row, {**(data.schema or {}), **settings}, data.who)


def _shown(
    request: Request, data: OwnData, choices: Choices, number: int, problem: dict[str, Any] | None = None
) -> Response:
    found = data.described(choices.get("duplicates"))
    result, shown = (found.result, found.shown or {}) if found.is_done else ({}, {})
    columns = result.get("columns", [])
    first = min((number - 1) * _COLUMNS_A_PAGE, max(len(columns) - 1, 0) // _COLUMNS_A_PAGE * _COLUMNS_A_PAGE)
    on_page = columns[first : first + _COLUMNS_A_PAGE] if isinstance(columns, list) else []
    pictures = {each["title"]: each for each in shown.get("pictures", ())}
    return page(
        request,
        "look.html",
        status=200 if problem is None else problem["status"],
        data=data,
        choices=choices,
        steps=data.steps("look", choices),
        computed=found,
        result=result,
        problems=[_without_terminal(each) for each in result.get("problems", ())],
        facts=_facts(shown),
        tables=[_shortened(each) for each in shown.get("tables", ()) if each["caption"] not in _DRAWN],
        columns=on_page,
        pictures=[pictures[each["name"]] for each in on_page if each["name"] in pictures],
        ratings_picture=pictures.get("How high ratings are") if result.get("kind") != "table" else None,
        first=first,
        total=len(columns) if isinstance(columns, list) else 0,
        a_page=_COLUMNS_A_PAGE,
        declare=_declared(found),
        problem=problem,
        same=data.same("describe", duplicates=choices.get("duplicates")),
    )


def _without_terminal(sentence: str) -> str:
    """Return what is wrong without how it is mended in a terminal: the page has a button for it."""
    return sentence.partition(" Save these lines as ")[0].partition(" Write a schema: `")[0]


def _facts(shown: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the facts; the roles of columns are on the page of columns."""
    return [(name, words) for name, words in shown.get("facts", ()) if name not in ("roles",)]


def _declared(found: Computed) -> dict[str, Any]:
    settings = found.result.get("declare") if found.is_done else (found.problem or {}).get("declare")
    return settings or {}


def _shortened(table: dict[str, Any]) -> dict[str, Any]:
    rows = table["rows"]
    return {**table, "rows": rows[:_MOST_ROWS], "more": table["more"] + max(len(rows) - _MOST_ROWS, 0)}


@router.get("/data/{dataset}/rows", **for_roles(Role.OWNER))
def rows(
    request: Request, who: Visitor, dataset: DatasetId, choices: Chosen, at: PageNumber = 1, column: PageNumber = 1
) -> Response:
    """Show some columns of some records as they are written, to their owner alone."""
    data = OwnData.of(service_of(request), who, dataset)
    opened = data.rows()
    first = _first(at, opened.total, _RECORDS_A_PAGE)
    left = _first(column, len(opened.names), _FIELDS_A_PAGE)
    seen = slice(left, left + _FIELDS_A_PAGE)
    return page(
        request,
        "rows.html",
        data=data,
        choices=choices,
        steps=data.steps("look", choices),
        names=[cut(name, _LONGEST_NAME) for name in opened.names[seen]],
        rows=cut_to_fit([row[seen] for row in opened.slice(first, _RECORDS_A_PAGE)], _MOST_BYTES),
        first=first,
        total=opened.total,
        a_page=_RECORDS_A_PAGE,
        left=left,
        columns=len(opened.names),
        across=_FIELDS_A_PAGE,
        same=data.same("describe", values=True),
    )


def _first(asked: int, total: int, a_page: int) -> int:
    """Return the place of the first thing on the page that has the one asked for, or the last one."""
    return min(asked - 1, max(total - 1, 0)) // a_page * a_page


@router.get("/data/{dataset}/delete", **for_roles(Role.OWNER))
def ask_to_delete(request: Request, who: Visitor, dataset: DatasetId) -> Response:
    """Ask whether a data set is to be removed, and say what that means."""
    data = OwnData.of(service_of(request), who, dataset)
    same = from_service((f"datasets/{dataset}", f"remove_dataset({dataset!r})"), method="DELETE")
    return page(request, "delete.html", data=data, same=same)


@router.post("/data/{dataset}/delete", **for_roles(Role.OWNER))
def delete(request: Request, who: Visitor, dataset: DatasetId) -> Response:
    """Remove a data set."""
    data = OwnData.of(service_of(request), who, dataset)
    data.service.remove_dataset(data.row, who)
    return see_other("/")
