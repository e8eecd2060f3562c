"""Look me up: a person says what she knows of herself, and is told what a release says of her. Nothing is kept."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from starlette.datastructures import FormData

from shoal.errors import ShoalError, WordingError
from shoal.jobs.lookup.questions import Questions, questions_of
from shoal.server.access import service_of
from shoal.server.fitted import fitted
from shoal.server.problems import NotFound, problem_of
from shoal.server.routes.desk_requests import desk_releases, given_folder
from shoal.server.routes.lookup import Known, look_up_in
from shoal.server.service import Service
from shoal.server.store import Identity, Role
from shoal.workbench.released import releases_of
from shoal.workbench.rendering import page
from shoal.workbench.same_elsewhere import Same, command
from shoal.workbench.visitors import Form, Posted, Visitor, for_roles

__all__ = ["router"]

router = APIRouter()

_ROLES = (Role.OWNER, Role.OFFICER, Role.REQUESTER)
_MOST = 50
_SAME = Same(
    command("shoal", "lookup", "release", "--me", "me.csv"), 'import shoal\n\nshoal.lookup("release", "me.csv")'
)


@dataclass(frozen=True)
class _Place:
    """A release to look into: one of an owner, or one of the desk."""

    release: str
    number: int | None
    folder: Path

    @classmethod
    def of(cls, service: Service, who: Identity, release: str, number: str) -> "_Place":
        """Return a release that somebody may see, or raise."""
        if number.isascii() and number.isdigit() and len(number) < 10:
            return cls("", int(number), given_folder(service, who, int(number)))
        if who.role is not Role.OWNER or not release:
            raise NotFound("There is no such release.", "Choose one of the list.")
        return cls(release, None, service.release_folder(service.release(release, who).id) / "release")


@router.get("/lookup", **for_roles(*_ROLES))
def lookup_page(
    request: Request,
    who: Visitor,
    release: Annotated[str, Query(max_length=24)] = "",
    desk: Annotated[str, Query(max_length=10)] = "",
) -> Response:
    """Ask what somebody knows of herself, about a release; without one, which it is to be."""
    service = service_of(request)
    if release or desk:
        return _form(request, _Place.of(service, who, release, desk))
    own = releases_of(service, who, _MOST) if who.role is Role.OWNER else []
    views = [each for each in desk_releases(request, who) if each.state == "done"]
    return page(request, "lookup.html", releases=own, views=views[-_MOST:][::-1], elsewhere=_SAME)


@router.post("/lookup", **for_roles(*_ROLES))
def look_up(request: Request, who: Visitor, form: Posted) -> Response:
    """Say what a release says of somebody. What was entered is in the answer, and nowhere else."""
    service = service_of(request)
    place = _Place.of(service, who, form.text("release"), form.text("desk"))
    try:
        known = _known(form, questions_of(place.folder))
        answer = look_up_in(service, place.folder, who, known).model_dump()
    except ShoalError as error:
        return _form(request, place, form, problem=problem_of(error))
    return _form(request, place, form, answer=answer)


def _known(form: Form, asked: Questions) -> Known:
    values = {name: value for name, value in form.starting("value:").items() if value}
    lines = [line.strip() for line in form.text("items").splitlines() if line.strip()]
    items = [_item(line, number, asked) for number, line in enumerate(lines, start=1)]
    return fitted(Known, {"values": values, "items": items, "tolerance": form.text("tolerance") or None})


def _item(line: str, number: int, asked: Questions) -> dict[str, str]:
    """Return the parts of a line: the item, and after it as many as are asked for."""
    names = [*(["rating"] if asked.is_rated else []), *(["date"] if asked.date is not None else [])]
    parts = [part.strip() for part in line.rsplit(",", len(names))] if names else [line]
    if len(parts) <= len(names) or not parts[0]:
        wanted = ", ".join(["item", *names])
        raise WordingError(f"Line {number} of the items is not {wanted}.", f"Write each line as: {wanted}.")
    return dict(zip(["item", *names], parts, strict=True))


def _form(
    request: Request,
    place: _Place,
    form: Form | None = None,
    *,
    answer: dict[str, Any] | None = None,
    problem: dict[str, Any] | None = None,
) -> Response:
    entered = form or Form(FormData())
    return page(
        request,
        "lookup_form.html",
        status=200 if problem is None else problem["status"],
        place=place,
        asked=questions_of(place.folder),
        values=entered.starting("value:"),
        entered=entered,
        answer=answer,
        problem=problem,
        elsewhere=_SAME,
    )
