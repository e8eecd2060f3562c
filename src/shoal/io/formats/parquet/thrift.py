"""Structures in the compact protocol of Apache Thrift, as far as the description of a Parquet file needs it."""

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Field", "binary", "i32", "i64", "listed", "struct", "varint", "zigzag"]

_I32, _I64, _BINARY, _LIST, _STRUCT = 5, 6, 8, 9, 12


class Field(NamedTuple):
    """A field of a structure: its number, its value as bytes, and the type of the value."""

    number: int
    value: bytes
    kind: int = _STRUCT


def struct(*fields: Field) -> bytes:
    """Return a structure; fields come by ascending number, and each says how far it is from the one before."""
    made, before = [], 0
    for field in fields:
        assert 0 < field.number - before < 16
        made += [bytes([(field.number - before) << 4 | field.kind]), field.value]
        before = field.number
    return b"".join([*made, b"\0"])


def i32(number: int, value: int) -> Field:
    """Return a field with a whole number of 32 bits."""
    return Field(number, zigzag(value), _I32)


def i64(number: int, value: int) -> Field:
    """Return a field with a whole number of 64 bits."""
    return Field(number, zigzag(value), _I64)


def binary(number: int, text: str) -> Field:
    """Return a field with a text."""
    return Field(number, _text(text), _BINARY)


def listed(number: int, values: Sequence[bytes] | Sequence[int] | Sequence[str]) -> Field:
    """Return a field with a list: of structures, of whole numbers of 32 bits or of texts, one at least."""
    kinds = {bytes: _STRUCT, int: _I32, str: _BINARY}
    written = (
        each if isinstance(each, bytes) else zigzag(each) if isinstance(each, int) else _text(each) for each in values
    )
    kind, n = kinds[type(values[0])], len(values)
    head = bytes([n << 4 | kind]) if n < 15 else bytes([15 << 4 | kind]) + varint(n)
    return Field(number, head + b"".join(written), _LIST)


def varint(number: int) -> bytes:
    """Return a whole number in groups of seven bits, the lowest first; the highest bit says that there are more."""
    made = bytearray()
    while number > 127:
        made.append(number & 127 | 128)
        number >>= 7
    return bytes([*made, number])


def zigzag(value: int) -> bytes:
    """Return a whole number, negative or not: those near 0 are short."""
    return varint(2 * value if value >= 0 else -2 * value - 1)


def _text(text: str) -> bytes:
    encoded = text.encode()
    return varint(len(encoded)) + encoded
