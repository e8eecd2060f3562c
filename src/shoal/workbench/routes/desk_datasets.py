"""Data sets of the desk: versions and policies, and registering one of the owner's. Done by the operations."""

from functools import partial
from typing import Annotated, Any
from urllib.parse import urlencode

from anyio import to_thread
from fastapi import APIRouter, Query, Request, Response

from shoal.errors import ConfirmationAwaited, ShoalError, WordingError
from shoal.server.access import service_of
from shoal.server.fitted import fitted
from shoal.server.problems import NotFound
from shoal.server.routes import desk as operations
from shoal.server.routes.desk import DeskDatasetInfo, KeptVersion, NewDeskDataset
from shoal.server.routes.desk_oversight import populations
from shoal.server.service import Service
from shoal.server.store import DatasetRow, Identity, Role
from shoal.workbench.computed import of_job
from shoal.workbench.desk_elsewhere import at_the_desk, store_of
from shoal.workbench.desk_sections import READERS, sections_for
from shoal.workbench.policy_form import changes, entered, fields_of, policy_in_words, settings_of
from shoal.workbench.rendering import page, see_other
from shoal.workbench.same_elsewhere import Same, command
from shoal.workbench.tried import Tried
from shoal.workbench.visitors import Posted, Visitor, for_roles

__all__ = ["router"]

router = APIRouter()

_HERE = "/desk/datasets"
Name = Annotated[str, Query(max_length=200)]
Job = Annotated[str, Query(pattern=r"^([0-9a-f]{24})?$")]


@router.get(_HERE, **for_roles(*READERS))
def datasets(request: Request, who: Visitor) -> Response:
    """List the data sets of the desk."""
    return page(
        request,
        "desk_datasets.html",
        sections=sections_for(who),
        datasets=operations.desk_datasets(request),
        elsewhere=at_the_desk(
            service_of(request),
            who,
            "datasets",
            call='book("datasets")',
            asked=("desk/datasets", 'desk("datasets")'),
        ),
    )


@router.get(f"{_HERE}/new", **for_roles(Role.OWNER))
def new_dataset(
    request: Request,
    who: Visitor,
    name: Name = "",
    job: Job = "",
) -> Response:
    """Ask which data set is to be registered and what is allowed; with a name, as a new version of that one."""
    return _new(request, who, name, job)


@router.post(f"{_HERE}/new", **for_roles(Role.OWNER))
async def register(request: Request, who: Visitor, form: Posted) -> Response:
    """Register a data set of the owner. It is a job, which the page that follows shows."""
    version_of = form.text("version_of")
    try:
        if not form.text("dataset"):
            raise WordingError("No data set was chosen.", "Choose one of yours.")
        policy = None if version_of else settings_of(form)
        asked = {"name": version_of or form.text("name"), "dataset": form.text("dataset"), "policy": policy}
        job = await operations.register(request, Response(), who, fitted(NewDeskDataset, asked))
    except ShoalError as error:
        again = partial(_new, request, who, version_of, "", Tried.in_vain(form, error))
        return await to_thread.run_sync(again)
    return see_other(f"{_HERE}/new?{urlencode({'job': job.id, **({'name': version_of} if version_of else {})})}")


def _new(request: Request, who: Identity, name: str, job: str, tried: Tried | None = None) -> Response:
    service, tried = service_of(request), tried or Tried.not_yet()
    computed = None if not job else of_job(service, service.job(job, who))
    if computed is not None and computed.job is not None and computed.job.kind != "desk-register":
        raise NotFound("There is no such registration.")
    asked: dict[str, Any] = {} if computed is None or computed.job is None else computed.job.asked
    fields = entered(tried.form) if tried.problem is not None else fields_of(asked.get("policy"))
    return page(
        request,
        "desk_new_dataset.html",
        status=tried.status,
        sections=sections_for(who),
        version_of=name if asked.get("policy") is None else "",
        computed=computed,
        tried=tried,
        entered_name=tried.text("name", asked.get("name", "")),
        chosen=tried.text("dataset", asked.get("dataset", "")),
        own=[(row.id, f"{row.name}, {row.made[:10]}") for row in _usable(service, who)],
        **_policy_choices(request, fields),
        elsewhere=_registering(service),
    )


def _registering(service: Service) -> Same:
    store = store_of(service)
    given = {"model": "k-anonymity:k=5", "schema": "schema.toml", "desk": store}
    policy = 'policy=Policy(promises=("k-anonymity:k=5",))'
    call = f'shoal.register({store!r}, "NAME", "DATA", "schema.toml", {policy})'
    python = f"import shoal\nfrom shoal.desk import Policy\n\n{call}"
    return Same(command("shoal", "desk", "dataset", "NAME", "DATA", **given), python)


def _usable(service: Service, who: Identity) -> list[DatasetRow]:
    """Return the data sets of somebody that are there and have a schema."""
    rows = service.datasets.of_user(who.name)
    return [row for row in rows if row.state == "ready" and (service.dataset_folder(row.id) / "schema.toml").is_file()]


def _policy_choices(request: Request, fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "fields": fields,
        "purposes": [(each.name, each.name) for each in operations.purposes(request)],
        "others": [each.name for each in operations.desk_datasets(request)],
    }


@router.get(f"{_HERE}/one", **for_roles(*READERS))
def dataset(request: Request, who: Visitor, name: Name = "", job: Job = "") -> Response:
    """Show a data set of the desk."""
    return _one(request, who, name, job=job)


@router.post(f"{_HERE}/keep", **for_roles(Role.OWNER))
async def keep(request: Request, who: Visitor, form: Posted) -> Response:
    """Let the desk keep a version. It is a job, which the page of the data set shows."""
    name, version = form.text("name"), form.text("version")
    try:
        which = fitted(KeptVersion, {"version": int(version) if version.isascii() and version.isdigit() else version})
        job = await operations.keep(request, Response(), who, name, which)
    except ShoalError as error:
        return await to_thread.run_sync(partial(_one, request, who, name, Tried.in_vain(form, error, "keep")))
    return see_other(f"{_HERE}/one?{urlencode({'name': name, 'job': job.id})}")


@router.post(f"{_HERE}/one", **for_roles(Role.OWNER))
def change_policy(request: Request, who: Visitor, form: Posted) -> Response:
    """Change what is allowed; where the policy asks for two people, the change waits for another one."""
    name = form.text("name")
    try:
        changed = changes(form, _found(request, name).policy)
        if not changed.model_fields_set:
            raise WordingError("Nothing was changed.", "Change a field first.")
        operations.change_policy(request, who, name, changed)
    except ConfirmationAwaited:
        return see_other("/desk/waiting")
    except ShoalError as error:
        return _one(request, who, name, Tried.in_vain(form, error, "policy"))
    return see_other(f"{_HERE}/one?{urlencode({'name': name})}")


def _found(request: Request, name: str) -> DeskDatasetInfo:
    for each in operations.desk_datasets(request):
        if each.name == name:
            return each
    raise NotFound("The desk has no such data set.")


def _one(request: Request, who: Identity, name: str, tried: Tried | None = None, job: str = "") -> Response:
    service, tried, found = service_of(request), tried or Tried.not_yet(), _found(request, name)
    fields = entered(tried.form) if tried.problem_of("policy") is not None else fields_of(found.policy)
    computed = None if not job else of_job(service, service.job(job, who))
    return page(
        request,
        "desk_dataset.html",
        status=tried.status,
        sections=sections_for(who),
        dataset=found,
        words=policy_in_words(found.policy),
        tried=tried,
        may_change=who.role is Role.OWNER,
        may_keep=who.role is Role.OWNER and service.settings.has_desk_key,
        computed=computed,
        population=populations(request, found.name)[0],
        **_policy_choices(request, fields),
        elsewhere=at_the_desk(
            service_of(request),
            who,
            "policy",
            name,
            call=f"change_policy({name!r}, promises={tuple(found.policy['promises'])!r})",
            asked=("desk/datasets", 'desk("datasets")'),
            model=found.policy["promises"],
        ),
    )
