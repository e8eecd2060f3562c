"""With ``--json`` there is exactly one JSON document on standard output, whatever happens."""

import json

import pytest


@pytest.mark.parametrize(
    "arguments",
    [
        ("check",),
        ("check", "x.csv", "--bogus"),
        ("check", "x.csv", "--duplicates", "sometimes"),
        ("publish", "x.csv", "--seed", "many"),
        ("generate", "ratings", "--users", "some", "--out", "x.csv"),
        ("frobnicate",),
    ],
)
def test_a_usage_error_is_one_json_document_too(run, arguments: tuple[str, ...]) -> None:
    ran = run(*arguments, "--json")
    assert ran.status == 2
    published = json.loads(ran.out)
    assert published["exit"] == 2
    assert published["error"] in ran.err
    assert ran.out.count("\n") == 1
    assert run(*arguments).out == "", "and nothing on standard output without it"


def test_an_interruption_is_one_json_document_too(run, monkeypatch: pytest.MonkeyPatch) -> None:
    import shoal.jobs.check

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(shoal.jobs.check, "check", interrupted)
    ran = run("check", "x.csv", "-m", "k-anonymity:k=2", "--json")
    assert ran.status == 130
    assert json.loads(ran.out)["exit"] == 130


def test_the_demo_tells_its_story_as_one_json_document(run) -> None:
    ran = run("demo", "--json")
    assert ran.status == 0
    published = json.loads(ran.out)
    assert ran.out.count("\n") == 1
    assert [published["table"]["check"]["holds"], published["table"]["verify"]["holds"]] == [False, True]
    assert published["table"]["publish"]["records_out"] == 3000
    assert "does not hold for 4 of 6 records" in published["survey"]["refused"]
    rates = {name: part["attack"]["attacks"][0]["main"] for name, part in published["ratings"].items()}
    assert rates["survey"] <= 1 / 5
    assert rates["films"] <= 1 / 5
    assert rates["within_epsilon"] > 1 / 5, "the demo shows what (k,ε) does not protect from"
    methods = [part["publish"]["notes"][0].split(",")[0] for part in published["ratings"].values()]
    assert methods == ["Method: align", "Method: predictive", "Method: align"]
