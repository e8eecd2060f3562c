"""Pages from templates: everything is escaped, and every page knows who looks at it."""

import re
from functools import cache
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from shoal.server.access import form_token_of
from shoal.server.store import Role
from shoal.version import __version__
from shoal.wording.format import format_count, format_number, format_share

__all__ = ["own_address", "page", "see_other"]


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("shoal.workbench"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        number=format_number,
        share=format_share,
        count=format_count,
        drawn=Markup,  # charts of our own, in which every name is escaped already
        size=_size,
        moment=_moment,
        title_for_people=_title,
    )
    environment.globals.update(version=__version__, Role=Role)
    return environment


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page; its template finds ``who``, ``form_token`` and ``path`` beside these values."""
    who = getattr(request.state, "who", None)
    token = "" if who is None or who.session is None else form_token_of(who)
    known = {"who": who, "form_token": token, "path": request.url.path, "full_path": _full(request)}
    return HTMLResponse(_environment().get_template(template).render(**known, **values), status_code=status)


def see_other(path: str) -> RedirectResponse:
    """Return the answer to a form: look there, so that reloading does not send the form again."""
    return RedirectResponse(path, status_code=303)


def own_address(address: str, otherwise: str = "/") -> str:
    """Return an address of this service that came with a form; in place of any other, the one given.

    Nobody is led back to where one comes in: a token in that address may be an old one.
    """
    is_entrance = address.partition("?")[0] in ("/enter", "/login")
    is_own = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if is_own and not is_entrance else otherwise


def _full(request: Request) -> str:
    query = request.url.query
    return request.url.path + (f"?{query}" if query else "")


def _size(count: int) -> str:
    """Write a number of bytes as people do."""
    value, unit = float(count), "bytes"
    for larger in ("kB", "MB", "GB", "TB"):
        if value < 1000:
            break
        value, unit = value / 1000, larger
    return f"{value:.0f} {unit}" if unit == "bytes" or value >= 10 else f"{value:.1f} {unit}"


def _title(text: str) -> str:
    """Return the title of a result without the name of its class, and without the verdict that stands before it."""
    return re.sub(r"^\w*Result: ((holds|does not hold) )?", "", text)


def _moment(text: str | None) -> str:
    """Write a time of the books: to the minute, in UTC."""
    return "–" if text is None else f"{text[:10]} {text[11:16]} UTC"
