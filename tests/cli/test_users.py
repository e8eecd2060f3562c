"""``shoal users``: whoever has an account on the machine lets others in, also where every token has expired."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from shoal.server.service import Service
from shoal.server.settings import ServiceSettings
from shoal.server.store.tables import TOKENS


def test_an_owner_whose_tokens_have_expired_is_let_in_again(run, tmp_path: Path) -> None:
    where = ("--folder", tmp_path / "service")
    first = json.loads(run("users", "add", "ada", "--role", "owner", *where, "--json").out)["token"]
    users = Service(ServiceSettings(folder=tmp_path / "service"))
    with users.books.transaction() as connection:
        past = (datetime.now(UTC) - timedelta(seconds=1)).isoformat(timespec="seconds")
        connection.execute(TOKENS.update().values(expires=past))
    assert users.users.known_by_token(first) is None
    made = json.loads(run("users", "token", "ada", "--days", 7, *where, "--json").out)
    found = users.users.known_by_token(made["token"])
    assert found is not None
    assert found.name == "ada"
    assert timedelta(days=6) < datetime.fromisoformat(made["expires"]) - datetime.now(UTC) <= timedelta(days=7)
    rotated = run("users", "rotate", made["id"], *where).out.split()[-1]
    assert users.users.known_by_token(made["token"]) is None
    assert users.users.known_by_token(rotated) is not None


def test_nobody_is_given_a_token_who_was_not_let_in(run, tmp_path: Path) -> None:
    for command in (("users", "token", "bob"), ("users", "rotate", "0" * 16)):
        ran = run(*command, "--folder", tmp_path / "service")
        assert ran.status == 2
        assert "There is no" in ran.err
