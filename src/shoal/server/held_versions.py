"""Which versions of data sets of the desk are with the service, for a request that needs them."""

from contextlib import suppress
from typing import TYPE_CHECKING

from shoal.desk.names import known_name
from shoal.errors import ShoalError

from .problems import NotFound
from .work.folder import HeldVersion

if TYPE_CHECKING:
    from .service import Service
    from .store import DatasetRow

__all__ = ["held_versions"]


def held_versions(service: "Service", name: str) -> "tuple[list[HeldVersion], list[DatasetRow]]":
    """Return where the versions of a data set are, and of all others that are judged together with it; and their rows.

    Data of another owner are read for the decision alone. Whatever of others is not there is left out: the desk decides
    whether it can do without.
    """
    name = known_name(name)
    if not service.desk_sources.of(name):
        raise NotFound("The desk has no such data set whose data are with the service.")
    held, rows = list[HeldVersion](), list["DatasetRow"]()
    for (dataset, number), id_ in service.desk_sources.of_all(service.books.desk().population(name)).items():
        row = service.datasets.get(id_)
        if row is None:
            continue
        with suppress(*() if dataset == name else (ShoalError,)):
            held.append(HeldVersion(name=dataset, version=number, place=service.place_of(row)))
            rows.append(row)
    return held, rows
