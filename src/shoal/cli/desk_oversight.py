"""``shoal desk approve``, ``refuse``, ``confirm``, ``reject``, ``close`` and ``anchor``: oversight of the desk."""

import click

from . import options
from .printing import print_json

__all__ = ["OVERSIGHT_COMMANDS"]

_why = click.option("--why", default="", metavar="TEXT", help="The reason, for the log.")


@click.command()
@click.argument("number", type=int)
@_why
@options.desk_store
@options.as_json
def approve(number: int, why: str, store: str, as_json: bool) -> None:  # noqa: FBT001
    """Approve the request NUMBER, which waits; whoever has asked for it cannot."""
    from shoal.desk import Desk

    found = Desk(store).approve(number, why)
    _print(as_json, f"{found['requester']} may have {found['dataset']} for {found['purpose']}: ask again.", found)


@click.command()
@click.argument("number", type=int)
@click.option("--why", required=True, metavar="TEXT", help="The reason, which whoever asked is told.")
@options.desk_store
@options.as_json
def refuse(number: int, why: str, store: str, as_json: bool) -> None:  # noqa: FBT001
    """Refuse the request NUMBER, which waits for approval."""
    from shoal.desk import Desk

    _print(as_json, f"Request {number} is refused.", Desk(store).refuse(number, why))


@click.command()
@click.argument("number", type=int)
@options.desk_store
@options.as_json
def confirm(number: int, store: str, as_json: bool) -> None:  # noqa: FBT001
    """Let the change of a policy that somebody else has proposed as NUMBER hold."""
    from shoal.desk import Desk

    _print(as_json, f"Proposal {number} holds from now on.", Desk(store).confirm(number).to_json())


@click.command()
@click.argument("number", type=int)
@_why
@options.desk_store
@options.as_json
def reject(number: int, why: str, store: str, as_json: bool) -> None:  # noqa: FBT001
    """Let the change of a policy that was proposed as NUMBER never hold."""
    from shoal.desk import Desk

    Desk(store).reject(number, why)
    _print(as_json, f"Proposal {number} is rejected.", {"rejected": number})


@click.command()
@click.argument("name")
@_why
@options.desk_store
@options.as_json
def close(name: str, why: str, store: str, as_json: bool) -> None:  # noqa: FBT001
    """Give the requester NAME nothing more. What it was given goes on to count."""
    from shoal.desk import Desk

    Desk(store).close_requester(name, why)
    _print(as_json, f"{name} is closed; what it was given goes on to count.", {"closed": name})


@click.command()
@click.argument("file", required=False)
@click.option("--command", metavar="COMMAND", help="A command that gets each line on its standard input, instead.")
@click.option("--none", "nowhere", is_flag=True, help="From now on, anchor nothing.")
@options.desk_store
@options.as_json
def anchor(file: str | None, command: str | None, nowhere: bool, store: str, as_json: bool) -> None:  # noqa: FBT001
    """Write the head of the log outside at each change: into FILE, on another disk or of another owner.

    A change whose head cannot be written there is not made. shoal desk audit compares.
    """
    from shoal.desk import Desk
    from shoal.errors import WordingError

    if [file, command, nowhere or None].count(None) != 2:
        raise WordingError("Name a file, or --command, or --none.")
    Desk(store).set_anchor(file=file, command=command)
    sentence = "The log is anchored nowhere." if nowhere else "The log is anchored from now on."
    _print(as_json, sentence, {"file": file, "command": command})


def _print(as_json: bool, sentence: str, result: dict[str, object]) -> None:  # noqa: FBT001
    if as_json:
        print_json(result)
    else:
        click.echo(sentence)


OVERSIGHT_COMMANDS: tuple[click.Command, ...] = (approve, refuse, confirm, reject, close, anchor)
