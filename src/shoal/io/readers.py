"""Who on a machine may open a release folder that a desk made."""

from typing import Final, Literal

__all__ = ["READERS", "Readers"]

Readers = Literal["owner", "group", "all"]
READERS: Final[dict[Readers, tuple[int, int]]] = {
    "owner": (0o700, 0o600),
    "group": (0o750, 0o640),
    "all": (0o755, 0o644),
}
"""The permissions of the folder and of its files."""
