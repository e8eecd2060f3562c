"""Services of the tests: one that a file of tests shares, and services of one's own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from server_under_test import LIMITS, Live, living
from shoal.server.settings import ServiceSettings


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """Return a service that the tests of a file share."""
    with living(ServiceSettings(folder=tmp_path_factory.mktemp("service"), port=0, limits=LIMITS)) as found:
        yield found


@pytest.fixture
def new_service(tmp_path: Path) -> Iterator[Callable[..., Live]]:
    """Return how to start a service of one's own; the same folder is used each time."""
    with ExitStack() as stack:

        def start(**changed: object) -> Live:
            settings = ServiceSettings(folder=tmp_path / "service", port=0, limits=LIMITS)
            return stack.enter_context(living(replace(settings, **changed)))  # type: ignore[arg-type]

        yield start
