"""What somebody asks the desk for, and what is decided."""

from dataclasses import dataclass
from fractions import Fraction

from shoal.data import Microdata
from shoal.models import PrivacyModel

from .fixed_chain import Node
from .names import known_name
from .told_at import ToldAt

__all__ = ["Request", "Reservation"]


@dataclass(frozen=True)
class Request:
    """A requester, a purpose, and the data that the owner hands in for it."""

    dataset: str
    requester: str
    purpose: str
    table: Microdata
    folder: str
    """Where the release is to be."""
    earlier: tuple[Microdata, ...] = ()
    """Other versions of the data set, or of those that have people in common with it, that something was given of."""

    def __post_init__(self) -> None:
        for name in ("dataset", "requester", "purpose"):
            object.__setattr__(self, name, known_name(getattr(self, name)))  # the dataclass is frozen


@dataclass(frozen=True)
class Reservation:
    """The view that was decided on: it counts as given from now on."""

    number: int
    version: int
    node: Node
    degree_asked: Fraction
    degree_reached: Fraction
    models: tuple[PrivacyModel, ...]
    accept: tuple[str, ...]

    @property
    def method(self) -> ToldAt:
        """The method that makes the view."""
        return ToldAt.node(self.node)
