"""What was assumed about data because nobody said it, told to whoever listens.

Reading says with :func:`assume` what it takes for granted: a schema that lies beside the data, an encoding, columns
that are recognized by their shape. It is in the notes of what was read in any case. A job that has notes of its own,
and the terminal, collect it with :func:`assumptions`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["assume", "assumptions"]

_heard: ContextVar[list[str] | None] = ContextVar("shoal_assumptions", default=None)


def assume(sentence: str) -> str:
    """Tell an assumption, once however often it is made, and return it."""
    heard = _heard.get()
    if heard is not None and sentence not in heard:
        heard.append(sentence)
    return sentence


@contextmanager
def assumptions() -> Iterator[list[str]]:
    """Yield a list that fills with what is assumed inside this block; whoever listens outside does not hear it."""
    heard: list[str] = []
    token = _heard.set(heard)
    try:
        yield heard
    finally:
        _heard.reset(token)
