"""Options that would be ignored are refused."""

from pathlib import Path

import pytest

from cli.files import write_long, write_survey, write_table


def plan_of(folder: Path, data: Path, schema: Path) -> Path:
    plan = folder / "plan.toml"
    plan.write_text(f'data = "{data.name}"\nschema = "{schema.name}"\nmodels = ["k-anonymity:k=5"]\nout = "planned"\n')
    return plan


@pytest.mark.parametrize(
    "more",
    [
        ("--duplicates", "mean"),
        ("--duplicates", "refuse"),
        ("--seed", 1),
        ("--secret", "secret.txt"),
        ("-m", "k-anonymity:k=50"),
        ("--out", "o"),
        ("--ledger", "l"),
        ("--expand",),
        ("--format", "csv"),
        ("--accept", "zip"),
        ("--withhold", "2%"),
        ("--boost", "30%"),
        ("--time", "5s"),
        ("--method", "mondrian"),
        ("--schema", "people.toml"),
        ("people.csv",),
    ],
    ids=str,
)
def test_nothing_is_said_beside_a_plan(run, tmp_path: Path, more: tuple[object, ...]) -> None:
    plan = plan_of(tmp_path, *write_table(tmp_path))
    ran = run("publish", "--plan", plan, *more)
    assert ran.status == 2
    assert "--plan takes everything from the plan" in ran.err
    assert not (tmp_path / "planned").exists()


def test_a_plan_goes_with_force_and_json(run, tmp_path: Path) -> None:
    plan = plan_of(tmp_path, *write_table(tmp_path))
    assert run("publish", "--plan", plan).status == 0
    assert run("publish", "--plan", plan, "--force", "--json").status == 0


def test_duplicates_are_honored_or_refused(run, tmp_path: Path) -> None:
    data, schema = write_long(tmp_path)
    twice = data.read_text(encoding="utf-8")
    data.write_text(twice + twice.splitlines()[1] + "\n", encoding="utf-8")
    words = ("--schema", schema, "-m", "k-anonymity:k=2")
    assert run("check", data, *words).status == 2
    assert run("check", data, *words, "--duplicates", "mean").status in (0, 1)
    for write in (write_table, write_survey):
        data, schema = write(tmp_path)
        for command in (("describe",), ("check", "-m", "k-anonymity:k=2"), ("publish", "-m", "k-anonymity:k=2")):
            out = ("--out", tmp_path / "o") if command[0] == "publish" else ()
            ran = run(command[0], data, "--schema", schema, *command[1:], *out, "--duplicates", "mean")
            assert ran.status == 2
            assert "one rating a line" in ran.err
        assert not (tmp_path / "o").exists()


@pytest.mark.parametrize(
    ("words", "phrase"),
    [
        (("publish", "-m", "k-anonymity:k=3", "--method", "mondrian", "--expand", "--out", "o"), "nothing to expand"),
        (("publish", "-m", "k-anonymity:k=3", "--method", "mondrian", "--boost", "30%", "--out", "o"), "boost"),
        (("publish", "-m", "k-anonymity:k=3", "--method", "top-down", "--time", "30s", "--out", "o"), "time"),
        (("check", "-m", "k-anonymity:k=3", "--search", "slicing"), "none of these promises"),
        (("check", "-m", "k-anonymity:k=3", "--force"), "nothing to replace"),
        (("lattice", "-m", "k-anonymity:k=3", "--force"), "nothing to replace"),
        (("sweep", "--k", "2", "--method", "none", "--semantics", "partition", "--out", "s"), "no neighborhoods"),
        (("sweep", "--k", "2", "--method", "none", "--epsilon", "1", "--out", "s"), "no epsilon"),
        (("hierarchy", "suggest", "--column", "age", "--force"), "nothing to replace"),
        (("hierarchy", "suggest", "--column", "age", "--widths", "5", "--parts", "4"), "--widths are of intervals"),
        (("attack", "--attack", "homogeneity", "--population", "people.csv"), "takes 'population' into account"),
        (("attack", "--attack", "homogeneity", "--dates", "visit"), "takes 'dates' into account"),
    ],
    ids=lambda words: " ".join(words[:2]) if isinstance(words, tuple) else "",
)
def test_an_option_in_vain_is_refused(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], phrase: str
) -> None:
    data, schema = write_table(tmp_path)
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    command = words[:2] if words[0] == "hierarchy" else words[:1]
    ran = run(*command, data, "--schema", schema, *words[len(command) :])
    assert ran.status == 2, ran.out
    assert phrase in ran.err
    assert sorted(tmp_path.iterdir()) == before
