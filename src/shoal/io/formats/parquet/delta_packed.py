"""Whole numbers as Parquet packs them by their differences (DELTA_BINARY_PACKED): numbers that ascend take few bits."""

import numpy as np

from .thrift import varint, zigzag

__all__ = ["delta_packed"]

_BLOCK, _PART = 128, 32
"""The differences that share a lowest one, and those that share a number of bits."""


def delta_packed(numbers: np.ndarray) -> bytes:
    """Return numbers, of which there is at least one: the first, then block by block the differences to the next."""
    differences = np.diff(numbers.astype(np.int64))
    if not len(differences):
        return varint(_BLOCK) + varint(_BLOCK // _PART) + varint(1) + zigzag(int(numbers[0]))
    n_blocks = -(-len(differences) // _BLOCK)
    # filled up with the last difference, which is no lower than the lowest of its block
    blocks = np.pad(differences, (0, n_blocks * _BLOCK - len(differences)), mode="edge").reshape(n_blocks, _BLOCK)
    lowest = blocks.min(axis=1)
    parts = (blocks - lowest[:, None]).reshape(-1, _PART)
    widths = np.array([int(most).bit_length() for most in parts.max(axis=1, initial=0)], np.uint8)
    packed = _packed(parts, widths)
    each = _BLOCK // _PART
    head = varint(_BLOCK) + varint(each) + varint(len(numbers)) + zigzag(int(numbers[0]))
    written = [
        zigzag(low) + widths[each * i : each * i + each].tobytes() + b"".join(packed[each * i : each * i + each])
        for i, low in enumerate(lowest.tolist())
    ]
    return head + b"".join(written)


def _packed(parts: np.ndarray, widths: np.ndarray) -> list[bytes]:
    """Return each part with as many bits for a difference as its width says, the lowest bit first."""
    packed = [b""] * len(parts)
    for width in np.unique(widths[widths > 0]).tolist():
        some = np.flatnonzero(widths == width)
        bits = (parts[some][:, :, None] >> np.arange(width)) & 1
        lines = np.packbits(bits.astype(np.uint8).reshape(len(some), -1), axis=1, bitorder="little")
        for place, line in zip(some.tolist(), lines, strict=True):
            packed[place] = line.tobytes()
    return packed
