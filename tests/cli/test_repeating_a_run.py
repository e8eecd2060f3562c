"""A run can be repeated by its owner, from the plan and the secret in its ledger, and by nobody with the seed alone."""

import json
from pathlib import Path

import pytest

from cli.files import write_survey, write_table


def test_the_plan_in_a_ledger_means_the_same_from_any_folder(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "elsewhere").mkdir()
    write_table(tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    asked = (
        "people.csv",
        "--schema",
        "people.toml",
        "-m",
        "k-anonymity:k=5",
        "--out",
        "o",
        "--ledger",
        "l",
        "--seed",
        3,
    )
    assert run("publish", *asked).status == 0
    first = (tmp_path / "here" / "o" / "data.csv").read_bytes()
    monkeypatch.chdir(tmp_path / "elsewhere")
    ran = run("publish", "--plan", tmp_path / "here" / "l" / "plan.toml", "--force")
    assert ran.status == 0, ran.err
    assert (tmp_path / "here" / "o" / "data.csv").read_bytes() == first
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_the_distortion_does_not_depend_on_the_shuffle(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path, rows=500)
    told = set()
    for seed in range(12):
        out = tmp_path / f"o{seed}"
        ran = run("publish", data, "--schema", schema, "-m", "k-anonymity:k=3", "--out", out, "--seed", seed, "--json")
        told.add(json.loads(ran.out)["distortion"])
    assert len(told) == 1


ALL = [("people", each) for each in ("none", "mondrian:mode=relaxed", "top-down", "microaggregation:passes=2")]
ALL += [("survey", each) for each in ("align", "graph", "greedy-interval")]


@pytest.mark.parametrize("seed", [(), ("--seed", 3)], ids=["no seed", "a seed"])
@pytest.mark.parametrize(("data", "method"), ALL)
def test_the_plan_in_a_ledger_repeats_every_method_with_a_seed_and_without(
    run, tmp_path: Path, data: str, method: str, seed: tuple[object, ...]
) -> None:
    file, schema = (write_table if data == "people" else write_survey)(tmp_path)
    model = "k-anonymity:k=2" if data == "people" else "k-epsilon:k=3,epsilon=1"
    out, ledger = tmp_path / "o", tmp_path / "l"
    words = (file, "--schema", schema, "-m", model, "--method", method, "--withhold", "90%", *seed)
    if method == "none":
        twins = file.read_text().replace("Person", "Twin").splitlines()[1:]
        file.write_text(file.read_text() + "\n".join(twins) + "\n")
    assert run("publish", *words, "--out", out, "--ledger", ledger).status == 0
    first = {
        name: (folder / name).read_bytes() for folder in (out, ledger) for name in REPEATED if (folder / name).exists()
    }
    assert len(first) == len(REPEATED)
    assert run("publish", "--plan", ledger / "plan.toml", "--force").status == 0
    for name, content in first.items():
        assert content in [(folder / name).read_bytes() for folder in (out, ledger) if (folder / name).exists()], name
    other = tmp_path / "other"
    asked = ("--out", other, "--secret", ledger / "secret.txt")
    assert run("publish", *words, *asked).status == 0
    assert (other / "data.csv").read_bytes() == first["data.csv"]
    assert run("publish", *words, "--out", other, "--force").status == 0
    assert (other / "data.csv").read_bytes() != first["data.csv"]


SECRET = bytes(range(32)).hex()
REPEATED = ("data.csv", "certificate.json", "schema.toml", "secret.txt", "links.parquet", "plan.toml")


def test_a_ledger_that_was_moved_repeats_its_run(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    out, ledger, moved = tmp_path / "o", tmp_path / "l", tmp_path / "elsewhere"
    words = ("publish", data, "--schema", schema, "-m", "k-anonymity:k=3", "--out", out, "--ledger", ledger)
    assert run(*words).status == 0
    first = (out / "data.csv").read_bytes()
    ledger.rename(moved)
    assert run("publish", "--plan", moved / "plan.toml", "--force").status == 0
    assert (out / "data.csv").read_bytes() == first


def test_a_secret_is_for_its_owner_alone(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    words = ("publish", data, "--schema", schema, "-m", "k-anonymity:k=3", "--out", tmp_path / "o")
    assert run(*words, "--ledger", tmp_path / "l").status == 0
    assert (tmp_path / "l" / "secret.txt").stat().st_mode & 0o777 == 0o600
    assert not list((tmp_path / "o").glob("secret*"))


@pytest.mark.parametrize(
    ("content", "phrase"),
    [
        (None, "cannot be read"),
        (b"", "does not hold a secret"),
        (b"0f" * 31, "does not hold a secret"),
        (b"0f" * 33, "does not hold a secret"),
        (b"0g" * 32, "does not hold a secret"),
        (b"0f " * 21 + b"0", "does not hold a secret"),
        (b"\xff" * 64, "does not hold a secret"),
        (b"0f" * 32, "was not drawn at random"),
    ],
)
def test_a_file_that_holds_no_secret_is_refused_and_not_quoted(run, tmp_path: Path, content, phrase: str) -> None:
    data, schema = write_table(tmp_path)
    if content is not None:
        (tmp_path / "secret.txt").write_bytes(content)
    words = ("publish", data, "--schema", schema, "-m", "k-anonymity:k=3", "--out", tmp_path / "o")
    ran = run(*words, "--secret", tmp_path / "secret.txt")
    assert ran.status == 2
    assert phrase in ran.err
    assert "0f0f" not in ran.err
    assert not (tmp_path / "o").exists()


def test_with_the_same_secret_a_release_is_the_very_one_that_was_swept(run, tmp_path: Path) -> None:
    data, schema = write_survey(tmp_path)
    (tmp_path / "secret.txt").write_text(SECRET, encoding="ascii")
    chance = ("--seed", 4, "--secret", tmp_path / "secret.txt", "--json")
    grid = ("--k", 3, "--epsilon", 0, "--method", "align", "--jobs", 1, "--out", tmp_path / "sweep")
    swept = run("sweep", data, "--schema", schema, *grid, *chance)
    assert swept.status == 0, swept.err
    measured = json.loads(swept.out)["points"][0]["measures"]
    words = ("-m", "k-epsilon:k=3,epsilon=0", "--method", "align", "--out", tmp_path / "o")
    published = json.loads(run("publish", data, "--schema", schema, *words, *chance).out)
    assert published["distortion"] == measured["distortion"]
    assert published["cells_changed"] == measured["cells changed"]
    assert SECRET not in (tmp_path / "sweep" / "sweep.json").read_text(encoding="utf-8")
    other = run("sweep", data, "--schema", schema, *grid, "--seed", 4)
    assert other.status == 2
    assert "another secret" in other.err
