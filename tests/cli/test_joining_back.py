"""A release does not lead back: no original order, row numbers, ids or times."""

from pathlib import Path

import numpy as np
import polars as pl

from cli.files import write_long, write_survey, write_table


def everything_written(folder: Path) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in folder.iterdir())


def test_no_id_or_dropped_value_of_a_table_is_in_its_release(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path, rows=300)
    assert run("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--out", tmp_path / "o").status == 0
    told = everything_written(tmp_path / "o")
    for column in ("name", "visit"):
        for value in pl.read_csv(data)[column].unique():
            assert value not in told
    assert data.name not in told, "not even the name of the file"


def test_no_user_id_or_time_of_ratings_is_in_their_release(run, tmp_path: Path) -> None:
    for write, ids in ((write_long, ("user", "timestamp")), (write_survey, ("respondent",))):
        data, schema = write(tmp_path)
        out = tmp_path / f"{data.stem}-out"
        asked = ("-m", "k-anonymity:k=2", "--withhold", "20%", "--out", out)
        assert run("publish", data, "--schema", schema, *asked).status == 0
        told = everything_written(out)
        for column in ids:
            assert not any(str(value) in told for value in pl.read_csv(data)[column].unique())


def test_the_order_of_a_release_tells_nothing_of_the_original_order(run, tmp_path: Path) -> None:
    rows = 2000
    data, schema = tmp_path / "d.csv", tmp_path / "s.toml"
    # the sensitive column counts up with the rows, so any trace of the order would show as a correlation
    lines = [f"{i % 7},{i // 20}" for i in range(rows)]
    data.write_text("q,s\n" + "\n".join(lines) + "\n", encoding="utf-8")
    schema.write_text('kind="table"\n[columns.q]\nrole="quasi-identifier"\n[columns.s]\nrole="sensitive"\n', "utf-8")
    correlations = []
    for name in "abc":
        assert run("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--out", tmp_path / name).status == 0
        published = pl.read_csv(tmp_path / name / "data.csv")
        orders = (np.arange(rows), published["record"].rank().to_numpy())
        correlations += [np.corrcoef(order, published["s"].to_numpy())[0, 1] for order in orders]
    assert np.abs(correlations).max() < 5 / np.sqrt(rows)


def test_two_releases_of_the_same_data_share_no_pseudonym(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path, rows=300)
    names = []
    for out in ("a", "b"):
        assert run("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--out", tmp_path / out).status == 0
        names.append(set(pl.read_csv(tmp_path / out / "data.csv")["record"]))
    assert len(names[0]) == len(names[1]) == 300
    assert not names[0] & names[1]
