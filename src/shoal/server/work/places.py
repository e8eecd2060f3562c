"""Where a worker finds what its order names."""

from pathlib import Path
from typing import TypeVar

from shoal.display import Displayed
from shoal.errors import WordingError

from .folder import JobFolder, Order, Place

__all__ = ["Places"]

_EMPTY_PROCESS = 256 << 20
"""How many bytes a process takes that has loaded its libraries and nothing else, as far as was seen."""
T = TypeVar("T")


class Places:
    """The files of an order, and the folder of its job."""

    def __init__(self, order: Order, folder: Path) -> None:
        self.order, self.folder = order, folder

    def dataset(self, id_: str | None) -> Place:
        """Return where a data set is."""
        if id_ is None:
            raise WordingError("No data set is named.", "Name one.")
        return self.order.datasets[id_]

    def release(self, id_: str) -> Place:
        """Return where a release is."""
        return self.order.releases[id_]

    @property
    def held(self) -> dict[tuple[str, int], tuple[str, str | None]]:
        """The files of versions of the desk that the service has: data and schema of each."""
        return {(each.name, each.version): (each.place.path, each.place.schema_file) for each in self.order.held}

    @property
    def key(self) -> bytes | None:
        """The key of data that the desk keeps; None where the service has none."""
        from shoal.desk.keeping.keys import read_key

        file, command = self.order.key_file, self.order.key_command
        return None if file is None and command is None else read_key(file, command)

    @property
    def out(self) -> Path:
        """The folder to make a release in."""
        return Path(self.order.out)

    @property
    def memory(self) -> str:
        """How much memory records may take: half of what the process may, besides what it takes without any."""
        return str(max(self.order.memory - _EMPTY_PROCESS, self.order.memory // 2) // 2)

    def shown(self, made: T) -> T:
        """Keep what a result shows of itself, for pages, and return the result."""
        if isinstance(made, Displayed):
            JobFolder(self.folder).write_shown(*made.shown())
        return made
