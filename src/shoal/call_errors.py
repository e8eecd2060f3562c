"""Calls that do not fit a function: refused in words that say what it takes, instead of a bare ``TypeError``."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from .errors import WordingError

__all__ = ["meant", "with_call_errors"]

P = ParamSpec("P")
R = TypeVar("R")


def meant(word: str, known: Iterable[str]) -> str:
    """Return a question for the known word that was probably meant, followed by a space, or nothing."""
    from difflib import get_close_matches  # only where something went wrong

    close = get_close_matches(word, list(known), 1)
    return f"Did you mean {close[0]!r}? " if close else ""


def with_call_errors(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function; a call with other arguments than it takes raises a :class:`WordingError`."""
    signature = inspect.signature(function)

    @wraps(function)
    def called(*args: P.args, **settings: P.kwargs) -> R:
        try:
            signature.bind(*args, **settings)
        except TypeError:
            raise _refusal(function.__name__, signature, len(args), settings) from None
        return function(*args, **settings)

    return called


def _refusal(name: str, signature: inspect.Signature, given: int, settings: dict[str, Any]) -> WordingError:
    known = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    names = [each.name for each in known]
    takes = f"It takes: {', '.join(names)}."
    by_place = [each.name for each in known if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    unknown = next((each for each in settings if each not in names), None)
    if unknown is not None:
        return WordingError(f"shoal.{name} has no setting {unknown!r}.", meant(unknown, names) + takes)
    if given > len(by_place):
        return WordingError(
            f"shoal.{name} takes {len(by_place)} arguments without a name, and {given} are given.",
            f"Name the others, such as {names[-1]}=…. {takes}",
        )
    twice = next((each for each in by_place[:given] if each in settings), None)
    if twice is not None:
        return WordingError(f"shoal.{name} is given {twice!r} twice.", "Leave one of them out.")
    said = {*by_place[:given], *settings}
    lacking = next(each.name for each in known if each.default is inspect.Parameter.empty and each.name not in said)
    return WordingError(f"shoal.{name} is not told {lacking!r}.", takes)
