"""Write the pages that are made from the code, or check that they are up to date.

``python docs/generate_reference.py`` writes, ``--check`` compares and exits with 1 where a page has aged.
"""

import ast
import inspect
import sys
import typing
from pathlib import Path

import click
from draw_rooms import picture

from shoal.anonymizers import methods
from shoal.attacks import attacks
from shoal.cli.main import shoal
from shoal.models import promises
from shoal.plan import PATHS, Plan
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
        REFERENCE / "plan.md": _plan(),
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
        lines.append(f"| {name} | {measure.unit_for(None)} | {when} | {measure.meaning} |\n")
    return "".join([*lines, _WORDS])


_PLAN = """# Plan settings

A plan holds everything that `shoal publish` needs in one TOML or JSON file; `shoal publish --plan FILE` runs it. From
Python, the same settings are keywords of `shoal.publish`, and paths may be given as `pathlib.Path`. Relative paths in a
file start from the folder the file is in. The [ledger](release-folder.md) of every release holds its plan.

```toml
data = "people.csv"
schema = "people.toml"
models = ["k-anonymity:k=5", "l-diversity:l=2"]
out = "release"
ledger = "ledger"
withhold = "2%"
```

Promises and methods are written as [their names](names.md) and settings, `name:key=value,key=value`. Numbers are
decimals or fractions, `0.5` or `1/3`, and are read exactly; shares are also written in percent.

| setting | type | default | what it is |
|---|---|---|---|
"""


def _plan() -> str:
    body = ast.parse(inspect.getsource(Plan)).body[0]
    assert isinstance(body, ast.ClassDef)
    lines = [_MADE, _PLAN]
    for field, text in zip(body.body, body.body[1:], strict=False):
        if not (isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)):
            continue
        assert isinstance(text, ast.Expr), f"the setting {field.target.id} has a docstring"
        setting = Plan.model_fields[field.target.id]
        name = setting.alias or field.target.id
        default = "required" if setting.is_required() else _default(setting.default)
        meaning = ast.literal_eval(text.value).replace("``", "`")
        lines.append(f"| `{name}` | {_type(name, setting.annotation)} | {default} | {meaning} |\n")
    return "".join([*lines, _WORDS])


def _default(value: object) -> str:
    if value is None or value == ():
        return "none"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _type(name: str, annotation: object) -> str:
    kind = next((each for each in typing.get_args(annotation) if each is not type(None)), annotation)
    if typing.get_origin(annotation) is typing.Literal:
        return " or ".join(f"`{choice}`" for choice in typing.get_args(annotation))
    if typing.get_origin(annotation) is tuple:
        return "list of texts"
    return "path" if name in PATHS else {str: "text", int: "whole number", bool: "true or false"}[kind]


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
