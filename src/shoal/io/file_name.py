"""Names of files in a schema."""

from typing import Annotated

from pydantic import AfterValidator

__all__ = ["FileName"]


def _without_zero_byte(name: str) -> str:
    if "\0" in name:
        raise ValueError("the name of a file holds no zero byte")
    return name


FileName = Annotated[str, AfterValidator(_without_zero_byte)]
