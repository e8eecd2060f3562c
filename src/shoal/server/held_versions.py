"""Which versions of data sets of the desk are at hand for a request: with the service, or kept by the desk."""

from contextlib import suppress
from typing import TYPE_CHECKING

from shoal.desk.names import known_name
from shoal.errors import ShoalError

from .problems import NotFound
from .work.folder import HeldVersion

if TYPE_CHECKING:
    from .service import Service

__all__ = ["held_versions", "names_at_hand"]


def names_at_hand(service: "Service") -> list[str]:
    """Return the data sets of the desk of which data are at hand."""
    desk = service.books.desk()
    names = [each["dataset"] for each in desk.book("datasets")]
    held = {name for name, _ in service.desk_sources.of_all(names)} | desk.kept_datasets()
    return [name for name in names if name in held]


def held_versions(service: "Service", name: str) -> tuple[list[HeldVersion], int]:
    """Return where the versions of a data set are, and of all others that are judged together with it.

    Beside them stands how many bytes there are of them, and of what the desk keeps. Data of another owner are read for
    the decision alone. Whatever of others is not there is left out: the desk decides whether it can do without.
    """
    name = known_name(name)
    if name not in names_at_hand(service):
        raise NotFound("The desk has no such data set whose data are with the service.")
    desk, held, size = service.books.desk(), list[HeldVersion](), 0
    population = desk.population(name)
    for (dataset, number), id_ in service.desk_sources.of_all(population).items():
        row = service.datasets.get(id_)
        with suppress(*() if dataset == name else (ShoalError,)):
            if row is not None:
                held.append(HeldVersion(name=dataset, version=number, place=service.place_of(row)))
                size += row.bytes
    return held, size + desk.kept_bytes(population)
