"""``shoal lattice --every``: a file of all nodes."""

import json
import math

import polars as pl
import pytest

from cli.files import write_table
from shoal.jobs import lattice_nodes as job


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_nodes_are_written_in_blocks_and_replaced_only_if_asked(run, tmp_path, monkeypatch, suffix) -> None:
    monkeypatch.setattr(job, "_BLOCK", 3)
    data, schema = write_table(tmp_path)
    file = tmp_path / f"nodes.{suffix}"
    asked = ("lattice", data, "--schema", schema, "--every", "--out", file)
    ran = run(*asked, "--json")
    assert ran.status == 0, ran.err
    told = json.loads(ran.out)
    table = pl.read_csv(file) if suffix == "csv" else pl.read_parquet(file)
    assert table.height == told["nodes"] == math.prod(height + 1 for height in told["heights"])
    levels = [f"level of {name}" for name in told["attributes"]]
    assert table.columns == [*levels, "groups", "k", "l of disease", "entropy l of disease", "entropy"]
    assert table.equals(table.sort(levels))
    assert table["entropy"][-1] == 0
    assert run(*asked).status == 2
    ran = run(*asked, "--force")
    assert ran.out == f"Wrote {told['nodes']} nodes to {file}\n"


def test_a_node_has_the_k_that_a_release_reaches(run, tmp_path) -> None:
    data, schema = write_table(tmp_path)
    nodes = tmp_path / "nodes.csv"
    run("lattice", data, "--schema", schema, "--every", "--out", nodes)
    best = json.loads(run("lattice", data, "--schema", schema, "-m", "k-anonymity:k=5", "--json").out)["best"]["node"]
    table = pl.read_csv(nodes)
    (row,) = table.filter(level_of_age := pl.col("level of age") == best[0], pl.col("level of zip") == best[1]).rows()
    assert row[3] >= 5
    lower = table.filter(level_of_age, pl.col("level of zip") < best[1])
    assert (lower["k"] <= row[3]).all()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--every",), "Add --out FILE"),
        (("--every", "--out", "n.csv", "-m", "k-anonymity:k=5"), "whatever it keeps"),
        (("--every", "--out", "n.csv", "--minimal"), "whatever it keeps"),
        (("--every", "--out", "n.txt"), "does not say which format"),
    ],
)
def test_what_means_nothing_is_refused(run, tmp_path, asked, said) -> None:
    data, schema = write_table(tmp_path)
    ran = run("lattice", data, "--schema", schema, *asked)
    assert ran.status == 2
    assert said in ran.err
