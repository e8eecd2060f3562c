"""Randomness: from the operating system, from a seed, or from a seed and a secret.

The order of a release and its pseudonyms must not be guessable, not even from the rest of the release. A statistical
generator would betray its state through the pseudonyms it made, and with it the shuffle; so chance is taken from the
operating system byte by byte, or is a cryptographic stream of a seed and a secret, a separate one for each purpose.

A seed is not a secret: people write 1 or 42, and whoever tries half a million of them a second soon has the right one.
A seed alone is for what never leaves, such as the background knowledge of a simulated attacker. Whatever leaves is
drawn with a secret of 256 bits besides, which the operating system draws and the owner keeps: the same seed and secret
draw the same again, and the seed alone reveals nothing.
"""

import hashlib
import os
from typing import Self

import numpy as np

__all__ = ["SECRET_BYTES", "Randomness", "pseudonym_names"]

SECRET_BYTES = 32
_LETTERS = np.frombuffer(b"0123456789abcdefghjkmnpqrstvwxyz", dtype=np.uint8)  # 32 letters, none easily mistaken
_BITS, _MASK = np.uint64(5), np.uint64(31)
_PSEUDONYM_LETTERS = 12  # 60 bits: two of a billion pseudonyms coincide about once in two runs, and then we draw again


class Randomness:
    """A source of permutations, pseudonyms and generators."""

    def __init__(self, seed: int | None = None, secret: bytes | None = None) -> None:
        if secret is not None and len(secret) != SECRET_BYTES:
            raise ValueError(f"a secret has {SECRET_BYTES} bytes")
        self._seed = seed
        self.secret = secret
        """The secret that repeating a draw takes beside the seed; None: the seed suffices."""

    def __repr__(self) -> str:
        source = "system" if self._seed is None else "seeded"
        return f"Randomness({source if self.secret is None else 'secret'})"

    def with_secret(self) -> Self:
        """Return this, or randomness of the same seed and a new secret where there is none."""
        return self if self.secret is not None else type(self)(self._seed, os.urandom(SECRET_BYTES))

    def bound_to(self, content: bytes) -> Self:
        """Return randomness of the same seed and secret that differs for every other content.

        An owner may use a secret again. Two releases that differ in anything must not share order or pseudonyms, or
        their records could be linked one by one.
        """
        if self.secret is None:
            raise ValueError("only a secret can be bound to content")
        return type(self)(self._seed, hashlib.shake_256(self.secret + b"bound:" + content).digest(SECRET_BYTES))

    def words(self, n: int, purpose: str) -> np.ndarray:
        """Return n random 64-bit words for one named purpose."""
        if self._seed is None and self.secret is None:
            raw = os.urandom(8 * n)
        else:
            said = f"shoal:{purpose}:{self._seed}".encode()
            raw = hashlib.shake_256((self.secret or b"") + said).digest(8 * n)
        return np.frombuffer(raw, dtype=np.uint64)

    def permutation(self, n: int) -> np.ndarray:
        """Return the numbers 0…n−1 in random order."""
        return np.argsort(self.words(n, "permutation"), kind="stable")

    def pseudonyms(self, n: int) -> np.ndarray:
        """Return n distinct random names that no original id is likely to have, in the order of the alphabet: bytes."""
        for attempt in range(8):
            drawn = self.words(2 * n, f"pseudonyms:{attempt}").view(np.uint8).reshape(n, 16)[:, :_PSEUDONYM_LETTERS]
            numbers = np.zeros(n, np.uint64)  # they are in the order of the names, and sort faster
            for letters in drawn.T:
                numbers = numbers << _BITS | letters & _MASK
            numbers.sort()
            if (numbers[1:] != numbers[:-1]).all():
                return pseudonym_names(numbers)
        raise AssertionError("distinct pseudonyms could not be drawn")

    def generator(self, purpose: str) -> np.random.Generator:
        """Return a NumPy generator for work whose draws are not themselves published."""
        return np.random.Generator(np.random.PCG64(self.words(4, purpose).tolist()))


def pseudonym_names(numbers: np.ndarray) -> np.ndarray:
    """Write each number of 60 bits in letters, those of the highest bits first: bytes in the order of the numbers."""
    names = np.empty((len(numbers), _PSEUDONYM_LETTERS + 1), np.uint8)
    names[:, 0] = ord("r")  # never a number, so that no reader takes a pseudonym for one
    for place in range(_PSEUDONYM_LETTERS):
        shift = _BITS * np.uint64(_PSEUDONYM_LETTERS - 1 - place)
        names[:, place + 1] = _LETTERS[numbers >> shift & _MASK]
    return names.view(f"S{_PSEUDONYM_LETTERS + 1}").ravel()
