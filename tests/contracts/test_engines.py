"""Every engine computes the numbers of the definitions."""

import pytest

from shoal.engines import Engine, LocalEngine
from shoal.testing import check_engine

ENGINES = [
    LocalEngine(),
    LocalEngine(block=3),
    LocalEngine(block=1),
    LocalEngine(search="slicing"),
    LocalEngine(search="pairwise"),
]


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_every_engine_keeps_the_laws(engine):
    check_engine(engine)


def test_the_local_engine_is_an_engine():
    assert isinstance(LocalEngine(), Engine)
