"""Complete profiles as Parquet: every reader finds each line as it would be in a frame."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.io.formats.parquet.delta_packed import delta_packed
from shoal.io.formats.parquet.profiles import CompleteProfiles, write_profiles

NUMBERS = st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=400)
ITEMS = st.one_of(
    st.lists(st.text("aé ,\n", max_size=4), min_size=1, max_size=20, unique=True).map(lambda each: pl.Series(each)),
    st.lists(st.integers(-100, 100), min_size=1, max_size=200, unique=True).map(
        lambda each: pl.Series(each, dtype=pl.Int8)
    ),
    st.lists(st.integers(-(2**31), 2**31 - 1), min_size=1, max_size=20, unique=True).map(
        lambda each: pl.Series(each, dtype=pl.Int32)
    ),
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=20, unique=True).map(
        lambda each: pl.Series(each, dtype=pl.Int64)
    ),
    st.integers(1, 400).map(lambda n: pl.Series(np.arange(n) * 3, dtype=pl.Int16)),
)


def drawn(seed: int, n: int, items: pl.Series, points: pl.Series) -> tuple[CompleteProfiles, pl.DataFrame]:
    """Return profiles with drawn codes, and the frame that they are."""
    dtype = np.uint8 if len(points) <= 256 else np.uint16
    codes = np.random.default_rng(seed).integers(0, len(points), (n, len(items))).astype(dtype)
    ids = pl.Series("user", [f"r{i}é" for i in range(n)])
    profiles = CompleteProfiles(ids, items.rename("item"), points.rename("rating"), codes)
    users, places = np.repeat(np.arange(n), len(items)), np.tile(np.arange(len(items)), n)
    frame = [ids.gather(users), profiles.items.gather(places), profiles.points.gather(codes.ravel())]
    return profiles, pl.DataFrame(frame)


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32), n=st.integers(1, 30), items=ITEMS, points=st.sampled_from([1, 5, 256, 257, 700]))
def test_lines_are_read_as_they_would_be_in_a_frame(tmp_path_factory, seed, n, items, points) -> None:
    path, written = tmp_path_factory.mktemp("profiles") / "data.parquet", []
    profiles, frame = drawn(seed, n, items, pl.Series(np.arange(points) / 4))
    assert profiles.can_be_written
    write_profiles(profiles, path, written.append)
    found = pl.read_parquet(path)
    assert found.schema == frame.schema
    assert found.equals(frame)
    assert sum(written) == n


@pytest.mark.parametrize("n_items", [100_000, 700_000, 1_100_000])
@pytest.mark.parametrize("kind", [pl.Int32, pl.String])
def test_profiles_of_several_row_groups_are_read_by_others_too(tmp_path: Path, n_items: int, kind) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    items = pl.Series(np.arange(n_items) + 7).cast(kind)
    profiles, frame = drawn(1, 21 if n_items < 200_000 else 3, items, pl.Series([1, 2, 5], dtype=pl.Int8))
    path = tmp_path / "data.parquet"
    write_profiles(profiles, path, lambda _: None)
    assert parquet.ParquetFile(path).metadata.num_row_groups == 3
    assert pl.read_parquet(path).equals(frame)
    assert pl.DataFrame(pl.from_arrow(parquet.read_table(path))).equals(frame)
    duckdb = pytest.importorskip("duckdb")
    read = duckdb.sql(
        f"select count(*), sum(item::bigint), sum(rating), count(distinct user) from '{path}'"
    ).fetchall()[0]
    assert read == (frame.height, frame["item"].cast(pl.Int64).sum(), frame["rating"].sum(), len(profiles.ids))


def test_what_cannot_be_written_says_so() -> None:
    profiles, _ = drawn(1, 2, pl.Series([1, 2]), pl.Series([1.0, 2.0]))
    assert profiles.can_be_written
    dates = pl.Series("item", [1, 2]).cast(pl.Date)
    missing = pl.Series("item", [1, None])
    for items in (dates, missing):
        assert not CompleteProfiles(profiles.ids, items, profiles.points, profiles.codes).can_be_written
    assert not CompleteProfiles(
        profiles.ids.head(0), profiles.items, profiles.points, profiles.codes[:0]
    ).can_be_written


def unpacked(data: bytes) -> list[int]:
    """Read numbers packed by their differences, bit by bit."""
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            value |= (data[at] & 127) << shift
            shift, at = shift + 7, at + 1
            if data[at - 1] < 128:
                return value

    def zigzag() -> int:
        value = varint()
        return value // 2 if value % 2 == 0 else -(value // 2) - 1

    block, parts, n, found = varint(), varint(), varint(), [zigzag()]
    while len(found) < n:
        lowest = zigzag()
        widths = data[at : at + parts]
        at += parts
        for width in widths:
            size = block // parts
            bits = int.from_bytes(data[at : at + size * width // 8], "little")
            at += size * width // 8
            for i in range(size):
                if len(found) < n:
                    found.append(found[-1] + lowest + (bits >> (i * width) & ((1 << width) - 1)))
    assert at == len(data)
    return found


@given(NUMBERS)
def test_numbers_packed_by_their_differences_are_read_back(numbers) -> None:
    assert unpacked(delta_packed(np.array(numbers, np.int64))) == numbers
