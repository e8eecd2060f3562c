"""A promise that protects nobody is refused, and where it is accepted nobody can miss it."""

import json
from pathlib import Path

import pytest

ASKED = "k-epsilon:k=5,epsilon=5"


def write(folder: Path, *, gap: bool = False) -> tuple[Path, Path]:
    """Write 50 people on 1…5; with a gap, every other one has not rated the first issue."""
    lines = ["who,q1,q2,income"]
    lines += [f"w{i},{'' if gap and i % 2 else 1 + i % 5},{1 + i // 5 % 5},{1 + i % 3}" for i in range(50)]
    data, schema = folder / "survey.csv", folder / "survey.toml"
    data.write_text("\n".join(lines) + "\n", encoding="utf-8")
    schema.write_text(
        'kind = "ratings"\nlayout = "wide"\nscale = [1, 5]\nid = ["who"]\nsensitive = ["income"]\n', encoding="utf-8"
    )
    return data, schema


@pytest.mark.parametrize("rest", ["", ",semantics=partition", ",l=0.5", ",l=0.5,semantics=partition"])
@pytest.mark.parametrize("method", ["align", "none", "graph"])
def test_publishing_is_refused_unless_it_is_accepted(run, tmp_path: Path, rest: str, method: str) -> None:
    data, schema = write(tmp_path)
    command = ("publish", data, "--schema", schema, "-m", ASKED + rest, "--method", method, "--out", tmp_path / "out")
    ran = run(*command)
    assert ran.status == 3
    assert "vacuous" in ran.err
    assert "--accept vacuous" in ran.err
    assert not (tmp_path / "out").exists()
    assert run(*command, "--accept", "vacuous").status == 0


def test_an_accepted_one_is_named_in_the_certificate_and_by_verify(run, tmp_path: Path) -> None:
    data, schema = write(tmp_path)
    out = tmp_path / "out"
    assert run("publish", data, "--schema", schema, "-m", ASKED, "--out", out, "--accept", "vacuous").status == 0
    certificate = json.loads((out / "certificate.json").read_text(encoding="utf-8"))
    assert certificate["accepted"] == ["vacuous"]
    assert "vacuous" in certificate["promises"][0]["caveat"]
    ran = run("verify", out)
    assert ran.status == 0
    assert "vacuous         It is vacuous" in ran.out
    promise = json.loads(run("verify", out, "--json").out)["promises"][0]
    assert promise["vacuous"] is True
    assert "whatever people rated" in promise["caveat"]


def test_a_certificate_that_is_silent_about_it_is_contradicted(run, tmp_path: Path) -> None:
    data, schema = write(tmp_path)
    out = tmp_path / "out"
    run("publish", data, "--schema", schema, "-m", ASKED, "--out", out, "--accept", "vacuous")
    certificate = json.loads((out / "certificate.json").read_text(encoding="utf-8"))
    del certificate["promises"][0]["caveat"]
    (out / "certificate.json").write_text(json.dumps(certificate), encoding="utf-8")
    ran = run("verify", out)
    assert ran.status == 1
    assert "in other words" in ran.out
    assert "vacuous" in ran.out


def test_from_the_span_on_with_gaps_it_is_published_and_said_what_is_left(run, tmp_path: Path) -> None:
    data, schema = write(tmp_path, gap=True)
    out = tmp_path / "out"
    ran = run("publish", data, "--schema", schema, "-m", "k-epsilon:k=5,epsilon=4", "--out", out)
    assert ran.status == 0
    ran = run("verify", out)
    assert "says nothing about how people rated" in ran.out
    certificate = json.loads((out / "certificate.json").read_text(encoding="utf-8"))
    assert "accepted" not in certificate
    assert "says nothing about how people rated" in certificate["promises"][0]["caveat"]
    assert run("publish", data, "--schema", schema, "-m", ASKED, "--out", tmp_path / "other").status == 3


def test_check_says_it_and_does_not_refuse(run, tmp_path: Path) -> None:
    data, schema = write(tmp_path)
    ran = run("check", data, "--schema", schema, "-m", ASKED, "-m", "k-epsilon:k=5,epsilon=3")
    assert ran.out.count("It is vacuous") == 1
    published = json.loads(
        run("check", data, "--schema", schema, "-m", ASKED, "-m", "k-epsilon:k=5,epsilon=3", "--json").out
    )
    assert [promise.get("vacuous") for promise in published["promises"]] == [True, None]


def test_limits_says_from_where_on(run, tmp_path: Path) -> None:
    for gap, span, first in ((False, 4, 4), (True, 4, 5)):
        data, schema = write(tmp_path, gap=gap)
        published = json.loads(run("limits", data, "--schema", schema, "--given", "epsilon=5", "--json").out)
        assert (published["span"], published["vacuous_from"], published["vacuous"], published["k"]) == (
            span,
            first,
            True,
            50,
        )
        ran = run("limits", data, "--schema", schema, "--given", "epsilon=1")
        assert "These answers protect nobody" not in ran.out
        assert "From epsilon = 4 on" in ran.out
        assert "every answer is vacuous" in ran.out
        assert "These answers protect nobody" in run("limits", data, "--schema", schema, "--given", "epsilon=5").out


def test_a_sweep_marks_its_points(run, tmp_path: Path) -> None:
    data, schema = write(tmp_path)
    command = ("sweep", data, "--schema", schema, "--k", "5", "--epsilon", "3,5", "--method", "none", "--jobs", "1")
    published = json.loads(run(*command, "--out", tmp_path / "a", "--json").out)
    assert [point.get("refused") for point in published["points"]] == [None, "VacuousPromise"]
    accepting = (*command, "--accept", "vacuous")
    published = json.loads(run(*accepting, "--out", tmp_path / "b", "--json").out)
    assert [point["vacuous"] for point in published["points"]] == [False, True]
    assert "vacuous" in run(*command, "--out", tmp_path / "a").out
    assert "vacuous" in run(*accepting, "--out", tmp_path / "b").out


def test_a_plan_accepts_it_too(run, tmp_path: Path) -> None:
    data, schema = write(tmp_path)
    words = f'data = "{data}"\nschema = "{schema}"\nmodels = ["{ASKED}"]\nout = "out"\n'
    (tmp_path / "plan.toml").write_text(words, encoding="utf-8")
    assert run("publish", "--plan", tmp_path / "plan.toml").status == 3
    (tmp_path / "plan.toml").write_text(words + 'accept = ["vacuous"]\n', encoding="utf-8")
    assert run("publish", "--plan", tmp_path / "plan.toml").status == 0


def test_a_table_has_no_vacuous_promise_to_accept(run, tmp_path: Path) -> None:
    from cli.files import write_table

    data, schema = write_table(tmp_path)
    ran = run(
        "publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--out", tmp_path / "o", "--accept", "vacuous"
    )
    assert ran.status == 2
