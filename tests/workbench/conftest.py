"""Services with pages, and visitors who look at them."""

import re
from collections.abc import Callable, Iterator, Mapping
from html import unescape

import httpx
import pytest

from server_under_test import LIMITS, Live, living
from shoal.server.settings import ServiceSettings
from shoal.server.store import Role
from shoal.workbench import Workbench


class Visitor:
    """A browser without scripts: it follows redirects, keeps its cookie, and sends the forms of pages."""

    def __init__(self, live: Live, token: str) -> None:
        self.live = live
        self.http = httpx.Client(base_url=live.address, follow_redirects=True, timeout=60)
        self.http.post("/login", data={"token": token})

    def get(self, path: str, status: int = 200) -> str:
        """Return the text of a page."""
        answer = self.http.get(path)
        assert answer.status_code == status, (path, answer.status_code, answer.text[-800:])
        return answer.text

    def post(self, path: str, fields: Mapping[str, object] | None = None, status: int = 200, **more: object) -> str:
        """Send a form with its token, and return the page that follows."""
        data = {"form_token": self.form_token, **(fields or {})}
        answer = self.http.post(path, data=data, **more)  # type: ignore[arg-type]
        assert answer.status_code == status, (path, answer.status_code, answer.text[-800:])
        return answer.text

    @property
    def form_token(self) -> str:
        """The token that every form of this visitor carries."""
        found = re.search(r'data-form-token="([0-9a-f]*)"', self.http.get("/login").text)
        session = self.http.get("/api/v1/session").json()
        return session.get("form_token") or (found[1] if found else "")

    def finished(self, path: str) -> str:
        """Return a page once what it shows has been computed."""
        for _ in range(100):
            text = self.get(path)
            job = re.search(r'data-job="([0-9a-f]{24})"', text)
            if job is None:
                return text
            self.http.get(f"/api/v1/jobs/{job[1]}", params={"wait": 30})
        raise AssertionError(f"{path} is never finished")


def words_of(page: str) -> str:
    """Return the text of a page without its tags."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", page)))


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """Return a service with pages that the tests of a file share."""
    settings = ServiceSettings(folder=tmp_path_factory.mktemp("workbench"), port=0, limits=LIMITS)
    with living(settings, Workbench()) as found:
        yield found


@pytest.fixture(scope="module")
def visitor(live: Live) -> Iterator[Callable[..., Visitor]]:
    """Return how somebody comes in, in a role."""
    opened: list[Visitor] = []

    def come(name: str = "ada", role: Role = Role.OWNER, requester: str | None = None) -> Visitor:
        desk = live.service.books.desk()
        if requester is not None and requester not in {each["requester"] for each in desk.book("requesters")}:
            desk.set_requester(requester, 0.5)
        opened.append(Visitor(live, live.token(name, role, requester)))
        return opened[-1]

    yield come
    for each in opened:
        each.http.close()


@pytest.fixture
def coming() -> Iterator[Callable[[Live], Visitor]]:
    """Return how an owner comes to a service that a test has made for itself."""
    opened: list[Visitor] = []

    def come(live: Live) -> Visitor:
        opened.append(Visitor(live, live.token("ada", Role.OWNER)))
        return opened[-1]

    yield come
    for each in opened:
        each.http.close()
