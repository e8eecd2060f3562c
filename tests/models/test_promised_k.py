"""Which k a release is said to promise."""

import pytest

from shoal.models import promised_k, promises


@pytest.mark.parametrize(
    ("said", "k"),
    [
        ([], None),
        (["l-diversity:l=2"], None),
        (["l-diversity:l=2", "k-anonymity:k=5"], 5),
        (["k-anonymity:k=5", "k-anonymity:k=3"], 5),
        (["k-anonymity:k=5", "k-epsilon:k=3,epsilon=1"], 3),
        (["p-sensitive:p=2,k=4", "k-anonymity:k=5"], 5),
        (["p-sensitive:p=2", "p-sensitive:p=2,k=4"], 4),
    ],
)
def test_the_k_of_k_epsilon_comes_first_then_that_of_k_anonymity(said: list[str], k: int | None) -> None:
    assert promised_k(promises.read(each) for each in said) == k
