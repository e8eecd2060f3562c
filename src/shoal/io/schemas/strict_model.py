"""What every part of a schema is built from: strict models, finite numbers and names of files."""

import codecs
import math
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

__all__ = ["FileName", "FiniteNumber", "StrictModel", "finite_number", "is_encoding"]


class StrictModel(BaseModel):
    """A part of a schema: it is immutable, and a setting it does not know is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def finite_number(value: object) -> object:
    """Return the value if it is a finite number; raise otherwise."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not _is_finite(value):
        raise ValueError("a finite number is expected")
    return value


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # a whole number too large for a float
        return False


FiniteNumber = Annotated[int | float, BeforeValidator(finite_number)]


_NOT_OF_FILES = frozenset({"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "utf-7"})


def is_encoding(name: str) -> bool:
    """Return whether this is the name of an encoding that text files are in."""
    try:
        "".encode(name)  # refuses what turns bytes into bytes
        return codecs.lookup(name).name not in _NOT_OF_FILES
    except (LookupError, ValueError):
        return False


def _without_zero_byte(name: str) -> str:
    if "\0" in name:
        raise ValueError("the name of a file holds no zero byte")
    return name


FileName = Annotated[str, AfterValidator(_without_zero_byte)]
