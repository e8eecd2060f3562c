"""The glossary and the page about the service: every word can be linked to, and links to words lead to one."""

import re
from importlib.resources import files

import pytest

from shoal.server.store import Role
from shoal.workbench.glossary import glossary, names_in_wordings
from workbench.conftest import words_of

ANCHORS = [
    anchor for section in (*glossary(), *names_in_wordings()) for entry in section.entries for anchor in entry.anchors
]


def test_every_word_has_an_address_of_its_own(visitor) -> None:
    page = visitor().get("/glossary")
    found = re.findall(r' id="([^"]+)"', page)
    assert len(found) == len(set(found))
    assert set(ANCHORS) <= set(found)
    assert {"quasi-identifier", "equivalence-class", "group", "coalition", "k-anonymity"} <= set(found)


def test_links_to_words_on_all_pages_lead_to_one() -> None:
    folder = files("shoal.workbench").joinpath("templates")
    for template in folder.iterdir():
        for anchor in re.findall(r'/glossary#([^"{]+)"', template.read_text(encoding="utf-8")):
            assert anchor in ANCHORS, f"{template.name} links to {anchor}"


def test_markup_of_words_is_shown_and_not_written(visitor) -> None:
    page = visitor().get("/glossary")
    assert "<code>[30, 40)</code>" in page
    assert "<em>key variable</em>" in page
    assert "](" not in words_of(page)


@pytest.mark.parametrize("role", list(Role))
def test_where_things_are_is_told_to_the_owner_alone(role, visitor, live) -> None:
    page = visitor(f"reader-{role}", role, "ines" if role is Role.REQUESTER else None).get("/about")
    assert (str(live.service.settings.folder) in page) == (role is Role.OWNER)
    assert "How to stop it" in page


def test_the_password_of_a_database_is_not_shown() -> None:
    from shoal.workbench.routes.reading import _without_password

    assert _without_password("postgresql://shoal:hidden@db.example/desk") == "postgresql://db.example/desk"
    assert _without_password("/srv/desk.db") == "/srv/desk.db"
