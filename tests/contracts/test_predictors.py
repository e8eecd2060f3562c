"""Every predictor keeps the laws of predictors."""

import pytest

from shoal.predictors import predictors
from shoal.testing import check_predictor


@pytest.mark.parametrize("predictor", [predictor for cls in predictors for predictor in cls.examples()], ids=str)
def test_every_predictor_keeps_the_laws(predictor):
    check_predictor(predictor)
