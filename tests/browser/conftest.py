"""One browser for all tests of this folder, and a service with pages for each file."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from browser_world import World, world_of
from browsing import Desktop, Window, chromium
from server_under_test import LIMITS, Live, living
from shoal.server.settings import ServiceSettings
from shoal.server.store import Role
from shoal.workbench import Workbench


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")
            item.add_marker(pytest.mark.xdist_group(_group(item)))


def _group(item: pytest.Item) -> str:
    """Return what runs in one process where there are several: what shares a service, which takes long to fill."""
    return "world" if "world" in getattr(item, "fixturenames", ()) else item.path.stem


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="session")
def world(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Return a service on which everything was done once, with a window for every role."""
    settings = ServiceSettings(folder=tmp_path_factory.mktemp("world"), port=0, limits=LIMITS)
    with (
        living(settings, Workbench()) as live,
        world_of(browser, live, tmp_path_factory.mktemp("data")) as found,
    ):
        yield found


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    settings = ServiceSettings(folder=tmp_path_factory.mktemp("workbench"), port=0, limits=LIMITS)
    with living(settings, Workbench()) as found:
        yield found


@pytest.fixture
def desktop(browser: Browser, live: Live) -> Iterator[Desktop]:
    """Return windows for a test; whatever was noticed in one of them fails it."""
    found = Desktop(browser, live)
    yield found
    found.close()


@pytest.fixture
def window(desktop: Desktop, live: Live) -> Callable[..., Window]:
    """Return how a user opens a window, in a role."""

    def opened(name: str = "ada", role: Role = Role.OWNER, requester: str | None = None, **settings: object) -> Window:
        return desktop.window(live.token(name, role, requester), **settings)  # type: ignore[arg-type]

    return opened
