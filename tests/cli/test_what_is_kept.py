"""What a release kept and lost cannot be missed, and nothing is not published for something."""

import json
from pathlib import Path

import pytest

from cli.files import write_survey, write_table

FULL = {"ratings_kept", "cells_kept", "loss", "original_and_unique", "group_sizes", "kept", "warnings"}


def write_sparse(folder: Path, users: int = 30) -> Path:
    """Write ratings of people no two of whom rated the same."""
    lines = ["user,item,rating"]
    for user in range(users):
        lines += [f"u{user},film-{item},{1 + (user + item) % 5}" for item in (3 * user, 3 * user + 1, 3 * user + 2)]
    (folder / "sparse.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "sparse.csv"


def test_a_release_of_ratings_says_what_it_kept_and_lost(run, tmp_path: Path) -> None:
    data, schema = write_survey(tmp_path)
    command = ("publish", data, "--schema", schema, "-m", "k-anonymity:k=3", "--out", tmp_path / "out", "--seed", 1)
    published = json.loads(run(*command, "--ledger", tmp_path / "ledger", "--json").out)
    assert published.keys() >= FULL
    report = json.loads((tmp_path / "ledger" / "report.json").read_text(encoding="utf-8"))
    given = sum(len(line.split(",")[1:4]) - line.split(",")[1:4].count("") for line in data.read_text().split()[1:])
    assert (
        published["ratings_kept"] == pytest.approx(1 - published["ratings_dropped"] / given) == report["ratings kept"]
    )
    assert published["cells_kept"] == pytest.approx(published["ratings_kept"] - published["cells_changed"] / given)
    assert (published["loss"], published["original_and_unique"]) == (report["rating loss"], 0)
    assert sum(int(size) * groups for size, groups in published["group_sizes"].items()) == 40
    assert sum(published["group_sizes"].values()) == published["groups"]
    assert min(map(int, published["group_sizes"])) >= 3
    assert f"{published['ratings_invented']} invented" in published["kept"]
    ran = run(*command, "--force", "--secret", tmp_path / "ledger" / "secret.txt")
    assert published["kept"] in ran.out.splitlines()
    assert "0 % of published records are exactly original and unique" in ran.out


def test_a_release_of_a_table_says_what_it_kept_and_lost(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    published = json.loads(
        run("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--out", tmp_path / "out", "--json").out
    )
    assert published.keys() >= FULL
    assert published["ratings_kept"] is None
    assert published["cells_kept"] == pytest.approx(1 - published["cells_changed"] / 120)
    assert 0 < published["loss"] < 1
    assert published["kept"].startswith(
        f"{100 * published['cells_kept']:.0f} % of quasi-identifier cells unchanged, generalization loss"
    )


def test_warnings_are_printed_from_a_share_on_that_can_be_set(run, tmp_path: Path) -> None:
    data, schema = write_survey(tmp_path)
    command = ("publish", data, "--schema", schema, "-m", "k-epsilon:k=2,epsilon=1", "--method", "none", "--force")
    quiet = run(*command, "--out", tmp_path / "out", "--json")
    assert (quiet.status, quiet.err, json.loads(quiet.out)["warnings"]) == (0, "", [])
    with_one = data.read_text(encoding="utf-8") + "resp-1,1,1,1,1\nresp-2,2,1,1,1\n"
    data.write_text(with_one, encoding="utf-8")
    loud = run(*command, "--out", tmp_path / "out", "--warn-unique", "1%", "--json")
    published = json.loads(loud.out)
    assert published["original_and_unique"] == pytest.approx(2 / 42)
    assert len(published["warnings"]) == 1
    assert loud.err == f"Warning: {published['warnings'][0]}\n"
    assert "exactly original and unique" in loud.err
    plain = run(*command, "--out", tmp_path / "out", "--warn-unique", "0.01", "--warn-below", "100%")
    assert "Warning: 5 % of the published records" in plain.err
    assert run(*command, "--out", tmp_path / "out", "--warn-below", "half").status == 2
    assert run(*command, "--out", tmp_path / "out", "--warn-below", "120%").status == 2


def test_little_that_is_left_is_warned_of(run, tmp_path: Path) -> None:
    data = write_sparse(tmp_path)
    data.write_text(data.read_text(encoding="utf-8") + "".join(f"u{user},hit,3\n" for user in range(30)))
    command = ("publish", data, "-m", "k-anonymity:k=5", "--method", "align", "--out", tmp_path / "out")
    ran = run(*command)
    assert ran.status == 0
    assert "% of ratings kept (" in ran.out
    assert "Warning: Less than 50 % of the ratings are left" in ran.err
    assert run(*command, "--force", "--warn-below", "1%").err == ""
    (tmp_path / "plan.toml").write_text(
        'data = "sparse.csv"\nmodels = ["k-anonymity:k=5"]\nmethod = "align"\nout = "o"\nwarn_below = 0.01\n',
        encoding="utf-8",
    )
    assert run("publish", "--plan", tmp_path / "plan.toml").err == ""


@pytest.mark.parametrize("method", ["greedy-interval", "align"])
def test_empty_records_are_refused_unless_they_are_accepted(run, tmp_path: Path, method: str) -> None:
    data = write_sparse(tmp_path)
    command = ("publish", data, "-m", "k-epsilon:k=5,epsilon=1", "--method", method, "--out", tmp_path / "out")
    ran = run(*command)
    assert ran.status == 3
    assert "Nothing would be left" in ran.err
    assert "--accept empty" in ran.err
    assert not (tmp_path / "out").exists()
    ran = run(*command, "--accept", "empty")
    assert ran.status == 0
    assert "0 % of ratings kept (0 of them changed), 90 dropped, 0 invented" in ran.out
    assert json.loads((tmp_path / "out" / "certificate.json").read_text(encoding="utf-8"))["accepted"] == ["empty"]
    verified = run("verify", tmp_path / "out")
    assert verified.status == 0
    assert "the promises hold because the records are empty" in verified.out
    assert json.loads(run("verify", tmp_path / "out", "--json").out)["notes"]


def test_a_table_of_which_nothing_is_left_is_refused_unless_it_is_accepted(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    schema.write_text(
        schema.read_text(encoding="utf-8")
        .replace(
            '[columns.age]\nrole = "quasi-identifier"',
            '[columns.age]\nrole = "quasi-identifier"\nhierarchy = { kind = "interval", widths = [5, 10] }',
        )
        .replace(
            '[columns.zip]\nrole = "quasi-identifier"\nhierarchy = { kind = "mask" }', '[columns.zip]\nrole = "drop"'
        ),
        encoding="utf-8",
    )
    command = ("publish", data, "--schema", schema, "-m", "k-anonymity:k=60", "--method", "lattice")
    ran = run(*command, "--out", tmp_path / "out")
    assert ran.status == 3
    assert "--accept empty" in ran.err
    ran = run(*command, "--out", tmp_path / "out", "--accept", "empty")
    assert ran.status == 0
    assert "0 % of quasi-identifier cells unchanged, generalization loss 100 %" in ran.out
    assert "the loss is 100 %" in ran.err
    assert "has one value for all records" in run("verify", tmp_path / "out").out


def test_predictions_are_not_called_kept_ratings(run, tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    cells = [(user, item) for user in range(30) for item in range(6) if (user + item) % 4]
    lines = [f"u{user},i{item},{1 + (user * item) % 5}" for user, item in cells]
    data.write_text("\n".join(["user,item,rating", *lines]) + "\n", encoding="utf-8")
    ran = run("publish", data, "-m", "k-anonymity:k=5", "--method", "predictive", "--out", tmp_path / "out", "--json")
    published = json.loads(ran.out)
    assert (published["ratings_kept"], published["cells_kept"]) == (0, 0)
    assert published["kept"].startswith("No rating kept: predictions replace ")
    assert 0 <= published["loss"] <= 1


def test_a_sweep_says_what_is_kept_at_every_point(run, tmp_path: Path) -> None:
    data = write_sparse(tmp_path)
    data.write_text(data.read_text(encoding="utf-8") + "".join(f"u{user},hit,3\n" for user in range(30)))
    ask = ("sweep", data, "--k", "5", "--epsilon", "1", "--method", "align", "--jobs", "1", "--seed", "1")
    ran = run(*ask, "--out", tmp_path / "sweep")
    assert "ratings kept, share" in ran.out
    assert "original and unique, share" in ran.out
    assert "Less than 50 % of the ratings are left" in ran.err
    published = run(*ask, "--out", tmp_path / "sweep", "--json")
    (warning,) = json.loads(published.out)["warnings"]
    assert warning.startswith("align:")
    assert published.err == f"Warning: {warning}\n"
    assert run(*ask, "--out", tmp_path / "sweep", "--warn-below", "1%").err == ""
    points = json.loads(published.out)["points"]
    assert f"{100 * points[0]['measures']['ratings kept']:.0f} %" in ran.out
    data = write_sparse(tmp_path)
    assert "nothing left" in run(*ask[:1], data, *ask[2:], "--out", tmp_path / "other").out


def test_the_report_says_it_too(run, tmp_path: Path) -> None:
    data, schema = write_survey(tmp_path)
    command = ("publish", data, "--schema", schema, "-m", "k-anonymity:k=3", "--out", tmp_path / "out", "--seed", 1)
    published = json.loads(run(*command, "--ledger", tmp_path / "ledger", "--json").out)
    page = tmp_path / "report.html"
    report = ("report", tmp_path / "out", "--ledger", tmp_path / "ledger", "--out", page, "--attack", "exact-knowledge")
    assert run(*report).status == 0
    assert published["kept"] in page.read_text(encoding="utf-8")
    assert "exactly original and unique" in page.read_text(encoding="utf-8")
