"""What a request would get, and what each coalition would then know: nothing is decided, and nothing is kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .people.joint_views import JointCells
from .people.population import Version
from .request import Reservation

__all__ = ["Coalition", "DryRun"]


@dataclass(frozen=True)
class Coalition:
    """Requesters who may collude, None for everybody, and what they would know of each version together."""

    members: tuple[str, ...] | None
    knows: Mapping[Version, JointCells]

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        known = [
            {"dataset": dataset, "version": number, "groups": cells.groups, "smallest_group": cells.smallest}
            for (dataset, number), cells in sorted(self.knows.items())
        ]
        return {"members": "everybody" if self.members is None else list(self.members), "knows": known}


@dataclass(frozen=True)
class DryRun:
    """The view that would be reserved, whether it would wait for an officer first, and who would know what."""

    reservation: Reservation
    awaits_approval: bool
    coalitions: tuple[Coalition, ...]
