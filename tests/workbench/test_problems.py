"""Problems on pages: each says what to do, in the frame that its reader knows."""

import pytest

from shoal.server.store import Role
from workbench.conftest import words_of


@pytest.fixture(scope="module")
def ada(visitor):
    return visitor("ada")


@pytest.mark.parametrize(
    ("address", "status"),
    [("/nothing", 404), ("/data/xyz/look", 404), ("/data/0123456789abcdef/look", 404), ("/compare?a=zz", 422)],
)
def test_an_address_that_leads_nowhere_is_told_with_the_way_back(ada, address, status) -> None:
    page = ada.get(address, status=status)
    words = words_of(page)
    assert "What to do:" in words
    assert 'aria-label="Main"' in page  # with the navigation
    for programs in ("operation", "pattern", "path.", "resource", "places"):
        assert programs not in words


def test_a_stranger_is_told_of_no_page_and_where_to_log_in(visitor) -> None:
    stranger = visitor("ada")
    stranger.http.cookies.clear()
    page = stranger.get("/nothing", status=404)
    assert 'href="/login"' in page
    assert 'aria-label="Main"' not in page


def test_a_wrong_token_is_told_beside_the_form(visitor) -> None:
    stranger = visitor("ada")
    stranger.http.cookies.clear()
    for answer in (
        stranger.http.post("/login", data={"token": "wrong", "next": "/jobs"}),
        stranger.http.get("/enter?token=wrong"),
    ):
        assert answer.status_code == 401
        assert "The token is not known" in answer.text
        assert '<input id="token"' in answer.text
        assert "wrong" not in answer.text
    assert 'name="next" value="/jobs"' in stranger.http.post("/login", data={"token": "no", "next": "/jobs"}).text


def test_whoever_may_not_see_a_page_is_told_who_may(visitor) -> None:
    words = words_of(visitor("ole", Role.OFFICER).get("/open", status=403))
    assert "It is for owner: log out and log in with a token of such a user" in words
