"""Every book of the desk, to be read and exported: refusals, the history of policies, populations and the rest."""

import json
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response

from shoal.desk.listings import BOOKS
from shoal.errors import ShoalError
from shoal.server.access import service_of
from shoal.server.problems import problem_of
from shoal.server.routes.desk_oversight import BookName
from shoal.server.routes.desk_oversight import book as exported_book
from shoal.workbench.desk_elsewhere import at_the_desk
from shoal.workbench.desk_sections import BOOKKEEPERS, sections_for
from shoal.workbench.rendering import page
from shoal.workbench.visitors import Visitor, for_roles

__all__ = ["router"]

router = APIRouter()

_HERE = "/desk/books"
_MOST = 50
_NUMBERED = {"policies": "entry", "releases": "number", "refusals": "entry", "approvals": "number"}
_NUMBERED |= {"proposals": "number", "log": "number"}


@router.get(_HERE, **for_roles(*BOOKKEEPERS))
def books(request: Request, who: Visitor) -> Response:
    """List the books."""
    return page(
        request,
        "desk_books.html",
        sections=sections_for(who),
        books=[(name, each.title) for name, each in BOOKS.items()],
        elsewhere=at_the_desk(
            service_of(request),
            who,
            "refusals",
            call='book("refusals")',
            asked=("desk/books/refusals", 'book("refusals")'),
            format="csv",
        ),
    )


@router.get(f"{_HERE}/{{book}}", **for_roles(*BOOKKEEPERS))
def one_book(
    request: Request, who: Visitor, book: BookName, upto: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None
) -> Response:
    """Show a book as far as filters choose it; of what is numbered, the newest first and 50 at a time."""
    chosen, problem, key = _chosen(request, book), None, _NUMBERED.get(book)
    part: dict[str, Any] = {} if key is None else {"most": _MOST + 1, "upto": upto, "newest_first": True}
    try:
        found = service_of(request).books.desk().book(book, **part, **chosen)
    except ShoalError as error:  # a name that the desk does not know, or a time that cannot be read
        found, problem = [], problem_of(error)
    shown = found if key is None else found[:_MOST]
    call = f"book({book!r}{''.join(f', {each}={value!r}' for each, value in chosen.items())})"
    return page(
        request,
        "desk_book.html",
        status=200 if problem is None else problem["status"],
        sections=sections_for(who),
        name=book,
        title=BOOKS[book].title,
        problem=problem,
        filters=[(each, each.replace("dataset", "data set"), chosen.get(each, "")) for each in BOOKS[book].filters],
        columns=BOOKS[book].shown,
        rows=[[_cell(row.get(column)) for column in BOOKS[book].shown] for row in shown],
        older="" if key is None or len(found) <= _MOST else "?" + urlencode({**chosen, "upto": found[_MOST][key]}),
        export="?" + urlencode({**chosen, "format": ""}),
        elsewhere=at_the_desk(
            service_of(request),
            who,
            book,
            call=call,
            asked=(f"desk/books/{book}{'?' + urlencode(chosen) if chosen else ''}", call),
            **chosen,
        ),
    )


@router.get(f"{_HERE}/{{book}}/export", **for_roles(*BOOKKEEPERS))
def export(
    request: Request,
    who: Visitor,  # noqa: ARG001 - whoever looks is found out
    book: BookName,
    format: Literal["csv", "ndjson"] = "csv",  # noqa: A002 - its name in the address
) -> Response:
    """Return a book as a file, as far as filters choose it."""
    answer = exported_book(request, book, format, **_chosen(request, book))
    answer.headers["content-disposition"] = f'attachment; filename="desk-{book}.{format}"'
    return answer


def _chosen(request: Request, book: BookName) -> dict[str, Any]:
    given = request.query_params
    return {each: given[each].strip() for each in BOOKS[book].filters if given.get(each, "").strip()}


def _cell(value: Any) -> str:
    """Return what a table shows; what has parts is told part by part."""
    if value is None or value in ([], {}):
        return "–"
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, list):
        return ", ".join(str(each.get("number", each)) if isinstance(each, dict) else str(each) for each in value)
    if isinstance(value, dict):
        said = {key: each for key, each in value.items() if each not in (None, [], "")}
        return "; ".join(
            f"{key} {each if isinstance(each, str | int) else json.dumps(each)}" for key, each in said.items()
        )
    return str(value)
