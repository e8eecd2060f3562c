"""Write the pages that are made from the code, or check that they are up to date.

``python docs/generate_reference.py`` writes, ``--check`` compares and exits with 1 where a page has aged.
"""

import ast
import inspect
import sys
import tempfile
import typing
from pathlib import Path

import click
from draw_rooms import picture

from shoal.anonymizers import methods
from shoal.attacks import attacks
from shoal.cli.main import shoal
from shoal.evidence import NeedGroups
from shoal.models import promises
from shoal.partitioned.methods import IN_MEMORY_ALONE, ON_DISK, RATINGS_ON_DISK
from shoal.plan import PATHS, Plan
from shoal.predictors import predictors
from shoal.server.app import API, create_app
from shoal.server.service import Service
from shoal.server.settings import ServiceSettings
from shoal.utility import MEASURES
from shoal.workbench.glossary import glossary

REFERENCE = Path(__file__).parent / "reference"
_MADE = "<!-- Made by docs/generate_reference.py; edit the code instead. -->\n\n"
_WORDS = "\nWords are defined in the [glossary](glossary.md).\n"


def pages() -> dict[Path, str]:
    """Return every generated page by its path."""
    return {
        REFERENCE / "commands.md": _commands(),
        REFERENCE / "engines.md": _engines(),
        REFERENCE / "glossary.md": _glossary(),
        REFERENCE / "names.md": _names(),
        REFERENCE.parent / "explanation" / "rooms.svg": picture(),
        REFERENCE / "plan.md": _plan(),
        REFERENCE / "http.md": _http(),
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


_GLOSSARY = """# Glossary

Each word as Shoal uses it, and what papers and other tools call the same thing.
[ARX](https://arx.deidentifier.org) and [sdcMicro](https://cran.r-project.org/package=sdcMicro) are the two most used
open tools for tables. Everything that has a name in a command (promises, methods, attacks, predictors, measures) is
listed in [names](names.md).
"""


def _glossary() -> str:
    lines = [_MADE, _GLOSSARY]
    for section in glossary():
        lines.append(f"\n## {section.title}\n\n| word | means | elsewhere |\n|---|---|---|\n")
        for each in section.entries:
            elsewhere = f" {each.elsewhere}" if each.elsewhere else ""
            lines.append(f"| **{each.word}** | {each.means} |{elsewhere} |\n")
    return "".join(lines)


_ENGINES = """# What runs where

`--engine` says where records are while `check`, `limits`, `publish` and `verify` work on them.

| engine | records are | chosen |
|---|---|---|
| `local` | in memory | by `auto` where they fit |
| `stream` | on the disk of this machine, in the folder for temporary files | by `auto` where they do not fit |
| `spark` | on a [cluster of Apache Spark](../guides/on-spark.md) | for a DataFrame of Spark, and if asked for |

Data fit if they take at most `--memory`, half of the machine's unless said. Answers do not depend on the engine:
verdicts, levels, groups and losses are equal, and certificates differ in the engine that they name. What needs records
in memory is read into memory by `auto`, which says so, and refused by `stream` and `spark`. How to use it:
[Larger than memory](../guides/larger-than-memory.md).

## Methods

| method | on disk |
|---|---|
"""


_PROMISES = """
## Promises on tables

| promise | on disk |
|---|---|
"""

_ON_RATINGS = """
## Promises on ratings and sets

They are checked on disk where a file has one rating, or one item of a set, a line.

| promise | on disk |
|---|---|
| [`k-anonymity`](promises/k-anonymity.md) | yes |
| [`k-epsilon`](promises/k-epsilon.md) | yes; not with `semantics=partition`, which looks among all records at once |
| [`km-anonymity`](promises/km-anonymity.md) | with `m` up to 2 |
| [`b-l-diversity`](promises/b-l-diversity.md) | with `b=1` |

Users are compared with those who rated the same items. Where very many did, as in a survey that everybody completed,
their different profiles are compared block by block, which takes time by the square of how many there are.

"""

_OTHERS = """
## Everything else

| | on disk |
|---|---|
| `--seed`, `--secret` | no: they repeat what is drawn for rows in their order, and rows on disk have none |
| `--format` | Parquet, in parts |
| several records a person, strata | yes: people are counted, and no group crosses strata |
| the audit of insensitive columns | yes; columns with too many combinations of values to be counted must be accepted |
| classes of weights | no: they are made of records in memory |
| `check --explain` | no |
| `verify --ledger` | yes, people that a release states included |
| surveys with demographics, wide tables of ratings, baskets | no: they are read into memory |
| `--duplicates last` and `mean` | no: they go by the order of the file |
| `limits` | yes; of ratings, by neighborhoods |
| `describe`, `measure`, `compare`, `attack`, `report`, `lattice` | no: they read everything into memory, parts too |
"""


def _engines() -> str:
    lines = [_MADE, _ENGINES]
    lines += [
        f"| [`{name}`](methods/{name}.md) | yes: {what} |\n" for name, what in {**ON_DISK, **RATINGS_ON_DISK}.items()
    ]
    lines += [f"| [`{name}`](methods/{name}.md) | no: {why} |\n" for name, why in IN_MEMORY_ALONE.items()]
    lines.append(_PROMISES)
    for cls in promises:
        if "table" in cls.kinds:
            on_groups = all(isinstance(each.need, NeedGroups) for each in cls.examples())
            said = "yes" if on_groups else "no: it is not judged on groups"
            lines.append(f"| [`{cls.name}`](promises/{cls.name}.md) | {said} |\n")
    return "".join([*lines, _ON_RATINGS.rstrip() + "\n", _OTHERS, _WORDS])


_HTTP = """# Operations over HTTP

What `shoal serve` answers ([guide](../guides/run-the-service.md)); all paths are below `/api/v1`. The same, with the
schema of every request and answer, is at `/api/v1/openapi.json` for whoever is logged in. Roles are those of
[users](../guides/desk-for-a-team.md). A problem is answered with a status from 400 on and `application/problem+json`.
"""


def _http() -> str:
    with tempfile.TemporaryDirectory() as folder:
        document = create_app(Service(ServiceSettings(folder=Path(folder) / "service"))).openapi()
    by_tag: dict[str, list[str]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            roles = ", ".join(operation["x-roles"]) or "everybody"
            told = " ".join(operation["description"].split("\n\n")[0].split()).replace("``", "`")
            line = f"| {method.upper()} | `{path.removeprefix(API)}` | {roles} | {told} |\n"
            by_tag.setdefault(operation["tags"][0], []).append(line)
    lines = [_MADE, _HTTP]
    for tag, operations in by_tag.items():
        lines += [
            f"\n## {tag.capitalize()}\n\n| method | path | for | what it does |\n|---|---|---|---|\n",
            *operations,
        ]
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
