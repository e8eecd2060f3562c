"""Users and tokens through the page: let in, shown once, rotated, revoked, closed; nobody shuts themselves out."""

import re

import httpx
import pytest

from shoal.server.store import Role
from workbench.conftest import Visitor


def _token(page: str) -> str:
    (found,) = re.findall(r'id="token-text">([^<]+)<', page)
    return found


def _is_good(live, token: str) -> bool:
    return httpx.get(f"{live.address}/api/v1/version", headers={"authorization": f"Bearer {token}"}).status_code == 200


@pytest.fixture(scope="module")
def ada(visitor) -> Visitor:
    return visitor("ada")


def test_a_user_is_let_in_with_a_token_that_is_shown_once(live, ada) -> None:
    token = _token(ada.post("/desk/users", {"name": "ole", "role": "officer", "days": "7"}))
    assert token not in ada.get("/desk/users")
    came = Visitor(live, token)
    assert "ole (officer)" in came.get("/desk")
    came.http.close()


def test_tokens_are_rotated_and_revoked(live, ada) -> None:
    first = _token(ada.post("/desk/users", {"name": "rotated", "role": "auditor"}))
    id_ = next(each.id for each in live.service.users.tokens() if each.user == "rotated")
    assert f'value="{id_}"' in ada.get("/desk/users")
    second = _token(ada.post("/desk/tokens/rotate", {"token": id_}))
    assert (_known(live, first), _known(live, second)) == (False, True)
    third = _token(ada.post("/desk/tokens", {"user": "rotated", "days": "1"}))
    new = [each.id for each in live.service.users.tokens() if each.user == "rotated" and each.revoked is None]
    for each in new:
        ada.post("/desk/tokens/revoke", {"token": each})
    assert not _known(live, second)
    assert not _known(live, third)


def _known(live, token: str) -> bool:
    return live.service.users.known_by_token(token) is not None


def test_a_user_who_is_closed_is_let_in_no_more(live, ada) -> None:
    token = _token(ada.post("/desk/users", {"name": "leaving", "role": "auditor"}))
    came = Visitor(live, token)
    came.get("/desk/audit")
    assert "closed" in ada.post("/desk/users/close", {"name": "leaving"})
    assert came.http.get("/desk", follow_redirects=False).status_code == 303
    assert not _known(live, token)
    came.http.close()


_WRONG = [
    ("/desk/users", {}),
    ("/desk/users", {"name": "x", "role": "king"}),
    ("/desk/users", {"name": "x", "role": "requester"}),
    ("/desk/users", {"name": "x", "role": "requester", "requester": "nobody"}),
    ("/desk/users", {"name": "x", "role": "officer", "days": "0"}),
    ("/desk/users", {"name": "x", "role": "officer", "days": "soon"}),
    ("/desk/users", {"name": "ada", "role": "officer"}),
    ("/desk/users/close", {"name": "ada"}),
    ("/desk/users/close", {"name": "nobody"}),
    ("/desk/tokens", {"user": "nobody"}),
    ("/desk/tokens", {"user": "ada", "days": "9999"}),
    ("/desk/tokens/rotate", {"token": "0" * 16}),
    ("/desk/tokens/revoke", {"token": "0" * 16}),
]


@pytest.mark.parametrize(("path", "fields"), _WRONG)
def test_what_cannot_be_done_is_told_and_lets_nobody_in(path, fields, live, ada) -> None:
    before = (live.service.users.all(), len(live.service.users.tokens()))
    page = ada.post(path, fields, status=400)
    assert 'role="alert"' in page
    assert (live.service.users.all(), len(live.service.users.tokens())) == before


def test_nobody_shuts_themselves_out(live, ada) -> None:
    own = next(each.id for each in live.service.users.tokens() if each.user == "ada" and each.revoked is None)
    for path in ("/desk/tokens/revoke", "/desk/tokens/rotate"):
        assert "shut yourself out" in ada.post(path, {"token": own}, status=400)
    ada.get("/desk/users")
    assert Role.OWNER in {each.role for each in live.service.users.all()}
