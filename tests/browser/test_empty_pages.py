"""Pages before anything was done: each says that nothing is there and how to begin, and shuts nobody out."""

from collections.abc import Callable

import pytest

from browsing import Window
from page_inspection import faults_of, keyboard_faults_of
from server_under_test import Live
from shoal.server.store import Role

_OF_THE_DESK = ("/desk", "/desk/purposes", "/desk/releases")
EMPTY = {
    Role.OWNER: (
        "/",
        "/jobs",
        "/compare",
        "/lookup",
        *_OF_THE_DESK,
        "/desk/datasets",
        "/desk/datasets/new",
        "/desk/requesters",
        "/desk/requests",
        "/desk/waiting",
    ),
    Role.OFFICER: ("/desk", "/lookup"),
    Role.REQUESTER: ("/desk", "/desk/requests", "/lookup"),
    Role.AUDITOR: ("/desk", "/desk/purposes"),
}


@pytest.mark.parametrize("role", EMPTY)
def test_an_empty_page_says_so_and_shuts_nobody_out(role: Role, window: Callable[..., Window], live: Live) -> None:
    if role is Role.REQUESTER:
        live.service.books.desk().set_requester("clinic", 0.5)
    seen = window(f"one-{role}", role, "clinic" if role is Role.REQUESTER else None)
    for address in EMPTY[role]:
        page = seen.go(address)
        assert page.locator("main .empty").count(), address
        told = [f"{address}: {each}" for each in (*keyboard_faults_of(page), *faults_of(page))]
        assert not told, "\n".join(told)
