"""The key of data that are kept: 256 random bits in a private file, or printed by a command. It is never stored."""

import os
import re
import secrets
import shlex
import subprocess
from pathlib import Path
from typing import Final

from shoal.errors import FileError, WordingError

__all__ = ["draw_key", "read_key"]

_PATIENCE: Final = 60
_OTHERS: Final = 0o077


def draw_key(file: str | Path) -> None:
    """Write a new key into a file that is not there yet, readable by its owner alone."""
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as handle:
            handle.write(secrets.token_hex(32) + "\n")
    except FileExistsError:
        raise FileError(f"{file} exists already.", "Choose another name: what a lost key has sealed is lost.") from None
    except OSError as error:
        raise FileError(f"{file} cannot be written: {os.strerror(error.errno or 0)}.") from None


def read_key(file: str | Path | None = None, command: str | None = None) -> bytes:
    """Return the key that a file holds or a command prints, in 64 hexadecimal digits."""
    if (file is None) == (command is None):
        raise WordingError("The key is in a file, or printed by a command.", "Give --key-file or --key-command.")
    text = _of_file(Path(file)) if file is not None else _of_command(str(command))
    if not re.fullmatch(rb"\s*[0-9a-fA-F]{64}\s*", text):
        raise FileError("This is not a key.", "A key has 64 hexadecimal digits: shoal desk new-key draws one.")
    return bytes.fromhex(text.decode("ascii").strip())


def _of_file(file: Path) -> bytes:
    try:
        if file.stat().st_mode & _OTHERS:
            raise FileError(f"Others than its owner can open {file}.", f"Make it private: chmod 600 {file}")
        return file.read_bytes()
    except OSError as error:
        raise FileError(f"{file} cannot be read: {os.strerror(error.errno or 0)}.") from None


def _of_command(command: str) -> bytes:
    try:
        ran = subprocess.run(shlex.split(command), check=True, capture_output=True, timeout=_PATIENCE)
    except (OSError, ValueError, subprocess.SubprocessError):
        raise FileError("The command that prints the key failed.", "Try it by itself.") from None
    return ran.stdout
