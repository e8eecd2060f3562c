"""The fingerprint of records: whether data are the same as those of an earlier run."""

import dataclasses
import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from .records import Records
from .vocabulary import Vocabulary

__all__ = ["fingerprint"]

_OPTIONAL = "optional"
"""The mark of a field that counts only where it is given: data without it keep the fingerprint they had before it."""


def fingerprint(records: Records) -> str:
    """Return the SHA-256 of records as they were read: their values, order, roles, scale and hierarchies.

    It does not depend on the form of the file: the same values from CSV and from Parquet have the same fingerprint.
    """
    digest = hashlib.sha256()
    for part in _parts(records):
        digest.update(len(part).to_bytes(8, "big"))  # so that no two lists of parts run together alike
        digest.update(part)
    return digest.hexdigest()


def _parts(value: Any) -> Iterator[bytes | memoryview]:
    """Return everything a value consists of, in order."""
    if isinstance(value, Vocabulary):
        yield f"{value.is_numeric} {value.is_ordered}".encode()  # numbers are cut at other places than texts
        yield from _words(value.values.cast(pl.String))
    elif isinstance(value, np.ndarray):
        yield value.dtype.str.encode()
        yield np.ascontiguousarray(value).data.cast("B") if value.size else b""
    elif dataclasses.is_dataclass(value):
        yield type(value).__name__.encode()
        for field in dataclasses.fields(value):
            given = getattr(value, field.name)
            if given is not None or not field.metadata.get(_OPTIONAL):
                yield from _parts(given)
    elif isinstance(value, tuple):
        yield len(value).to_bytes(8, "big")
        for item in value:
            yield from _parts(item)
    else:
        yield repr(value).encode()


def _words(values: pl.Series) -> Iterator[bytes | memoryview]:
    lengths = values.str.len_bytes().cast(pl.Int64).fill_null(-1)  # a missing value is not an empty one
    yield from _parts(lengths.to_numpy())
    yield "".join(values.fill_null("").to_list()).encode()
