"""Every engine gives the numbers of the definitions."""

import pytest

from shoal.engines import Engine, LocalEngine
from shoal.testing import check_engine


@pytest.mark.parametrize("engine", [LocalEngine(), LocalEngine(block=3), LocalEngine(block=1)], ids=str)
def test_every_engine_keeps_the_laws(engine):
    check_engine(engine)


def test_the_local_engine_is_an_engine():
    assert isinstance(LocalEngine(), Engine)
