"""Opening data: a file that is sent, one that lies on the server, or an example."""

import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from anyio import to_thread
from fastapi import APIRouter, Request, Response
from starlette.datastructures import UploadFile

from shoal.errors import ShoalError, WordingError
from shoal.server.access import service_of
from shoal.server.problems import problem_of
from shoal.server.service import Service
from shoal.server.store import Role
from shoal.server.uploads import FILE_NAME, Stored, stored
from shoal.workbench.examples import EXAMPLES, add_example
from shoal.workbench.rendering import page, see_other
from shoal.workbench.same_elsewhere import Same
from shoal.workbench.steps import steps
from shoal.workbench.visitors import Posted, Visitor, for_roles

__all__ = ["router"]

router = APIRouter()

_MOST_LISTED = 200
_BLOCK = 1 << 20
_SAME = Same(
    "shoal describe people.csv",
    'import shoal\n\nshoal.describe("people.csv")',
)


@router.get("/open", **for_roles(Role.OWNER))
def open_page(request: Request, who: Visitor, folder: str = "") -> Response:  # noqa: ARG001 - who must be known
    """Offer the ways in which data come."""
    return _shown(request, folder)


@router.post("/open/upload", **for_roles(Role.OWNER))
async def upload(request: Request, who: Visitor, form: Posted) -> Response:
    """Keep a file that a form brought; what came is on disk already, and is copied from there a block at a time."""
    service = service_of(request)
    try:
        file = form.file("file")
        name = re.split(r"[/\\]", file.filename or "")[-1]
        if not re.match(FILE_NAME, name):
            raise WordingError("The file has no name that can be kept.", "Rename it; it may not begin with a dot.")
        row = await to_thread.run_sync(lambda: service.add_dataset(who, name=name))

        def remember(kept: Stored, give_name: Callable[[], None]) -> None:
            service.set_content(row, kept, who, give_name)

        try:
            await stored(_blocks(file), service.dataset_folder(row.id) / "content", row.name, remember)
        except ShoalError:
            await to_thread.run_sync(service.remove_dataset, row, who)
            raise
    except ShoalError as error:
        told = problem_of(error)
        return await to_thread.run_sync(lambda: _shown(request, problem=told, where="upload"))
    return see_other(f"/data/{row.id}/look")


async def _blocks(file: UploadFile) -> AsyncIterator[bytes]:
    while block := await file.read(_BLOCK):
        yield block


@router.post("/open/path", **for_roles(Role.OWNER))
def register(request: Request, who: Visitor, form: Posted) -> Response:
    """Take data that lie on the server; they stay where they are."""
    path = form.text("path")
    try:
        if not path:
            raise WordingError("No path was given.", "Give the path of a file below one of the folders.")
        row = service_of(request).add_dataset(who, path=path)
    except (ShoalError, ValueError, OSError) as error:
        told = problem_of(error if isinstance(error, ShoalError) else WordingError("This is not a path."))
        return _shown(request, form.text("folder"), problem=told, where="path", path=path)
    return see_other(f"/data/{row.id}/look")


@router.post("/open/example", **for_roles(Role.OWNER))
def example(request: Request, who: Visitor, form: Posted) -> Response:
    """Add an example."""
    name = form.text("name")
    if name not in EXAMPLES:
        told = problem_of(WordingError("There is no such example.", f"There are {', '.join(EXAMPLES)}."))
        return _shown(request, problem=told, where="example")
    return see_other(f"/data/{add_example(service_of(request), who, name).id}/look")


def _shown(request: Request, folder: str = "", *, problem: Any = None, where: str = "", path: str = "") -> Response:
    service = service_of(request)
    return page(
        request,
        "open.html",
        status=200 if problem is None else problem["status"],
        steps=steps("open", None),
        examples=_EXAMPLES,
        listing=_listing(service, folder),
        largest=service.settings.limits.upload,
        problem=problem,
        where=where,
        given=path,
        same=_SAME,
    )


_EXAMPLES = {
    "people.csv": "a table: 3,000 invented people with age, race, education, occupation and salary",
    "answers.csv": "a survey: 400 people rate 20 issues, two of them sensitive",
    "films.csv": "ratings: 300 people, 200 films, 6,000 ratings from 1 to 5",
}
assert _EXAMPLES.keys() == EXAMPLES.keys()


def _listing(service: Service, folder: str) -> dict[str, Any] | None:
    """Return the files below the folders that may be used: those of one folder; None where no folder may be."""
    roots = service.settings.roots
    if not roots:
        return None
    try:
        here = service.path_allowed(folder) if folder else None
        entries = [Path(each) for each in roots] if here is None else sorted(here.iterdir(), key=_order)
    except (ShoalError, ValueError, OSError):
        here, entries = None, [Path(each) for each in roots]
    shown = [each for each in entries if not each.name.startswith(".")]
    found = [{"name": each.name if here else str(each), "path": str(each), "folder": each.is_dir()} for each in shown]
    above = None if here is None or any(here == Path(root).resolve() for root in roots) else str(here.parent)
    more = max(len(found) - _MOST_LISTED, 0)
    return {"here": here and str(here), "above": above, "entries": found[:_MOST_LISTED], "more": more}


def _order(path: Path) -> tuple[bool, str]:
    return (not path.is_dir(), path.name.lower())
