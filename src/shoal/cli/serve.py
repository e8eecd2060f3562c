"""``shoal serve`` and ``shoal workbench``: jobs, desk and pages over HTTP; ``shoal users``: who may use them."""

import webbrowser
from pathlib import Path
from typing import Any

import click

from shoal.errors import MissingExtraError

from . import options
from .printing import print_json, print_table

__all__ = ["serve", "users", "workbench"]

_folder = click.option("--folder", metavar="DIR", help="Where files and books are kept; private.")
_desk = click.option("--desk", metavar="STORE", help="The desk: a path, or postgresql://…; by default in the folder.")


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8431, show_default=True, help="0: any that is free.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@_folder
@_desk
@click.option("--root", "roots", multiple=True, metavar="DIR", help="Data below it may be used by path; repeatable.")
@click.option("--allowed-host", "allowed_hosts", multiple=True, metavar="NAME", help="A name of this service.")
@click.option("--certificate", metavar="FILE", help="The certificate for TLS,")
@click.option("--key", metavar="FILE", help="and its key.")
@click.option("--behind-proxy", is_flag=True, help="A proxy in front of the service does TLS.")
@options.key_file
@options.key_command
@click.option("--api-only", is_flag=True, help="No pages for browsers.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="How many jobs run at a time.")
@click.option("--memory", metavar="SIZE", help="How much memory all jobs may take, such as 8GiB.")
def serve(api_only: bool, jobs: int | None, memory: str | None, **settings: Any) -> None:  # noqa: FBT001
    """Run the jobs and the desk as a service: on this machine alone, unless TLS and users are set up.

    Prints the address to open in a browser, or to send requests to. Stops when interrupted; jobs that run are stopped.
    """
    from shoal.jobs.engine_choice import bytes_allowed

    server, kept = _server(), _settings(settings)
    limits = {"running": jobs, "memory": None if memory is None else bytes_allowed(memory)}
    kept["limits"] = server.Limits(**{key: value for key, value in limits.items() if value is not None})
    pages = None if api_only else server.Workbench()
    server.serve(server.ServiceSettings(**kept), lambda address: click.echo(address), pages=pages)


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="By default any that is free.")
@_folder
@click.option("--root", "roots", multiple=True, metavar="DIR", help="Data below it may be used by path; repeatable.")
@click.option("--no-browser", is_flag=True, help="Print the address, and open nothing.")
@click.option("--no-demo", is_flag=True, help="Do not add the example data.")
def workbench(no_browser: bool, no_demo: bool, **settings: Any) -> None:  # noqa: FBT001
    """Open the workbench in a browser: from a file to a release, on this machine alone, with example data to try.

    Prints the address as well. Stops when interrupted; jobs that run are stopped.
    """
    server = _server()
    kept = server.ServiceSettings(**_settings(settings))
    service = server.Service(kept)

    def ready(address: str) -> None:
        click.echo(address)
        if not no_browser:
            webbrowser.open(address)

    if not no_demo:
        server.add_examples(service)
    server.serve(kept, ready, service=service, pages=server.Workbench())


@click.group()
def users() -> None:
    """Say who may use the service, and as what."""


@users.command("add")
@click.argument("name")
@click.option("--role", type=click.Choice(["owner", "officer", "requester", "auditor"]), required=True)
@click.option("--requester", metavar="NAME", help="In whose name a requester asks.")
@_folder
@_desk
@options.as_json
def add_user(name: str, role: str, requester: str | None, as_json: bool, **where: Any) -> None:  # noqa: FBT001
    """Let the user NAME in, and print a token, which is shown this once."""
    service = _service(where)
    row = service.users.add(name, _server().Role(role), requester)
    _, text = service.users.add_token(row.name)
    if as_json:
        print_json({"user": row.name, "role": role, "token": text})
    else:
        click.echo(f"{row.name} may use the service as {role}. The token is shown this once:\n{text}")


@users.command("list")
@_folder
@_desk
@options.as_json
def list_users(as_json: bool, **where: Any) -> None:  # noqa: FBT001
    """List users and their tokens."""
    service = _service(where)
    people = [vars(each) for each in service.users.all()]
    tokens = [vars(each) for each in service.users.tokens()]
    if as_json:
        print_json({"users": people, "tokens": tokens})
        return
    listed = [[each[key] or "–" for key in ("name", "role", "requester", "made", "closed")] for each in people]
    print_table(["user", "role", "requester", "since", "closed"], listed)
    click.echo()
    listed = [[each[key] or "–" for key in ("id", "user", "made", "expires", "revoked")] for each in tokens]
    print_table(["token", "user", "made", "expires", "revoked"], listed)


@users.command("close")
@click.argument("name")
@_folder
@_desk
def close_user(name: str, **where: Any) -> None:
    """Let the user NAME in no more, and revoke every token of that user."""
    _service(where).users.close(name)
    click.echo(f"{name} is closed.")


@users.command("token")
@click.argument("name")
@click.option("--days", type=click.IntRange(1, 3650), default=90, show_default=True, help="How long it is good for.")
@_folder
@_desk
@options.as_json
def add_token(name: str, days: int, as_json: bool, **where: Any) -> None:  # noqa: FBT001
    """Make a new token for the user NAME, whose others may have expired, and print it, this once."""
    _show_token(_service(where).users.add_token(name, days=days), as_json=as_json)


@users.command("rotate")
@click.argument("token")
@_folder
@_desk
@options.as_json
def rotate_token(token: str, as_json: bool, **where: Any) -> None:  # noqa: FBT001
    """Revoke the token with the id TOKEN, and print a new one of the same user that is good for as long."""
    _show_token(_service(where).users.rotate(token), as_json=as_json)


def _show_token(made: tuple[Any, str], *, as_json: bool) -> None:
    row, text = made
    if as_json:
        print_json({"user": row.user, "id": row.id, "expires": row.expires, "token": text})
    else:
        click.echo(f"The token of {row.user} is good until {row.expires}. It is shown this once:\n{text}")


@users.command("revoke")
@click.argument("token")
@_folder
@_desk
def revoke_token(token: str, **where: Any) -> None:
    """Make the token with the id TOKEN good for nothing."""
    _service(where).users.revoke(token)
    click.echo("The token is revoked.")


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    """Return what was said, paths as paths."""
    said = {key: value for key, value in given.items() if value not in (None, ())}
    for key in ("folder", "certificate", "key", "key_file"):
        if key in said:
            said[key] = Path(said[key])
    return said | ({"roots": tuple(map(Path, said["roots"]))} if "roots" in said else {})


def _service(where: dict[str, Any]) -> Any:
    """Return the service whose users are meant; it need not run."""
    server = _server()
    return server.Service(server.ServiceSettings(**_settings(where)))


def _server() -> Any:
    """Return what is needed of the service, which needs packages of its own."""
    try:
        from types import SimpleNamespace

        from shoal.server.run import serve as listen
        from shoal.server.service import Service
        from shoal.server.settings import Limits, ServiceSettings
        from shoal.server.store import Role
        from shoal.workbench import Workbench
        from shoal.workbench.examples import add_examples
    except ModuleNotFoundError as error:
        if error.name not in ("fastapi", "uvicorn", "starlette", "anyio", "python_multipart"):
            raise
        raise MissingExtraError(
            "The service needs packages that are not installed.", "Install them: pip install 'shoal[serve]'."
        ) from None
    return SimpleNamespace(
        serve=listen,
        Service=Service,
        Limits=Limits,
        ServiceSettings=ServiceSettings,
        Role=Role,
        Workbench=Workbench,
        add_examples=add_examples,
    )
