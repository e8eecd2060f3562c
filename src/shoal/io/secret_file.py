"""The secret of a run on disk: 64 hexadecimal digits. Its owner keeps it."""

import os
from pathlib import Path

from shoal.errors import FileError
from shoal.randomness import SECRET_BYTES

__all__ = ["read_secret", "write_secret"]


_FEWEST_DISTINCT = 16
"""Of 32 random bytes about 30 are distinct; fewer than half are never: such a secret was written by hand."""


def write_secret(secret: bytes, file: Path) -> None:
    """Write a secret into a file that does not exist yet, readable by its owner alone from the first byte on."""
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as handle:
        handle.write(secret.hex() + "\n")


def read_secret(file: str | Path) -> bytes:
    """Return the secret that a file holds."""
    try:
        text = Path(file).read_text(encoding="ascii").strip()
        secret = bytes.fromhex(text) if len(text) == 2 * SECRET_BYTES else b""  # no spaces between
    except OSError:
        raise FileError(f"The secret {file} cannot be read.", "It is the file secret.txt of a ledger.") from None
    except ValueError:
        secret = b""
    if len(secret) == SECRET_BYTES and len(set(secret)) < _FEWEST_DISTINCT:
        raise FileError(f"The secret {file} was not drawn by chance.", "Leave it out, and a new one is drawn.")
    if len(secret) != SECRET_BYTES:
        raise FileError(
            f"{file} does not hold a secret.", f"A secret is written as {2 * SECRET_BYTES} hexadecimal digits."
        )
    return secret
