"""Calls that do not fit a function: refused in words that say what it takes, instead of a bare ``TypeError``."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from .errors import ShoalError, WordingError

__all__ = ["meant", "with_call_errors"]

P = ParamSpec("P")
R = TypeVar("R")


def meant(word: str, known: Iterable[str]) -> str:
    """Return a question for the known word that was probably meant, followed by a space, or nothing."""
    from difflib import get_close_matches  # only where something went wrong

    close = get_close_matches(word, list(known), 1)
    return f"Did you mean {close[0]!r}? " if close else ""


def with_call_errors(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function; a call with other arguments than it takes raises a :class:`WordingError`.

    Functions refuse most objects of a wrong type in words of their own. Where one fails over such an object, that is
    said instead.
    """
    signature = inspect.signature(function)

    @wraps(function)
    def called(*args: P.args, **settings: P.kwargs) -> R:
        try:
            given = signature.bind(*args, **settings).arguments
        except TypeError:
            raise _refusal(function.__name__, signature, len(args), settings) from None
        try:
            return function(*args, **settings)
        except ShoalError:
            raise
        except Exception:
            misfit = _misfit(function.__name__, signature, given)
            if misfit is None:
                raise
            raise misfit from None

    return called


def _refusal(name: str, signature: inspect.Signature, given: int, settings: dict[str, Any]) -> WordingError:
    known = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    names = [each.name for each in known]
    takes = f"It takes: {', '.join(names)}."
    by_place = [each.name for each in known if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    if given > len(by_place):  # first, since some functions take further settings by name
        return WordingError(
            f"shoal.{name} takes {len(by_place)} arguments without a name, and {given} are given.",
            f"Name the others, such as {names[-1]}=…. {takes}",
        )
    unknown = next((each for each in settings if each not in names), None)
    if unknown is not None:
        return WordingError(f"shoal.{name} has no setting {unknown!r}.", meant(unknown, names) + takes)
    twice = next((each for each in by_place[:given] if each in settings), None)
    if twice is not None:
        return WordingError(f"shoal.{name} is given {twice!r} twice.", "Leave one of them out.")
    said = {*by_place[:given], *settings}
    lacking = next(each.name for each in known if each.default is inspect.Parameter.empty and each.name not in said)
    return WordingError(f"shoal.{name} is not told {lacking!r}.", takes)


def _misfit(name: str, signature: inspect.Signature, given: dict[str, Any]) -> WordingError | None:
    from .call_types import fits, in_words  # only where something went wrong

    for argument, value in given.items():
        hint = signature.parameters[argument].annotation
        if not fits(value, hint):
            kind = type(value).__name__
            return WordingError(
                f"shoal.{name} does not take this {kind!r} object as {argument!r}.", f"It takes {in_words(hint)}."
            )
        if isinstance(value, str) and "\0" in value:
            return WordingError(f"The text {argument!r} of shoal.{name} holds a zero byte.", "Leave it out.")
    return None
