"""What a worker calls for the kinds of jobs of the desk."""

from typing import Any

from shoal.jobs.phases import REQUESTING, TRYING
from shoal.progress import whole

from .asks import DryRunAsk, KeepAsk, RegisterAsk, RequestAsk
from .places import Places

__all__ = ["run_dry_run", "run_keep", "run_register", "run_request"]

Result = dict[str, Any]


def run_register(ask: RegisterAsk, places: Places) -> Result:
    """Register a data set, or a version of one."""
    from shoal.desk import Policy
    from shoal.jobs.desk import register

    data = places.dataset(ask.dataset)
    policy = None if ask.policy is None else Policy.of_settings(ask.policy)
    return places.shown(register(places.order.desk, ask.name, data.path, data.schema_file, policy=policy)).to_json()


def run_keep(ask: KeepAsk, places: Places) -> Result:
    """Let the desk keep a version of a data set, sealed."""
    from shoal.jobs.kept_data import keep

    data = places.dataset(ask.dataset)
    return keep(places.order.desk, data.path, data.schema_file, key=places.key).to_json()


@whole("requesting a view", *REQUESTING)
def run_request(ask: RequestAsk, places: Places) -> Result:
    """Release a view."""
    from shoal.jobs.desk import request

    data, earlier = _read(ask.name, places)
    places.out.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = request(
        places.order.desk,
        ask.name,
        data,
        requester=ask.requester,
        purpose=ask.purpose,
        out=places.out / "release",
        ledger=places.out / "ledger",
        earlier=earlier,
        form=ask.format,
    )
    return {**places.shown(made).to_json(), "release": places.order.job}


@whole("trying a request", *TRYING)
def run_dry_run(ask: DryRunAsk, places: Places) -> Result:
    """Say what a request would get."""
    from shoal.jobs.desk import dry_run

    data, earlier = _read(ask.name, places)
    made = dry_run(places.order.desk, ask.name, data, requester=ask.requester, purpose=ask.purpose, earlier=earlier)
    return made.to_json()


def _read(name: str, places: Places) -> tuple[Any, list[Any]]:
    """Return the data set asked for, and what else of its population is to be judged with it.

    That is found out now: since the job was asked for, others may have been given views.
    """
    from shoal.desk import Desk
    from shoal.jobs.kept_data import read_kept

    book, held = Desk(places.order.desk), places.held
    sealed = [version for version, row in book.needed_versions(name).items() if row is not None and row["key_id"]]
    return read_kept(book, name, places.key if set(sealed) - held.keys() else None, held)
