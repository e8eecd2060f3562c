"""What the desk found when data were registered."""

from dataclasses import dataclass

from .fixed_chain import FixedChain
from .population import Overlap

__all__ = ["Registration"]


@dataclass(frozen=True)
class Registration:
    """The number of the version, what it has in common with other data sets, and the chain of a new data set."""

    version: int
    overlaps: tuple[Overlap, ...]
    warnings: tuple[str, ...] = ()
    """Why views of it and of others cannot be judged together, in sentences."""
    chain: FixedChain | None = None
    """The views that keep the promises, for a new data set."""
