"""The laws of wordings: what is written is read back as the same thing, and what is not known is refused."""

from shoal.errors import WordingError
from shoal.wording.registry import Registry, T
from shoal.wording.worded import fields_of

__all__ = ["check_wording"]


def check_wording(thing: T, registry: Registry[T]) -> None:
    """Check that a registered promise or method is written and read back, and that strange keys are refused."""
    wording = str(thing)
    assert registry.read(wording) == thing, f"{wording} is read back as something else"
    assert str(registry.read(wording)) == wording, f"{wording} is written differently after it was read"
    assert type(thing) in set(registry), f"{type(thing).__name__} is not registered"
    _check_refused(registry, f"no-such-{thing.name}", ", ".join(sorted(cls.name for cls in registry)))
    separator = "," if ":" in wording else ":"
    known = ", ".join(field.name for field in fields_of(type(thing))) or "none"
    _check_refused(registry, f"{wording}{separator}nonsense=1", known)


def _check_refused(registry: Registry[T], wording: str, known: str) -> None:
    refusal = ""
    try:
        registry.read(wording)
    except WordingError as error:
        refusal = str(error)
    assert refusal, f"{wording} is not refused"
    assert known in refusal, f"the refusal of {wording} does not say what is known"
