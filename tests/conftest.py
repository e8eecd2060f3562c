"""Fixtures every test may use."""

import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# signals are as at a start by hand, whatever the tests were started with: in the background, a shell ignores some
signal.signal(signal.SIGINT, signal.default_int_handler)
for _number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(_number, signal.SIG_DFL)

# enough to see most faults each time; pytest --hypothesis-profile=thorough looks closer before a release
settings.register_profile("shoal", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", max_examples=1000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shoal")


@pytest.fixture
def shared_data() -> Path:
    """The folder of real data sets beside the project; tests that need it are skipped where it is missing."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real data sets are not beside this checkout")
    return folder
