"""Values as they are written in wordings and plans: one grammar for numbers, names and choices.

A number is a decimal or a fraction, ``0.5``, ``1/3``, ``2e-1``, and is read exactly. Several names are written with
``+`` between them, ``left=age+sex``; in such a name ``+``, ``,``, ``%`` and white space at either end are written as in
addresses of the web: ``%2B``, ``%2C``, ``%25``, ``%20``. Words are written in American spelling and read in both.
"""

import re
import types
import typing
from fractions import Fraction
from typing import Any, Literal
from urllib.parse import quote, unquote

from shoal.errors import WordingError

__all__ = ["alternatives", "american", "coerce_value", "parse_number", "parse_share", "read_value", "write_value"]

# short exponents only: 1e999999999 is a number, but writing it out would take all memory
_NUMBER = re.compile(
    r"[+-]?(\d{1,150}(\.\d{0,150})?|\.\d{1,150})(e[+-]?\d{1,2})?(/\d{1,150})?", re.ASCII | re.IGNORECASE
)
_WHOLE_NUMBER = re.compile(r"[+-]?\d{1,150}", re.ASCII)
_TO_ESCAPE = re.compile(r"[%+,]|\A\s|\s\Z")
_AMERICAN = (
    (r"(i|y)s(e|ed|es|er|ing|ation|ations)(?![a-z])", r"\1z\2"),
    (r"(neighb|col|behavi|fav|lab|hon)our", r"\1or"),
    (r"(cent|met|lit|theat)re(s|)(?![a-z])", r"\1er\2"),
    (r"(cent|met)red(?![a-z])", r"\1ered"),
    (r"ll(ed|ing)(?![a-z])", r"l\1"),
    (r"learnt(?![a-z])", "learned"),
    (r"grey", "gray"),
)


def american(words: str) -> str:
    """Return words with the British endings and letters replaced that American spelling does not have.

    Some words, such as "precise" or "filled", are spelled alike on both sides and are changed all the same, so ask for
    the word as given first.
    """
    for british, replacement in _AMERICAN:
        words = re.sub(british, replacement, words)
    return words


def parse_number(text: str) -> Fraction:
    """Return exactly the number that is written, or raise a :class:`ValueError`."""
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        raise ValueError("not a number")
    try:
        number = Fraction(text)
    except ZeroDivisionError:
        raise ValueError("not a number") from None
    if not _NUMBER.fullmatch(str(number)):
        raise ValueError("too long to be written again")
    return number


def parse_share(text: str) -> Fraction:
    """Return exactly the share that is written as a number or in percent, or raise a :class:`ValueError`."""
    text = text.strip()
    number = parse_number(text.removesuffix("%"))
    return number / 100 if text.endswith("%") else number


def read_value(text: str, kind: Any, what: str) -> Any:
    """Return the value of a type that a text stands for; ``what`` names it where it stands for none."""
    kinds = alternatives(kind)
    choices = [choice for each in kinds if typing.get_origin(each) is Literal for choice in typing.get_args(each)]
    for choice in (text, american(text)):
        if choice in choices:
            return choice
    kind = next((each for each in kinds if typing.get_origin(each) is not Literal), None)
    if kind is None:
        raise WordingError(f"{what} cannot be {text!r}.", f"It is one of: {', '.join(choices)}.")
    if typing.get_origin(kind) is tuple:
        return _read_names(text, what)
    if kind not in (int, float, Fraction):
        return kind(text)
    try:
        return _read_number(text, kind)
    except ValueError:
        wanted = " or ".join(["a whole number" if kind is int else "a number", *choices])
        raise WordingError(f"{what} must be {wanted}, not {text!r}.") from None


def coerce_value(value: Any, kind: Any, what: str) -> Any:
    """Return a value given from Python as the type that is asked for, where that loses nothing.

    A number given for a fraction becomes the decimal as which it is written: 0.1 is one tenth. A list given for a tuple
    becomes one. Everything else is returned as it is.
    """
    kinds = alternatives(kind)
    if type(value) in kinds or value is None:
        return value
    if Fraction in kinds and isinstance(value, int | float | str) and not _is_choice(value, kinds):
        try:
            return parse_number(str(value))
        except ValueError:
            raise WordingError(f"{what} must be a number.") from None
    if isinstance(value, list) and any(typing.get_origin(each) is tuple for each in kinds):
        return tuple(value)
    if isinstance(value, str) and not _is_choice(value, kinds) and _is_choice(american(value), kinds):
        return american(value)
    return value


def write_value(value: object) -> str:
    """Write a value as :func:`read_value` reads it."""
    if isinstance(value, tuple):
        return "+".join(_TO_ESCAPE.sub(lambda found: quote(found[0]), str(name)) for name in value)
    if isinstance(value, Fraction) and value.denominator != 1:
        decimal = f"{float(value):.15g}"
        return decimal if _NUMBER.fullmatch(decimal) and Fraction(decimal) == value else str(value)
    return str(value)


def alternatives(kind: Any) -> tuple[Any, ...]:
    """Return the types that a field may have; None, which is the absence of a value, is none of them."""
    if typing.get_origin(kind) in (types.UnionType, typing.Union):
        return tuple(each for each in typing.get_args(kind) if each is not type(None))
    return (kind,)


def _is_choice(value: object, kinds: tuple[Any, ...]) -> bool:
    return any(typing.get_origin(each) is Literal and value in typing.get_args(each) for each in kinds)


def _read_number(text: str, kind: type[int] | type[float] | type[Fraction]) -> int | float | Fraction:
    if kind is int:
        if not _WHOLE_NUMBER.fullmatch(text):
            raise ValueError("not a whole number")
        return int(text)
    return kind(parse_number(text))


def _read_names(text: str, what: str) -> tuple[str, ...]:
    """Read names with ``+`` between them."""
    names = tuple(unquote(name.strip()) for name in text.split("+"))
    if not all(names):
        raise WordingError(f"{what} must be names with + between them.", f"Write {what.rpartition(' ')[2]}=one+other.")
    return names
