"""``shoal desk``: releases on request, by purpose and trust, judged together with what was released before."""

from typing import Any

import click

from shoal.errors import WordingError
from shoal.wording.format import format_count, format_number

from . import options
from .printing import print_json, print_table
from .progress_bars import progress_bars

__all__ = ["desk"]

_store = click.option(
    "--desk",
    "store",
    envvar="SHOAL_DESK",
    default="desk.sqlite",
    show_default=True,
    metavar="FILE_OR_URL",
    help="Where the desk keeps its books: a file, or postgresql://… ($SHOAL_DESK).",
)
_projection = click.option(
    "--projection", metavar="PROJECTION", help="How trust becomes a degree of anonymization, such as quadratic."
)
_views = click.option(
    "--views",
    type=click.Choice(["nested", "checked"]),
    help="nested: all views on one chain (default); checked: a view for each purpose, judged together with the others.",
)
_collude = click.option(
    "--collude",
    multiple=True,
    metavar="NAME,NAME,…",
    help="Requesters who may collude; repeatable. Or 'everybody' (default), or 'nobody'.",
)
_identifier = click.option(
    "--identifier", metavar="COLUMN", help="The column that identifies people across versions of the data."
)
_accept = click.option(
    "--accept", multiple=True, metavar="COLUMN", help="Publish this column although the audit objects."
)
_apart_from = click.option(
    "--apart-from",
    "apart_from",
    multiple=True,
    metavar="DATASET",
    help="Judge releases separately from this data set, although people seem to be in both; repeatable, and logged. "
    "It also lifts what the policy of that data set would have refused.",
)


@click.group()
def desk() -> None:
    """Release views of data to requesters, by purpose and trust, and keep a log of it."""


@desk.command()
@_store
@options.as_json
def init(store: str, as_json: bool) -> None:  # noqa: FBT001
    """Make an empty desk. A file is readable by its owner alone."""
    from shoal.desk import Desk

    Desk.create(store)
    _done(as_json, "The desk is open.", {"made": True})


@desk.command()
@click.argument("name")
@options.data()
@options.schema
@options.models
@_projection
@_views
@click.option("--purpose", metavar="NAME", help="The purpose that the chain of nested views is for.")
@_collude
@_identifier
@_accept
@_apart_from
@_store
@options.as_json
def dataset(name: str, data: str, schema: str | None, store: str, as_json: bool, **policy: Any) -> None:  # noqa: FBT001
    """Register DATA under NAME by its fingerprint, with its owner's policy.

    Without a policy, DATA is a new version of the data set of that NAME. The data themselves are not kept.
    """
    from shoal.desk import Policy
    from shoal.jobs.desk import register as job

    given = _given(policy)
    if given and "promises" not in given:
        raise WordingError("A policy needs at least one promise.", "Add --model k-anonymity:k=5, for example.")
    with progress_bars(quiet=as_json):
        result = job(store, name, data, schema, policy=Policy(**given) if given else None)
    chain = "" if result.views is None else f": a chain of {format_count(result.views, 'view')} keeps the promises"
    _done(as_json, f"Version {result.version} of {name} is registered{chain}.", result.to_json())
    for other, people in result.overlaps.items():
        if people and not as_json and not result.warnings:
            click.echo(f"{people:,} people are in {other} too: releases of both are judged together.")
    for warning in result.warnings:
        click.echo(f"{click.style('warning', fg='yellow')}   {warning}", err=True)


@desk.command()
@click.argument("name")
@options.models
@_projection
@_views
@_collude
@_identifier
@_accept
@_apart_from
@_store
@options.as_json
def policy(name: str, store: str, as_json: bool, **changes: Any) -> None:  # noqa: FBT001
    """Change the policy of the data set NAME. Earlier releases still count."""
    from shoal.desk import Desk

    given = _given(changes)
    if not given:
        raise WordingError("Nothing is to be changed.", "shoal desk policy --help shows what can be.")
    _done(as_json, f"The policy of {name} is changed.", Desk(store).change_policy(name, **given).to_json())


@desk.command()
@click.argument("name")
@click.option(
    "--trust",
    type=click.FloatRange(0, 1),
    required=True,
    help="How far the requester is trusted: 0 not at all, 1 fully.",
)
@_store
@options.as_json
def requester(name: str, trust: float, store: str, as_json: bool) -> None:  # noqa: FBT001
    """Add the requester NAME, or change how far it is trusted."""
    from shoal.desk import Desk

    name = Desk(store).set_requester(name, trust)
    _done(as_json, f"{name} is trusted {format_number(trust)}.", {"requester": name, "trust": trust})


@desk.command()
@click.argument("name")
@click.option("--priorities", metavar="NAME:P;…", help="How useful quasi-identifiers are, such as 'age:1;zip:0.5'.")
@click.option("--most", metavar="COLUMN", help="The most useful one,")
@click.option("--least", metavar="COLUMN", help="and the least useful one, from which the others follow.")
@click.option("--target", metavar="COLUMN", help="The column to be predicted.")
@click.option("--bins", type=int, default=10, show_default=True, help="Number of bins for numeric columns.")
@_store
@options.as_json
def purpose(name: str, store: str, as_json: bool, **settings: Any) -> None:  # noqa: FBT001
    """Add the purpose NAME: what data are requested for, and how useful each column is for it."""
    from shoal.desk import Desk, Purpose

    name = Desk(store).add_purpose(name, Purpose(**settings))
    _done(as_json, f"The purpose {name} is known.", {"purpose": name})


@desk.command()
@click.argument("name", metavar="DATASET")
@options.data()
@click.option("--requester", required=True, metavar="NAME", help="Who asks.")
@click.option("--purpose", required=True, metavar="NAME", help="What for.")
@click.option("--out", required=True, metavar="DIR", help="The release folder to make.")
@click.option("--ledger", metavar="DIR", help="The owner's folder to make: which published record is whose.")
@click.option("--earlier", multiple=True, metavar="FILE", help="An earlier version of the data; repeatable.")
@click.option(
    "--earlier-schema",
    "earlier_schemas",
    multiple=True,
    metavar="FILE",
    help="The schema that earlier data were registered with, if another one; once for each --earlier.",
)
@click.option("--format", "form", type=options.format_name, default="csv", help="The format of the published file.")
@click.option(
    "--readable-by",
    type=click.Choice(["owner", "group", "all"]),
    default="owner",
    show_default=True,
    help="Who on this machine may open the release folder.",
)
@options.schema
@_store
@options.as_json
def request(name: str, data: str, schema: str | None, store: str, as_json: bool, **asked: Any) -> None:  # noqa: FBT001
    """Release to a requester the view of DATASET that its policy allows. Exit 3: refused; the log has the reason."""
    from shoal.jobs.desk import request as job

    with progress_bars(quiet=as_json):
        result = job(store, name, data, schema, **asked)
    if as_json:
        print_json(result.to_json())
        return
    levels = ", ".join(f"{column} at level {level}" for column, level in result.levels.items())
    click.echo(
        f"Release {result.number}: {format_count(result.records, 'record')} in "
        f"{format_count(result.groups, 'equivalence class', 'equivalence classes')}: {result.release}"
    )
    click.echo(f"Generalized: {levels}.")
    if result.is_empty:
        click.echo(
            "Every quasi-identifier is suppressed (*): the requester gets no detail of them. For more, raise the trust "
            "in the requester (shoal desk requester), or let the policy promise less."
        )
    elif result.suppressed:
        click.echo(f"Suppressed (*) in every record: {', '.join(result.suppressed)}.")
    click.echo(
        f"Degree of anonymization: {result.degree_reached:.3f}; this trust calls for {result.degree_asked:.3f}. "
        f"{result.seconds:.1f} s"
    )
    click.echo(f"SHA-256 {result.sha256}")


@desk.command()
@click.option("--dataset", metavar="NAME", help="Of this data set only.")
@click.option("--requester", metavar="NAME", help="To this requester only.")
@_store
@options.as_json
def releases(dataset: str | None, requester: str | None, store: str, as_json: bool) -> None:  # noqa: FBT001
    """List what was released to whom."""
    from shoal.desk import Desk

    found = Desk(store).releases(dataset, requester)
    if as_json:
        print_json({"releases": found})
        return
    rows = [
        [
            str(each["number"]),
            f"{each['dataset']} {each['version']}",
            each["requester"],
            each["purpose"],
            f"{each['degree_reached']:.3f}",
            each["state"],
            each["decided"],
            (each["sha256"] or "–")[:12],
        ]
        for each in found
    ]
    print_table(["number", "data set", "requester", "purpose", "degree", "state", "decided", "SHA-256"], rows)


@desk.command()
@click.argument("number", type=int)
@click.option("--why", default="", metavar="TEXT", help="The reason, for the log.")
@_store
@options.as_json
def revoke(number: int, why: str, store: str, as_json: bool) -> None:  # noqa: FBT001
    """Mark the release NUMBER as no longer to be used. It was seen, and still counts."""
    from shoal.desk import Desk

    Desk(store).revoke(number, why)
    _done(as_json, f"Release {number} is revoked; it was seen, and still counts.", {"revoked": number})


@desk.command()
@click.option("--folders", is_flag=True, help="Also check that release folders are as they were written.")
@click.option(
    "--noted", metavar="HASH", help="A hash that an earlier audit printed: check that it is still in the log."
)
@_store
@options.as_json
@click.pass_context
def audit(context: click.Context, folders: bool, noted: str | None, store: str, as_json: bool) -> None:  # noqa: FBT001
    """Check that the log is complete and that the store agrees with it. Exit 0: it does; 1: it does not."""
    from shoal.desk import Desk

    result = Desk(store).audit(folders=folders, noted=noted)
    if as_json:
        print_json(result.to_json())
    else:
        for fault in result.faults:
            click.echo(f"{click.style('fault', fg='red')}   {fault}")
        if result.holds:
            kept = f"{format_count(result.entries, 'entry', 'entries')}, {format_count(result.releases, 'release')}"
            click.echo(f"{click.style('holds', fg='green')}   {kept}")
        click.echo(f"Note the hash of the last entry elsewhere: {result.head}")
    context.exit(0 if result.holds else 1)


def _given(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a policy that were given."""
    said = {
        "promises": settings["models"] or None,
        "projection": settings["projection"],
        "views": settings["views"],
        "purpose": settings.get("purpose"),
        "identifier": settings["identifier"],
        "accept": settings["accept"] or None,
        "apart_from": settings["apart_from"] or None,
    }
    given = {key: value for key, value in said.items() if value is not None}
    if settings["collude"]:
        given["coalitions"] = _coalitions(settings["collude"])
    return given


def _coalitions(said: tuple[str, ...]) -> tuple[tuple[str, ...], ...] | None:
    if "everybody" in said or "nobody" in said:
        if len(said) > 1:
            raise WordingError("Either everybody may collude, or nobody, or those who are named.")
        return None if said == ("everybody",) else ()
    return tuple(tuple(name.strip() for name in each.split(",")) for each in said)


def _done(as_json: bool, sentence: str, result: dict[str, Any]) -> None:  # noqa: FBT001
    if as_json:
        print_json(result)
    else:
        click.echo(sentence)
