"""``shoal desk``: releases on request, by purpose and trust, judged together with what was released before."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from shoal.errors import WordingError
from shoal.wording.format import format_count, format_number

from . import options
from .desk_books import BOOK_COMMANDS
from .desk_oversight import OVERSIGHT_COMMANDS
from .printing import print_json, print_table
from .progress_bars import progress_bars

if TYPE_CHECKING:
    from shoal.jobs.desk import RequestResult

__all__ = ["desk"]

_projection = click.option(
    "--projection", metavar="PROJECTION", help="How trust becomes a degree of anonymization, such as quadratic."
)
_views = click.option(
    "--views",
    type=click.Choice(["nested", "checked"]),
    help="nested: every view is part of the finest one (default); checked: a view for each purpose, judged together "
    "with the others.",
)
_recoding = click.option(
    "--recoding",
    type=click.Choice(["local", "levels"]),
    help="Nested views generalize group by group (local, default), or every record to the same levels.",
)
_beta = click.option(
    "--beta", metavar="NUMBER", help="How much more steps near the top of a hierarchy count in degrees; at least 1."
)
_withhold = click.option(
    "--withhold", metavar="SHARE", help="The share of records that may be withheld, from all nested views alike."
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
_population = click.option(
    "--population",
    metavar="NAME",
    help="The population that the data are an extract of: all its data sets are judged together. Needs --identifier; "
    "'' takes the data set out of it.",
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
_approval = click.option(
    "--approval/--no-approval", default=None, help="Whether each request waits until an officer has approved it."
)
_approval_days = click.option(
    "--approval-days", type=int, metavar="N", help="After how many days a request or an approval expires; 0: never."
)
_release_days = click.option(
    "--release-days", type=int, metavar="N", help="For how many days a release may be used; 0: for ever."
)
_two_person = click.option(
    "--two-person/--one-person", default=None, help="Whether a change of the policy needs a second person."
)


@click.group()
def desk() -> None:
    """Release views of data to requesters, by purpose and trust, and keep a log of it."""


@desk.command()
@options.desk_store
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
@_recoding
@_beta
@_withhold
@click.option("--purpose", metavar="NAME", help="The purpose that nested views are for.")
@_collude
@_identifier
@_population
@_accept
@_apart_from
@_approval
@_approval_days
@_release_days
@_two_person
@options.desk_store
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
    chain = "" if result.views is None else f": {format_count(result.views, 'nested view')} keep the promises"
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
@_recoding
@_beta
@_withhold
@_collude
@_identifier
@_population
@_accept
@_apart_from
@_approval
@_approval_days
@_release_days
@_two_person
@options.desk_store
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
    help="How far the requester is trusted: 1 fully; 0 not at all, and it gets nothing.",
)
@click.option("--until", metavar="WHEN", help="When the trust ends: 2027-01-31, a time with its zone, or never.")
@click.option(
    "--purpose", "purposes", multiple=True, metavar="NAME", help="A purpose it may ask for; repeatable. Or 'any'."
)
@click.option("--reopen", is_flag=True, help="Open a requester again that was closed.")
@options.desk_store
@options.as_json
def requester(
    name: str,
    trust: float,
    until: str | None,
    purposes: tuple[str, ...],
    reopen: bool,  # noqa: FBT001
    store: str,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Add the requester NAME, or change how far it is trusted. What is not said stays as it was."""
    from shoal.desk import Desk

    terms: dict[str, Any] = {} if until is None else {"until": until}
    terms |= {"purposes": None if purposes == ("any",) else purposes} if purposes else {}
    desk = Desk(store)
    name = desk.set_requester(name, trust, **terms, reopen=reopen)
    (listed,) = desk.book("requesters", requester=name)
    until = "" if listed["expires"] is None else f" until {listed['expires']}"
    _for = "" if listed["purposes"] is None else f", for {', '.join(listed['purposes'])}"
    told = {key: listed[key] for key in ("expires", "purposes") if listed[key] is not None}
    _done(
        as_json, f"{name} is trusted {format_number(trust)}{until}{_for}.", {"requester": name, "trust": trust, **told}
    )


@desk.command()
@click.argument("name")
@click.option("--priorities", metavar="NAME:P;…", help="How useful quasi-identifiers are, such as 'age:1;zip:0.5'.")
@click.option("--most", metavar="COLUMN", help="The most useful one,")
@click.option("--least", metavar="COLUMN", help="and the least useful one, from which the others follow.")
@click.option("--target", metavar="COLUMN", help="The column to be predicted.")
@click.option("--bins", type=int, default=10, show_default=True, help="Number of bins for numeric columns.")
@options.desk_store
@options.as_json
def purpose(name: str, store: str, as_json: bool, **settings: Any) -> None:  # noqa: FBT001
    """Add the purpose NAME: what data are requested for, and how useful each column is for it."""
    from shoal.desk import Desk, Purpose

    name = Desk(store).add_purpose(name, Purpose(**settings))
    _done(as_json, f"The purpose {name} is known.", {"purpose": name})


@desk.command()
@click.argument("name", metavar="DATASET")
@options.data(required=False)
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
@options.key_file
@options.key_command
@options.schema
@options.desk_store
@options.as_json
def request(name: str, data: str | None, schema: str | None, store: str, as_json: bool, **asked: Any) -> None:  # noqa: FBT001
    """Release to a requester the view of DATASET that its policy allows. Exit 3: refused; the log has the reason.

    Without DATA, the desk takes those that it keeps.
    """
    from shoal.jobs.desk import request as job

    with progress_bars(quiet=as_json):
        result = job(store, name, data, schema, **_with_key(asked))
    if as_json:
        print_json(result.to_json())
        return
    if result.ratings is None:
        _echo_generalized(result)
    else:
        _echo_profiles(result, result.ratings)
    click.echo(
        f"Degree of anonymization: {result.degree_reached:.3f}; this trust calls for {result.degree_asked:.3f}. "
        f"{result.seconds:.1f} s"
    )
    click.echo(f"SHA-256 {result.sha256}")


def _echo_generalized(result: "RequestResult") -> None:
    """Say what is given of a table."""
    click.echo(
        f"Release {result.number}: {format_count(result.records, 'record')} in "
        f"{format_count(result.groups, 'equivalence class', 'equivalence classes')}: {result.release}"
    )
    click.echo(_generalized(result.levels, result.degrees))
    if result.is_empty:
        click.echo(
            "Every quasi-identifier is suppressed (*): the requester gets no detail of them. For more, raise the trust "
            "in the requester (shoal desk requester), or let the policy promise less."
        )
    elif result.suppressed:
        click.echo(f"Suppressed (*) in every record: {', '.join(result.suppressed)}.")


def _echo_profiles(result: "RequestResult", ratings: int) -> None:
    """Say what is given of ratings."""
    click.echo(
        f"Release {result.number}: the profiles of {format_count(result.groups, 'group')} of "
        f"{format_count(result.records, 'person', 'people')}, with {format_count(ratings, 'rating')}: {result.release}"
    )
    if result.is_empty:
        click.echo(
            "No item was rated by more than half of a group: the requester gets no rating. For more, raise the trust "
            "in the requester (shoal desk requester), or let the policy promise less."
        )


@desk.command("new-key")
@click.argument("file")
@options.as_json
def new_key(file: str, as_json: bool) -> None:  # noqa: FBT001
    """Draw a key for data that the desk keeps, and write it into FILE, which its owner alone can read."""
    from shoal.desk.keeping.keys import draw_key

    draw_key(file)
    _done(as_json, f"{file} holds a new key. Without it, what it seals is lost: keep a copy elsewhere.", {"key": file})


@desk.command()
@options.data()
@options.schema
@options.key_file
@options.key_command
@click.option("--outside", is_flag=True, help="Keep only the path of the file, and of its schema.")
@options.desk_store
@options.as_json
def keep(data: str, schema: str | None, outside: bool, store: str, as_json: bool, **where: Any) -> None:  # noqa: FBT001
    """Keep DATA that are registered, encrypted, so that a request needs no file; the key is not kept."""
    from shoal.jobs.kept_data import keep as job

    with_key = _with_key(where)
    if outside == ("key" in with_key):
        raise WordingError("Data are kept with a key, or stay outside.", "Give --key-file, --key-command or --outside.")
    result = job(store, data, schema, **with_key)
    kept = "kept, encrypted" if result.sealed else "looked for where they are"
    _done(as_json, f"Version {result.version} of {result.dataset} is {kept}.", result.to_json())


@desk.command("dry-run")
@click.argument("name", metavar="DATASET")
@options.data(required=False)
@click.option("--requester", required=True, metavar="NAME", help="Who would ask.")
@click.option("--purpose", required=True, metavar="NAME", help="What for.")
@click.option("--earlier", multiple=True, metavar="FILE", help="An earlier version of the data; repeatable.")
@click.option(
    "--earlier-schema",
    "earlier_schemas",
    multiple=True,
    metavar="FILE",
    help="The schema that earlier data were registered with, if another one; once for each --earlier.",
)
@options.key_file
@options.key_command
@options.schema
@options.desk_store
@options.as_json
def dry_run(name: str, data: str | None, schema: str | None, store: str, as_json: bool, **asked: Any) -> None:  # noqa: FBT001
    """Say what a request would get, and what each coalition would then know. Nothing is decided or logged."""
    from shoal.jobs.desk import dry_run as job

    with progress_bars(quiet=as_json):
        result = job(store, name, data, schema, **_with_key(asked))
    if as_json:
        print_json(result.to_json())
        return
    click.echo(
        f"{result.requester} would get {format_count(result.records, 'record')} in "
        f"{format_count(result.groups, 'equivalence class', 'equivalence classes')}, with a degree of anonymization of "
        f"{result.degree_reached:.3f}; this trust calls for {result.degree_asked:.3f}."
    )
    if result.levels or result.degrees:  # ratings have neither
        click.echo(_generalized(result.levels, result.degrees))
    if result.suppressed:
        click.echo(f"Suppressed (*) in every record: {', '.join(result.suppressed)}.")
    if result.awaits_approval:
        click.echo("It would wait for approval first.")
    rows = [
        [
            each["members"] if isinstance(each["members"], str) else ", ".join(each["members"]),
            f"{known['dataset']} {known['version']}",
            str(known["groups"]),
            str(known["smallest_group"]),
        ]
        for each in result.coalitions
        for known in each["knows"]
    ]
    print_table(["who together", "data set", "groups", "smallest group"], rows)


@desk.command()
@click.argument("number", type=int)
@click.option("--why", default="", metavar="TEXT", help="The reason, for the log.")
@options.desk_store
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
@click.option("--anchor", metavar="FILE", help="What was anchored outside, where the store does not name the file.")
@options.desk_store
@options.as_json
@click.pass_context
def audit(
    context: click.Context,
    folders: bool,  # noqa: FBT001
    noted: str | None,
    anchor: str | None,
    store: str,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Check that the log is complete and that the store agrees with it. Exit 0: it does; 1: it does not."""
    from shoal.desk import Desk

    result = Desk(store).audit(folders=folders, noted=noted, anchor=anchor)
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


for _command in (*OVERSIGHT_COMMANDS, *BOOK_COMMANDS):
    desk.add_command(_command)


def _generalized(levels: Mapping[str, int], degrees: Mapping[str, float]) -> str:
    """Say how far a view generalizes each quasi-identifier."""
    told = [f"{column} at level {level}" for column, level in levels.items()]
    told += [f"{column} {degree:.3f}" for column, degree in degrees.items()]
    return f"Generalized{' by group, to the degree' if degrees else ''}: {', '.join(told)}."


def _with_key(asked: dict[str, Any]) -> dict[str, Any]:
    """Return what was asked for with the key, if one was named, in place of where it is."""
    from shoal.desk.keeping.keys import read_key

    file, command = asked.pop("key_file"), asked.pop("key_command")
    return asked if file is None and command is None else {**asked, "key": read_key(file, command)}


def _given(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a policy that were given."""
    said = {
        "promises": settings["models"] or None,
        "projection": settings["projection"],
        "views": settings["views"],
        "recoding": settings["recoding"],
        "beta": settings["beta"],
        "withhold": settings["withhold"],
        "purpose": settings.get("purpose"),
        "identifier": settings["identifier"],
        "population": settings["population"],
        "accept": settings["accept"] or None,
        "apart_from": settings["apart_from"] or None,
        **{part: settings[part] for part in ("approval", "approval_days", "release_days", "two_person")},
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
