"""The same in the terminal and in Python: what a page does, ready to copy."""

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Same", "command", "from_service", "python_call"]


@dataclass(frozen=True)
class Same:
    """What a page does, as other interfaces do it."""

    terminal: str
    python: str


def command(*words: str, **options: str | Sequence[str] | bool | None) -> str:
    """Return a command line: words as they are, then options, those of several values once each; long lines broken."""
    parts = [" ".join(shlex.quote(word) for word in words)]
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            parts.append(flag)
        elif value not in (None, False, ""):
            values = [value] if isinstance(value, str) else list(value)  # type: ignore[call-overload]
            parts += [f"{flag} {shlex.quote(each)}" for each in values]
    line = " ".join(parts)
    return line if len(line) <= 90 else " \\\n    ".join(parts)


def from_service(*asked: tuple[str, str], method: str = "GET", sent: Mapping[str, object] | None = None) -> Same:
    """Return what only the service does: requests to it, each with the call of its client.

    Each is the path of a resource and the call; what is ``sent`` goes with all of them, as JSON.
    """
    options = ["-H", f'"Authorization: Bearer {TOKEN}"', *(["-X", method] if method != "GET" and sent is None else [])]
    options += [] if sent is None else ["--json", shlex.quote(json.dumps(sent, ensure_ascii=False))]
    lines = [" ".join(["curl", *options, shlex.quote(f"{ADDRESS}/api/v1/{path}")]) for path, _ in asked]
    calls = [f"client.{call}" for _, call in asked]
    return Same(
        "\n".join(lines), "\n".join(["import shoal", "", f'client = shoal.Client("{ADDRESS}", "{TOKEN}")', *calls])
    )


ADDRESS, TOKEN = "ADDRESS", "TOKEN"
"""What stands for the address of the service, and for the token of who looks."""


def python_call(function: str, *given: object, **settings: object) -> str:
    """Return a call in Python: ``shoal.function(…)``; settings that are None or empty are left out."""
    parts = [*map(repr, given)]
    parts += [f"{name}={_written(value)}" for name, value in settings.items() if value not in (None, "", (), [], False)]
    line = f"shoal.{function}({', '.join(parts)})"
    if len(line) <= 90:
        return line
    inner = "".join(f"    {part},\n" for part in parts)
    return f"shoal.{function}(\n{inner})"


def _written(value: object) -> str:
    return repr(list(value)) if isinstance(value, tuple) else repr(value)
