"""Where chance comes from: the operating system, or a seed for runs that must repeat.

The order of a release and its pseudonyms must not be guessable, not even from the rest of the release. A statistical
generator would betray its state through the pseudonyms it made, and with it the shuffle; so unseeded randomness is
taken from the operating system byte by byte, and seeded randomness is a cryptographic stream of the seed, a separate
one for each purpose. Whoever knows the seed can undo the shuffle: a seed is for tests and papers, and is never written
into a release.
"""

import hashlib
import os

import numpy as np

__all__ = ["Randomness"]

_LETTERS = np.frombuffer(b"0123456789abcdefghjkmnpqrstvwxyz", dtype=np.uint8)  # 32 letters, none easily mistaken
_PSEUDONYM_LETTERS = 12  # 60 bits: two of a billion pseudonyms coincide about once in two runs, and then we draw again


class Randomness:
    """A source of permutations, pseudonyms and generators."""

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed

    def __repr__(self) -> str:
        return f"Randomness({'system' if self._seed is None else 'seeded'})"

    def words(self, n: int, purpose: str) -> np.ndarray:
        """Give n random 64-bit words for one named purpose."""
        if self._seed is None:
            raw = os.urandom(8 * n)
        else:
            raw = hashlib.shake_256(f"shoal:{purpose}:{self._seed}".encode()).digest(8 * n)
        return np.frombuffer(raw, dtype=np.uint64)

    def permutation(self, n: int) -> np.ndarray:
        """Give the numbers 0…n−1 in random order."""
        return np.argsort(self.words(n, "permutation"), kind="stable")

    def pseudonyms(self, n: int) -> list[str]:
        """Give n distinct random names that no original id is likely to have."""
        for attempt in range(8):
            letters = self.words(2 * n, f"pseudonyms:{attempt}").view(np.uint8).reshape(n, 16)[:, :_PSEUDONYM_LETTERS]
            names = np.empty((n, _PSEUDONYM_LETTERS + 1), dtype=np.uint8)
            names[:, 0] = ord("r")  # never a number, so that no reader takes a pseudonym for one
            names[:, 1:] = _LETTERS[letters & 31]
            joined = names.view(f"S{_PSEUDONYM_LETTERS + 1}").ravel()
            if len(np.unique(joined)) == n:
                return joined.astype(str).tolist()
        raise AssertionError("distinct pseudonyms could not be drawn")

    def generator(self, purpose: str) -> np.random.Generator:
        """Give a NumPy generator for work whose draws are not themselves published."""
        return np.random.Generator(np.random.PCG64(self.words(4, purpose).tolist()))
