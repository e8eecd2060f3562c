"""Whether an object is what a function is declared to take, and what that is in words.

What is not understood of a declaration is taken to fit: an object is blamed only where that is certain.
"""

import numbers
import types
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

__all__ = ["fits", "in_words"]

_NUMBERS = {int: numbers.Integral, float: numbers.Real}
_WORDS = {str: "text", Path: "a path", int: "a whole number", float: "a number", bool: "True or False"}
_HOLDERS = list | tuple | set | frozenset | bytes | range


def fits(value: object, hint: Any) -> bool:
    """Return whether an object may be what is declared."""
    if hint is None or hint is types.NoneType:
        return value is None
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return any(fits(value, part) for part in parts)
    if origin is Literal:
        return any(type(value) is type(part) and value == part for part in parts)
    if isinstance(origin, type):
        return isinstance(value, origin) and _holds(value, origin, parts)
    if hint in _NUMBERS:
        return isinstance(value, _NUMBERS[hint]) and not isinstance(value, bool)
    try:
        return not isinstance(hint, type) or isinstance(value, hint)
    except TypeError:  # a protocol that cannot be asked
        return True


def _holds(value: object, origin: type, parts: tuple[Any, ...]) -> bool:
    """Return whether the members of a list may be what is declared of them; nothing is used up by looking."""
    if not isinstance(value, _HOLDERS) or len(parts) != 1 or issubclass(origin, Mapping):
        return True
    return all(fits(each, parts[0]) for each in value)


def in_words(hint: Any) -> str:
    """Return what is declared, in words."""
    words = list(dict.fromkeys(_each_in_words(hint)))
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _each_in_words(hint: Any) -> Iterable[str]:
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        for part in parts:
            yield from _each_in_words(part)
    elif origin is Literal:
        yield from map(repr, parts)
    elif hint is None or hint is types.NoneType:
        yield "None"
    elif isinstance(origin, type):
        yield "a dict" if issubclass(origin, Mapping) else f"a list ({in_words(parts[0])})"
    else:
        name = getattr(hint, "__name__", "object").lstrip("_")
        yield _WORDS.get(hint) or f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"
