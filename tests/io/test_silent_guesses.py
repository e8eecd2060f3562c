"""What could be understood in two ways is refused, not guessed."""

from pathlib import Path

import polars as pl
import pytest

from shoal.errors import DataError
from shoal.io import read
from shoal.io.schemas import RatingsSchema, TableSchema

LONG = RatingsSchema(layout="long", scale=(-5, 5))


def test_a_user_that_is_not_a_number_is_a_missing_user(tmp_path: Path) -> None:
    users = [1.0, float("nan"), float("nan"), 2.0]
    pl.DataFrame({"user": users, "item": ["a", "a", "b", "a"], "rating": [1, 2, 3, 4]}).write_parquet(
        tmp_path / "r.parquet"
    )
    with pytest.raises(DataError, match="2 user ids are empty"):
        read(tmp_path / "r.parquet", LONG)


def test_a_rating_too_large_for_a_signed_number_does_not_become_negative(tmp_path: Path) -> None:
    ratings = pl.Series([2**64 - 1, 2**64 - 2], dtype=pl.UInt64)
    pl.DataFrame({"user": [1, 2], "item": [1, 1], "rating": ratings}).write_parquet(tmp_path / "r.parquet")
    with pytest.raises(DataError, match="2 ratings lie outside the declared scale"):
        read(tmp_path / "r.parquet", LONG)


def test_nan_in_a_column_of_numbers_can_be_declared_as_null(tmp_path: Path) -> None:
    pl.DataFrame({"age": [20.0, float("nan"), 30.0]}).write_parquet(tmp_path / "t.parquet")
    columns = {"age": {"role": "quasi-identifier"}}
    with pytest.raises(DataError, match="NaN or infinite"):
        read(tmp_path / "t.parquet", TableSchema(columns=columns))  # type: ignore[arg-type]
    table = read(tmp_path / "t.parquet", TableSchema(columns=columns, null=("NaN",))).records  # type: ignore[arg-type]
    assert table["age"].values.to_list() == [20.0, None, 30.0]  # type: ignore[index]
