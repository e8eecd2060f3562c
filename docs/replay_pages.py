"""Replay the pages: run every block of a page from top to bottom in one folder, and write what is printed into it.

``python docs/replay_pages.py [PAGE …]`` rewrites the pages (all of them unless some are named) with what their commands
print now; the tests replay them and compare. A page is replayed block by block:

- ``console``: a line that begins with ``$`` is a command, what follows is what it prints, on standard output and on
  standard error. A line ``…`` stands for any number of lines that the page leaves out.
- ``python``: the blocks of a page are one program. ``# → value`` after an expression is what it is.
- any other language: to be read, or with ``<!-- save: NAME -->`` above it the content of a file that the page asks the
  reader to save.
- ``<!-- service: FOLDER -->`` above a block that starts a service: one runs on that folder, at a port that is free,
  until the page ends, and ``ADDRESS`` names it in what follows.
- ``<!-- not run: REASON -->`` above a block keeps it from being run. The tests list those blocks.

Releases are drawn with a secret that the system draws. Here it is the same for every command, so that a page prints the
same each time.
"""

import ast
import contextlib
import hashlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from shoal.cli.main import main as shoal_main

__all__ = ["MASKS", "Block", "blocks", "masked", "pages", "replayed"]

ROOT = Path(__file__).parents[1]
LEFT_OUT = "…"

# What differs from run to run or from machine to machine, and is not compared.
MASKS = (
    (re.compile(r"\b[0-9a-f]{64}\b|\b(?=\d*[a-f])[0-9a-f]{12}\b"), "HASH"),
    (re.compile(r"\br[0-9a-hjkmnp-tv-z]{12}\b"), "PSEUDONYM"),
    (re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00"), "TIME"),
    (re.compile(r"\b\d[\d.,]* s\b"), "SECONDS"),
    (re.compile(r"\b\d[\d,]* MiB\b"), "SIZE"),
)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: lines ``first`` to before ``last`` hold its content."""

    language: str
    marker: str
    first: int
    last: int

    @property
    def is_run(self) -> bool:
        """Whether it holds commands or code to be run."""
        return self.language in ("console", "python") and not self.marker.startswith("not run:")


def pages() -> list[Path]:
    """Return the pages that have something to run."""
    found = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
    return [page for page in found if any(block.is_run for block in blocks(_lines(page)))]


def blocks(lines: list[str]) -> list[Block]:
    """Return the fenced blocks among the lines of a page."""
    fences = [number for number, line in enumerate(lines) if line.startswith("```")]
    found = []
    for opening, closing in zip(fences[::2], fences[1::2], strict=True):
        marker = re.fullmatch(r"<!-- (.+) -->", lines[opening - 1]) if opening else None
        found.append(Block(lines[opening][3:], marker[1] if marker else "", opening + 1, closing))
    return found


def masked(text: str) -> str:
    """Return the text without what differs from run to run."""
    for pattern, name in MASKS:
        text = pattern.sub(name, text)
    return re.sub(r" {2,}|─{2,}", "  ", text) if "HASH" in text or "TIME" in text else text


def replayed(page: Path, folder: Path) -> str:
    """Run a page in an empty folder, and return its text with what is printed now."""
    lines = _lines(page)
    names: dict[str, Any] = {"__name__": "__main__"}
    parts, done = [], 0
    with contextlib.chdir(folder), _no_settings(), contextlib.ExitStack() as running:
        for block in blocks(lines):
            parts += lines[done : block.first]
            content, done = lines[block.first : block.last], block.last
            if block.marker.startswith("save:"):
                Path(block.marker.removeprefix("save:").strip()).write_text("\n".join(content) + "\n", encoding="utf-8")
            if block.marker.startswith("service:"):
                names["ADDRESS"] = running.enter_context(_service(block.marker.removeprefix("service:").strip()))
            if block.is_run:
                content = _run_console(content) if block.language == "console" else _run_python(content, names)
            parts += content
    return "\n".join([*parts, *lines[done:]]) + "\n"


def _lines(page: Path) -> list[str]:
    return page.read_text(encoding="utf-8").splitlines()


def _run_console(content: list[str]) -> list[str]:
    result: list[str] = []
    starts = [number for number, line in enumerate(content) if line.startswith("$ ")]
    assert starts[:1] == [0], "a console block begins with a command"
    for start, end in zip(starts, [*starts[1:], len(content)], strict=True):
        after = start + 1
        while content[after - 1].endswith("\\"):
            after += 1
        shown = content[after:end]
        gap = next((n for n, line in enumerate(reversed(shown)) if line), len(shown))
        result += content[start:after]
        command = "\n".join(content[start:after]).removeprefix("$ ")
        printed = _with_printed(shown[: len(shown) - gap], _printed_by(command))
        result += [*printed, *[""] * (gap or bool(printed and end < len(content)))]
    return result


def _with_printed(shown: list[str], printed: list[str]) -> list[str]:
    """Return what the page is to show of the printed lines: as much as it does, and old lines that are still true."""
    if LEFT_OUT in shown:
        head = shown.index(LEFT_OUT)
        tail = len(shown) - head - 1
        printed = [*printed[:head], LEFT_OUT, *(printed[-tail:] if tail else [])]
    old = [*shown, *[""] * len(printed)]
    return [was if masked(was.rstrip()) == masked(now.rstrip()) else now.rstrip() for was, now in zip(old, printed)]  # noqa: B905


def _printed_by(command: str) -> list[str]:
    words = shlex.split(command.replace("\\\n", " "))
    only_a_shell_knows = re.search(r"[|<>;&$`*(]", re.sub(r"'[^']*'|\"[^\"]*\"", "", command))
    printed = _run_in_shell(command) if words[0] != "shoal" or only_a_shell_knows else _run_here(words)
    return printed.replace("\ufeff", "").rstrip().splitlines()  # spreadsheets want the mark, pages do not


def _run_here(words: list[str]) -> str:
    """Run a command of Shoal in this process, and return what it prints."""
    printed, arguments = io.StringIO(), sys.argv
    sys.argv = words
    try:
        with _fixed_draws(), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            shoal_main()
    except SystemExit as end:
        if end.code not in (0, 1, 2, 3):
            raise RuntimeError(f"{' '.join(words)} ended with {end.code}: {printed.getvalue()}") from end
    finally:
        sys.argv = arguments
    return printed.getvalue()


def _run_in_shell(command: str) -> str:
    """Run what only a shell understands, with the command ``shoal`` on its path."""
    with tempfile.TemporaryDirectory() as folder:
        starter = Path(folder) / "shoal"
        starter.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "from shoal.cli.main import main; main()" "$@"\n')
        starter.chmod(0o700)
        path = {"PATH": f"{folder}:{os.environ['PATH']}", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        ended = subprocess.run(
            command,
            shell=True,
            env={**os.environ, **path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    return ended.stdout.decode()


@contextlib.contextmanager
def _service(folder: str) -> Iterator[str]:
    """Let a service run on a folder, and return its address."""
    command = [sys.executable, "-c", "from shoal.cli.main import main; main()", "serve", "--port", "0"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen([*command, "--folder", folder], stdout=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            if not address:
                raise RuntimeError(f"no service runs on {folder}")
            yield address
        finally:
            process.terminate()


def _run_python(content: list[str], names: dict[str, Any]) -> list[str]:
    """Run a block in the namespace of its page, and return it with the values of the expressions that show them."""
    result = list(content)
    with _fixed_draws():
        for statement in ast.parse("\n".join(content)).body:
            last = (statement.end_lineno or 0) - 1
            code, arrow, _ = content[last].partition("  # → ")
            if arrow and isinstance(statement, ast.Expr):
                value = eval(compile(ast.Expression(statement.value), "page", "eval"), names)
                result[last] = f"{code}{arrow}{value!r}"
            else:
                exec(compile(ast.Module([statement], []), "page", "exec"), names)  # noqa: S102
    return result


def _fixed_draws() -> "mock._patch[Any]":
    """Let the system draw the same bytes for every command."""
    drawn = iter(range(sys.maxsize))

    def urandom(n: int) -> bytes:
        return hashlib.shake_256(f"page {next(drawn)}".encode()).digest(n)

    return mock.patch("shoal.randomness.os", SimpleNamespace(urandom=urandom))


def _no_settings() -> "mock._patch_dict":
    """Hide the settings of whoever replays a page."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("SHOAL_")}
    return mock.patch.dict(os.environ, own, clear=True)


def main() -> int:
    """Rewrite pages with what their commands print now."""
    for page in [Path(name).resolve() for name in sys.argv[1:]] or pages():
        with tempfile.TemporaryDirectory() as folder:
            text = replayed(page, Path(folder))
        state = "is as it was" if text == page.read_text(encoding="utf-8") else "is rewritten"
        page.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{page.relative_to(ROOT)} {state}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
