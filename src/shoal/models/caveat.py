"""What a promise does not say of the records it is made on, though its wording might be taken for it."""

from dataclasses import dataclass

__all__ = ["Caveat"]


@dataclass(frozen=True)
class Caveat:
    """A sentence that everybody who reads the promise must read, too; it tells no value of a record."""

    sentence: str
    vacuous: bool
    """Whether the promise asks nothing of these records, so that it is published only if the owner accepts that."""
