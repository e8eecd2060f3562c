"""A user's own predictor works like ours, and its factors are checked."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from shoal.data import RatingMatrix, Scale, Vocabulary
from shoal.errors import DataError
from shoal.predictors import Factors, Predictor
from shoal.randomness import Randomness

FIVE = Scale.of(1, 5)
MATRIX = RatingMatrix.from_dense(Vocabulary.numbered(2), np.array([[0, 4], [-1, 2], [3, -1]]))


@dataclass(frozen=True)
class Always(Predictor):
    """Predicts the same for everybody."""

    name: ClassVar[str] = "always"
    code: float = 2.0
    users: int = 3

    def _fit(self, matrix: RatingMatrix, scale: Scale, randomness: Randomness) -> Factors:
        shape = (len(matrix.items), 1)
        return Factors(np.full((self.users, 1), self.code, np.float32), np.ones(shape, np.float32), scale.points)


def test_a_predictor_of_ones_own_can_be_fitted() -> None:
    factors = Always().fit(MATRIX, FIVE, Randomness(1))
    assert factors.predict(np.array([0, 2, 1]), np.array([1, 0, 0])).tolist() == [2.0, 2.0, 2.0]
    assert str(Always()) == "always:code=2.0,users=3"


@pytest.mark.parametrize("code", [np.nan, np.inf])
def test_factors_that_are_no_numbers_are_refused(code: float) -> None:
    with pytest.raises(DataError, match="always"):
        Always(code).fit(MATRIX, FIVE, Randomness(1))


def test_factors_for_other_users_than_there_are_do_not_pass() -> None:
    with pytest.raises(AssertionError, match="every user"):
        Always(users=2).fit(MATRIX, FIVE, Randomness(1))


def test_predictions_are_kept_to_the_scale() -> None:
    factors = Factors(np.array([[-1], [2], [9]], np.float32), np.ones((1, 1), np.float32), 5)
    assert factors.predict(np.arange(3), np.zeros(3, np.int32)).tolist() == [0.0, 2.0, 4.0]


def test_factors_cannot_be_changed_and_show_no_value() -> None:
    factors = Factors(np.full((3, 2), 0.125, np.float32), np.ones((4, 2), np.float32), 5)
    with pytest.raises(ValueError, match="read-only"):
        factors.users[0, 0] = 1
    assert repr(factors) == "Factors(3 users × 4 items, 2 wide)"


def test_the_predictor_that_the_page_shows_works() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "predictors.md").read_text(encoding="utf-8")
    shown: dict[str, Any] = {"__name__": "shown"}
    exec(re.findall(r"```python\n(.+?)```", page, flags=re.DOTALL)[1], shown)
    factors = shown["ItemMeans"]().fit(MATRIX, FIVE, Randomness(1))
    assert (factors.users @ factors.items.T).tolist() == [[1.5, 3.0]] * 3
