"""``shoal limits`` in the terminal."""

import json
from pathlib import Path

import pytest

from cli.files import write_survey, write_table


def test_limits_prints_what_goes_with_what_is_given(run, tmp_path: Path) -> None:
    data, schema = write_survey(tmp_path)
    ran = run("limits", data, "--schema", schema, "--given", "k=2")
    assert (ran.status, ran.err) == (0, "")
    assert "40 records, given k = 2:\n  smallest epsilon  0\n  largest l         0.5\n" in ran.out
    promise = ran.out.splitlines()[-1].removeprefix("holds").strip()
    assert promise == "k-epsilon:k=2,epsilon=0,l=0.5,semantics=neighborhood,spread=non-null,all_null=refuse"
    assert run("check", data, "--schema", schema, "--model", promise).status == 0
    assert run("check", data, "--schema", schema, "--model", promise.replace("l=0.5", "l=0.500001")).status == 1


@pytest.mark.parametrize("semantics", ["neighborhood", "partition"])
@pytest.mark.parametrize("given", [["--given", "k=3", "--given", "l=1"], ["--given", "k=3,l=1"]])
def test_limits_prints_one_json_object_of_the_agreed_shape(run, tmp_path: Path, semantics: str, given: list) -> None:
    data, schema = write_survey(tmp_path)
    ran = run("limits", data, "--schema", schema, *given, "--semantics", semantics, "--search", "slicing", "--json")
    published = json.loads(ran.out)
    assert (ran.status, ran.err) == (0, "")
    letters = {
        "given",
        "k",
        "epsilon",
        "l",
        "semantics",
        "promise",
        "vacuous",
        "span",
        "vacuous_from",
        "records",
        "seconds",
    }
    assert set(published) == letters | ({"proven"} if semantics == "partition" else set())
    assert published["given"] == {"k": 3, "l": 1}
    assert (published["k"], published["l"], published["records"], published["semantics"]) == (3, 1, 40, semantics)
    check = ("check", data, "--schema", schema, "--search", "slicing", "--model")
    assert run(*check, published["promise"]).status == 0
    closer = published["promise"].replace(f"epsilon={published['epsilon']}", f"epsilon={published['epsilon'] - 1}")
    assert run(*check, closer).status == 1


def test_semantics_may_be_spelled_the_british_way(run, tmp_path: Path) -> None:
    data, schema = write_survey(tmp_path)
    ran = run("limits", data, "--schema", schema, "--given", "k=2", "--semantics", "neighbourhood")
    assert (ran.status, ran.err) == (0, "")
    assert "semantics=neighborhood" in ran.out


def test_what_cannot_be_met_is_told_and_exits_0(run, tmp_path: Path) -> None:
    data, schema = write_survey(tmp_path)
    ran = run("limits", data, "--schema", schema, "--given", "k=41")
    assert ran.status == 0
    assert "smallest epsilon  –" in ran.out
    assert "There are 40 records, fewer than k." in ran.out
    assert "holds" not in ran.out
    ran = run("limits", data, "--schema", schema, "--given", "l=3")
    assert ran.status == 0
    assert "No epsilon keeps this l" in ran.out
    published = json.loads(run("limits", data, "--schema", schema, "--given", "l=3", "--json").out)
    assert (published["k"], published["epsilon"], published["promise"]) == (None, None, None)


def test_a_k_of_1_is_told_for_what_it_is(run, tmp_path: Path) -> None:
    data, schema = tmp_path / "d.csv", tmp_path / "s.toml"
    data.write_text("who,q1,q2\na,1,1\nb,2,2\nc,5,5\n", encoding="utf-8")
    schema.write_text('kind = "ratings"\nlayout = "wide"\nscale = [1, 5]\nid = ["who"]\n', encoding="utf-8")
    ran = run("limits", data, "--schema", schema, "--given", "epsilon=1")
    assert ran.status == 0
    assert "largest k         1" in ran.out
    assert "nobody is hidden" in ran.out
    assert "No issue is declared sensitive, so there is no l." in ran.out
    ran = run("limits", data, "--schema", schema, "--given", "k=2", "--json")
    assert json.loads(ran.out)["l"] is None
    assert run("limits", data, "--schema", schema, "--given", "l=1").status == 2


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([], "Nothing is given"),
        (["--given", "k"], "says no number"),
        (["--given", "k=2", "--given", "k=3"], "given twice"),
        (["--given", "k=2,epsilon=1,l=1"], "nothing is left to find"),
        (["--given", "k=1"], "at least 2"),
        (["--given", "epsilon=-1"], "at least 0"),
        (["--given", "j=1"], "no parameter 'j'"),
    ],
)
def test_usage_that_means_nothing_exits_2_with_one_sentence(run, tmp_path: Path, given: list, sentence: str) -> None:
    data, schema = write_survey(tmp_path)
    ran = run("limits", data, "--schema", schema, *given)
    assert ran.status == 2
    assert sentence in ran.err
    assert ran.err.startswith("shoal: ")
    assert ran.err.count("\n") == 1


def test_a_table_has_no_such_limits(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    ran = run("limits", data, "--schema", schema, "--given", "k=2", "--json")
    assert ran.status == 2
    assert "a table" in json.loads(ran.out)["error"]
