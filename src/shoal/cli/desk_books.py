"""``shoal desk log``, ``requesters``, ``releases`` and so on: the books of the desk, to be read and exported."""

import json
from typing import Any

import click

from . import options
from .printing import print_json, print_table

__all__ = ["BOOK_COMMANDS"]

_HELP = {
    "requesters": "List who may ask, how far each is trusted, until when and for what.",
    "purposes": "List what may be asked for.",
    "datasets": "List data sets, their versions and policies.",
    "populations": "List which data sets are judged together, and how many people are in both.",
    "policies": "List every policy that held, and who changed it.",
    "releases": "List what was released to whom.",
    "refusals": "List what was refused, and why.",
    "approvals": "List requests that wait for an officer, or waited.",
    "proposals": "List changes of policies that wait for a second person, or waited.",
    "log": "List everything that happened, and who did it.",
}
_NAMED = ("dataset", "requester", "purpose")
_DATED = ("since", "before")
_FILTERS = {  # named here as well: reading them from the desk would load it for every command
    "requesters": ("requester", "state", "by"),
    "purposes": ("purpose", "by"),
    "datasets": ("dataset", "by"),
    "populations": ("dataset",),
    "policies": ("dataset", "by", *_DATED),
    "releases": (*_NAMED, "state", "by", *_DATED),
    "refusals": (*_NAMED, "by", *_DATED),
    "approvals": (*_NAMED, "state", *_DATED),
    "proposals": ("dataset", "state", *_DATED),
    "log": (*_NAMED, "event", "by", *_DATED),
}
_OPTIONS = {
    "dataset": ("NAME", "Of this data set only."),
    "requester": ("NAME", "Of this requester only."),
    "purpose": ("NAME", "For this purpose only."),
    "state": ("STATE", "In this state only, such as done or waiting."),
    "event": ("EVENT", "Only what happened so, such as refused."),
    "by": ("WHO", "Only what this one did, such as 'user ada'."),
    "since": ("WHEN", "From then on: 2027-01-31, or a time with its zone."),
    "before": ("WHEN", "Before then."),
}
_LONGEST = 60


def _command(name: str) -> click.Command:
    def listed(store: str, as_json: bool, form: str, **filters: Any) -> None:  # noqa: FBT001
        from shoal.desk import Desk
        from shoal.desk.listings import BOOKS, written_book

        found = Desk(store).book(name, **filters)
        if as_json:
            print_json({name: found})
        elif form != "table":
            for line in written_book(name, found, form):  # type: ignore[arg-type]
                click.echo(line, nl=False)
        else:
            shown = BOOKS[name].shown
            head = [each.replace("_", " ") for each in shown]
            print_table(head, [[_cell(each.get(column)) for column in shown] for each in found], left=range(len(shown)))

    for filter_ in reversed(_FILTERS[name]):
        metavar, text = _OPTIONS[filter_]
        listed = click.option(f"--{filter_}", metavar=metavar, help=text)(listed)
    form = click.option(
        "--format",
        "form",
        type=click.Choice(["table", "csv", "ndjson"]),
        default="table",
        show_default=True,
        help="How it is printed; as CSV and NDJSON, whole.",
    )
    return click.command(name, help=_HELP[name])(form(options.desk_store(options.as_json(listed))))


def _cell(value: Any) -> str:
    """Return what a table shows: the beginning of what is long."""
    if value is None or value in ([], {}):
        return "–"
    if isinstance(value, float):
        text = f"{value:.3g}"
    elif isinstance(value, list):
        text = ", ".join(str(each.get("number", each)) if isinstance(each, dict) else str(each) for each in value)
    elif isinstance(value, dict):
        text = json.dumps({key: each for key, each in value.items() if each not in (None, [])}, ensure_ascii=False)
    else:
        text = str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


BOOK_COMMANDS: tuple[click.Command, ...] = tuple(map(_command, _HELP))
