"""Pages to read: the words that the pages use, and where things are."""

from fastapi import APIRouter, Request, Response

from shoal.server.access import service_of
from shoal.server.store import Role
from shoal.workbench.glossary import glossary, names_in_wordings
from shoal.workbench.rendering import page
from shoal.workbench.same_elsewhere import Same, from_service
from shoal.workbench.visitors import Visitor, for_roles

__all__ = ["router"]

router = APIRouter()

_WORDS = from_service(*((each, f'catalog("{each}")') for each in ("promises", "methods", "attacks", "measures")))
_VERSION = Same("shoal --version", 'from importlib.metadata import version\n\nversion("shoal")')


@router.get("/glossary", **for_roles(*Role))
def words(request: Request, who: Visitor) -> Response:  # noqa: ARG001 - whoever looks is found out
    """Explain the words; each can be linked to."""
    return page(request, "glossary.html", sections=glossary(), names=names_in_wordings(), same=_WORDS)


@router.get("/about", **for_roles(*Role))
def about(request: Request, who: Visitor) -> Response:  # noqa: ARG001 - whoever looks is found out
    """Say which version this is, where things are kept, and how to stop it."""
    settings = service_of(request).settings
    return page(request, "about.html", settings=settings, store=_without_password(settings.store), same=_VERSION)


def _without_password(store: str) -> str:
    """Return where the books are; the address of a database may hold a password."""
    scheme, colon, rest = store.partition("://")
    return f"{scheme}{colon}{rest.rpartition('@')[2]}" if colon else store
