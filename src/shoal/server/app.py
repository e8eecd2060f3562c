"""The application: every operation under ``/api/v1``, every failure a problem, and guards before all of it."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Protocol

from anyio import to_thread
from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from shoal.errors import ShoalError
from shoal.version import __version__

from .access import Guards, rules_of
from .access.proofs import COOKIE
from .operations import Operations, refuse_unknown_parameters
from .problems import PROBLEM_TYPE, problem, problem_of
from .routes import ROUTERS
from .routes.models import Problem
from .routes.sessions import ENTRANCE
from .service import Service
from .store import Identity

__all__ = ["API", "Pages", "create_app"]

API = "/api/v1"
_ABOUT = "Privacy-preserving publishing of rating data and microdata: the jobs of Shoal and the release desk."
_PROBLEM: dict[str, Any] = {
    "model": Problem,
    "description": "A problem, and its cure.",
    "content": {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}


_SCHEMES = {
    "token": {"type": "http", "scheme": "bearer"},
    "session": {"type": "apiKey", "in": "cookie", "name": COOKIE, "description": "Of a browser: see POST /session."},
    "form": {
        "type": "apiKey",
        "in": "header",
        "name": "X-Shoal-Form",
        "description": "The form token of the session, beside its cookie, with what changes something.",
    },
}


class Pages(Protocol):
    """Pages for people, beside the interface for programs."""

    @property
    def routers(self) -> Sequence[APIRouter]:
        """What answers with pages."""
        ...

    def on_problem(self, request: Request, told: dict[str, Any]) -> Response:
        """Return the page that tells a problem."""
        ...


def create_app(service: Service, pages: Pages | None = None) -> FastAPI:
    """Return the application of a service, which it starts and stops with itself; with pages, where there are any."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        service.start()
        yield
        await to_thread.run_sync(service.stop)

    app = FastAPI(
        title="Shoal",
        summary=_ABOUT,
        version=__version__,
        openapi_url=None,  # it is given to those who are logged in
        docs_url=None,  # it would load scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.service, app.state.pages = service, pages
    for router in ROUTERS:
        problems: dict[int | str, dict[str, Any]] = {"4XX": _PROBLEM, "5XX": _PROBLEM}
        app.include_router(router, prefix=API, responses=problems, dependencies=[Depends(refuse_unknown_parameters)])
    for router in (ENTRANCE, *(pages.routers if pages is not None else ())):
        app.include_router(router)
    app.add_exception_handler(ShoalError, _on_our_error)
    app.add_exception_handler(RequestValidationError, _on_unfit)
    app.add_exception_handler(HTTPException, _on_http_error)
    app.openapi = _documented(app)  # type: ignore[method-assign]
    _add_document(app)
    rules_of(app)  # an operation without a rule is found at once
    app.state.operations = Operations(app.openapi())
    app.add_middleware(Guards, settings=service.settings, proven=service.proven, on_fault=_on_fault)  # type: ignore[arg-type]
    return app


def _add_document(app: FastAPI) -> None:
    from .access import rule
    from .store import Role

    @app.get(f"{API}/openapi.json", tags=["service"], name="openapi", include_in_schema=False, **rule(*Role))
    def document() -> dict[str, Any]:
        """Return this document."""
        return app.openapi()


def _documented(app: FastAPI) -> Callable[[], dict[str, Any]]:
    """Return the OpenAPI document: what is unfit is a problem like others, and tokens are how to log in."""
    plain = app.openapi

    def document() -> dict[str, Any]:
        if app.openapi_schema is not None:
            return app.openapi_schema
        made = plain()
        made.setdefault("components", {})["securitySchemes"] = _SCHEMES
        made["security"] = [{"token": []}, {"session": [], "form": []}]
        for operations in made["paths"].values():
            for operation in operations.values():
                operation["responses"].pop("422", None)  # 4XX says it
        for name in ("HTTPValidationError", "ValidationError"):
            made["components"]["schemas"].pop(name, None)
        return made

    return document


def _answer(request: Request, told: dict[str, Any], headers: dict[str, str] | None = None) -> Response:
    pages: Pages | None = request.app.state.pages
    if pages is not None and not request.url.path.startswith("/api/"):
        return pages.on_problem(request, told)
    return JSONResponse(told, status_code=told["status"], media_type=PROBLEM_TYPE, headers=headers)


async def _on_our_error(request: Request, error: Exception) -> Response:
    status = getattr(error, "http_status", 0)
    headers = {"www-authenticate": "Bearer"} if status == 401 else None
    who: Identity | None = getattr(request.state, "who", None)
    if status == 403 and who is not None:
        service: Service = request.app.state.service
        path = request.scope["route"].path.removeprefix(API)  # as written in the program, without what was sent
        what = f"{request.method} {API if request.url.path.startswith(API) else ''}{path}"
        await to_thread.run_sync(service.watch.note_not_allowed, who, what)
    return _answer(request, problem_of(error), headers)


async def _on_unfit(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    faults = [
        {"place": ".".join(map(str, each["loc"])), "fault": each["type"].replace("_", " ")} for each in error.errors()
    ]
    told = problem(422, "The request does not fit the operation.", "See the places.", faults=faults[:20])
    return _answer(request, told)


async def _on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    if error.status_code == 405:
        methods = request.app.state.operations.at(request.url.path)
        headers = {"allow": ", ".join(sorted(map(str.upper, methods)))}
    said = {404: "There is no such resource.", 405: "The resource has no such operation."}
    told = problem(error.status_code, said.get(error.status_code, "The request cannot be answered."))
    return _answer(request, told, headers)


def _on_fault(request: Request, error: Exception) -> Response:
    return _answer(request, problem_of(error))
