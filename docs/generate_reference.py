"""Write the pages that are made from the code, or check that they are up to date.

``python docs/generate_reference.py`` writes, ``--check`` compares and exits with 1 where a page has aged.
"""

import sys
from pathlib import Path

import click
from draw_rooms import picture

from shoal.anonymizers import methods
from shoal.attacks import attacks
from shoal.cli.main import shoal
from shoal.models import promises
from shoal.predictors import predictors
from shoal.utility import MEASURES

REFERENCE = Path(__file__).parent / "reference"
_MADE = "<!-- Made by docs/generate_reference.py; edit the code instead. -->\n\n"
_WORDS = "\nWords are defined in the [glossary](glossary.md).\n"


def pages() -> dict[Path, str]:
    """Return every generated page by its path."""
    return {
        REFERENCE / "commands.md": _commands(),
        REFERENCE / "names.md": _names(),
        REFERENCE.parent / "explanation" / "rooms.svg": picture(),
    }


def _commands() -> str:
    parts = [_MADE, "# Commands\n"]
    settings = {**shoal.context_settings, "max_content_width": 100, "terminal_width": 100}
    for path, command in _walk(("shoal",), shoal):
        context = click.Context(command, info_name=" ".join(path), **settings)
        parts.append(f"\n## {' '.join(path)}\n\n```text\n{command.get_help(context)}\n```\n")
    return "".join([*parts, _WORDS])


def _walk(path: tuple[str, ...], command: click.Command) -> list[tuple[tuple[str, ...], click.Command]]:
    found = [(path, command)]
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            found += _walk((*path, name), below)
    return found


def _names() -> str:
    lines = [_MADE, "# Promises, methods, attacks, predictors and measures by name\n"]
    families = (("Promises", "promises", promises), ("Methods", "methods", methods), ("Attacks", "attacks", attacks))
    for title, folder, registry in families:
        lines.append(f"\n## {title}\n\n| name | on | what it is |\n|---|---|---|\n")
        for cls in registry:
            kinds = ", ".join(sorted(cls.kinds))
            lines.append(f"| [`{cls.name}`]({folder}/{cls.name}.md) | {kinds} | {_sentence(cls.__doc__)} |\n")
    lines.append("\n## Predictors\n\n| name | what it is |\n|---|---|\n")
    lines += [f"| [`{cls.name}`](predictors.md#{cls.name}) | {_sentence(cls.__doc__)} |\n" for cls in predictors]
    lines.append("\n## Measures\n\nThey are defined in [their own page](measures.md).\n\n")
    lines.append("| name | unit | when | what it is |\n|---|---|---|---|\n")
    for name, measure in MEASURES.items():
        when = "always" if measure.quick else "`--all`"
        lines.append(f"| {name} | {measure.unit} | {when} | {measure.meaning} |\n")
    return "".join([*lines, _WORDS])


def _sentence(text: str | None) -> str:
    assert text, "everything public is documented"
    return text.strip().splitlines()[0]


def main() -> int:
    """Write or check."""
    aged = []
    for path, text in pages().items():
        if "--check" in sys.argv[1:]:
            aged += [] if path.is_file() and path.read_text(encoding="utf-8") == text else [path.name]
        else:
            path.write_text(text, encoding="utf-8")
    if aged:
        sys.stderr.write(f"Out of date: {', '.join(aged)}. Run: make docs\n")
    return 1 if aged else 0


if __name__ == "__main__":
    sys.exit(main())
