"""Whatever is promised on ratings, a method keeps it or the road refuses."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from shoal import road
from shoal.anonymizers import Anonymizer, Graph, methods
from shoal.data import Ratings
from shoal.errors import GuaranteeError, InputError
from shoal.models import promises
from shoal.testing.strategies import ratings
from surveys import ACCEPTED

METHODS: list[Anonymizer] = [cls() for cls in methods if "ratings" in cls.kinds]


@st.composite
def wordings(draw: st.DrawFn) -> str:
    """Draw any promise that can be made on ratings."""
    k = draw(st.integers(2, 4))
    if draw(st.booleans()):
        return f"k-anonymity:k={k}"
    epsilon = draw(st.sampled_from(["0", "0.3", "1", "2", "4", "30"]))
    semantics = draw(st.sampled_from(["neighborhood", "partition"]))
    spread = draw(st.sampled_from(["", ",l=0.5", ",l=1,spread=over-all,all_null=accept"]))
    return f"k-epsilon:k={k},epsilon={epsilon},semantics={semantics}{spread}"


@pytest.mark.parametrize("method", [*METHODS, Graph(strategy="centroid")], ids=str)
@settings(max_examples=60)
@given(
    data=ratings(min_records=2, max_records=8),
    asked=st.lists(wordings(), min_size=1, max_size=2, unique=True),
    share=st.sampled_from([Fraction(0), Fraction(1, 3)]),
)
def test_a_promise_is_kept_or_nothing_is_published(method, data: Ratings, asked: list[str], share: Fraction):
    models = [promises.read(wording) for wording in asked]
    try:
        release, ledger = road.publish(data, models, method, withhold=share, accept=ACCEPTED)
    except (GuaranteeError, InputError):
        return
    assert isinstance(release.records, Ratings)
    published = release.records if ledger.places is None else release.records.of_each(ledger.places)
    assert all(oracles.holds(published, model) for model in models)
