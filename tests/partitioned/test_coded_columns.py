"""Values are counted and coded by themselves, whatever their hashes are."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.backends.stream import StreamBackend
from shoal.errors import DataError
from shoal.partitioned import column_values
from shoal.partitioned.coded_columns import coded, encode_batches
from shoal.partitioned.column_values import values_of_columns


@dataclass(frozen=True)
class _File:
    frame: pl.DataFrame
    name: str = "people"

    @property
    def rows(self) -> int:
        return self.frame.height

    @property
    def scan(self) -> pl.LazyFrame:
        return self.frame.lazy()

    def batches(self, *columns: str) -> Iterator[pl.DataFrame]:
        yield from self.frame.select(columns).iter_slices(4)


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StreamBackend]:
    folder: Path = tmp_path_factory.mktemp("backend") / "spill"
    with StreamBackend(folder, 2_000) as backend:
        yield backend


_columns = st.one_of(
    st.lists(st.sampled_from(["a", "b", "", "a long text beyond twelve letters", None]), min_size=1).map(
        lambda values: pl.Series(values, dtype=pl.String)
    ),
    st.lists(st.one_of(st.none(), st.integers(-5, 5)), min_size=1).map(lambda v: pl.Series(v, dtype=pl.Int16)),
    st.lists(st.sampled_from([0.5, -0.0, 0.0, 7.0, None]), min_size=1).map(lambda v: pl.Series(v, dtype=pl.Float64)),
    st.lists(st.booleans(), min_size=1).map(pl.Series),
    st.lists(st.sampled_from(["x", "y"]), min_size=1).map(lambda v: pl.Series(v, dtype=pl.Categorical)),
)


@pytest.mark.parametrize("hashes", ["own", "colliding"])
@pytest.mark.parametrize("few", [1 << 14, 2])
@settings(max_examples=40, deadline=None)
@given(values=_columns)
def test_each_value_is_counted_and_has_one_code(backend, hashes, few, values) -> None:
    file = _File(values.to_frame("v"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(column_values, "_FEW", few)
        if hashes == "colliding":
            patch.setattr(pl.Series, "hash", lambda self: pl.Series(np.zeros(len(self), np.uint64)))
        found = values_of_columns(backend, file, ["v"])["v"]
        coding = coded("v", "c", found["value"], np.arange(found.height), found.height)
        codes = encode_batches(backend, backend.scan(file, "v"), [coding]).collect("encoding")["c"]
    expected = Counter(values.to_list())
    assert dict(found.iter_rows()) == expected
    assert found.height == len(expected)
    decoded = [found["value"][code] for code in codes]
    assert Counter(decoded) == expected
    assert decoded == values.to_list()


def test_a_value_that_was_not_there_before_is_refused(backend) -> None:
    file = _File(pl.DataFrame({"v": ["a", "b"]}))
    found = values_of_columns(backend, file, ["v"])["v"]
    coding = coded("v", "c", found["value"], np.arange(found.height), found.height)
    changed = replace(file, frame=pl.DataFrame({"v": ["a", "secret"]}))
    with pytest.raises(DataError, match="changed while they were read") as raised:
        encode_batches(backend, backend.scan(changed, "v"), [coding]).collect("encoding")
    assert "secret" not in str(raised.value)
