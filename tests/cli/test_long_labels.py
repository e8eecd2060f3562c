"""A column of many words does not make a release many times the size of the data."""

from pathlib import Path

import polars as pl

from shoal.io import read
from shoal.io.schemas import read_schema
from shoal.testing.check_anonymizer import covers

SCHEMA = """
kind = "table"
[columns.city]
role = "quasi-identifier"
[columns.age]
role = "quasi-identifier"
"""


def test_a_stretch_of_many_words_is_told_by_its_ends(run, tmp_path: Path) -> None:
    lines = [f"town {i * 7919 % 1000:04d},{i * 31 % 90}" for i in range(1000)]
    lines += [f",{age}" for age in range(0, 90, 9)]
    (tmp_path / "d.csv").write_text("city,age\n" + "\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "s.toml").write_text(SCHEMA, encoding="utf-8")
    asked = (tmp_path / "d.csv", "--schema", tmp_path / "s.toml", "-m", "k-anonymity:k=20")
    ran = run("publish", *asked, "--out", tmp_path / "o", "--ledger", tmp_path / "l")
    assert ran.status == 0, ran.err
    assert (tmp_path / "o" / "data.csv").stat().st_size < 5 * (tmp_path / "d.csv").stat().st_size
    original = read(tmp_path / "d.csv", read_schema(tmp_path / "s.toml")).records
    published = pl.read_csv(tmp_path / "o" / "data.csv", infer_schema=False)
    rows = pl.read_parquet(tmp_path / "l" / "links.parquet")
    column = original["city"]  # type: ignore[index]
    row_of = dict(zip(rows["pseudonym"], rows["row"], strict=True))
    assert published["city"].str.contains(" … ", literal=True).any()
    assert published["city"].str.starts_with("missing | ").any()
    for name, label in zip(published["record"], published["city"], strict=True):
        assert covers(label, column, int(column.codes[row_of[name]]))
