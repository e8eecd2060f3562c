"""Whatever a certificate says, ``verify`` answers in one sentence."""

import json
from pathlib import Path

import pytest

from cli.files import write_table


@pytest.fixture
def release(run, tmp_path: Path) -> Path:
    data, schema = write_table(tmp_path)
    assert run("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--out", tmp_path / "o").status == 0
    return tmp_path / "o"


@pytest.mark.parametrize(
    "changes",
    [{"level": None}, {"level": [5]}, {"level": "k"}, {"promise": 5}, {"promise": None}, {"meaning": 7}, {"more": 1}],
    ids=str,
)
def test_a_promise_of_another_form_is_no_certificate(run, release: Path, changes: dict[str, object]) -> None:
    certificate = release / "certificate.json"
    honest = json.loads(certificate.read_text(encoding="utf-8"))
    forged = {**honest, "promises": [{**honest["promises"][0], **changes}]}
    certificate.write_text(json.dumps(forged), encoding="utf-8")
    ran = run("verify", release)
    assert ran.status == 2
    assert "is not a release" in ran.err


def test_a_certificate_nested_without_end_is_no_certificate(run, release: Path) -> None:
    (release / "certificate.json").write_text("[" * 100_000, encoding="utf-8")
    assert run("verify", release).status == 2


def test_a_promise_explained_in_other_words_contradicts_the_certificate(run, release: Path) -> None:
    certificate = release / "certificate.json"
    honest = json.loads(certificate.read_text(encoding="utf-8"))
    boast = {**honest["promises"][0], "meaning": "Nobody can ever be found in these data."}
    certificate.write_text(json.dumps({**honest, "promises": [boast]}), encoding="utf-8")
    ran = run("verify", release)
    assert ran.status == 1
    assert "in other words" in ran.out
    certificate.write_text(json.dumps({**honest, "promises": [boast], "version": "0.0.1"}), encoding="utf-8")
    assert run("verify", release).status == 0, "another version may have explained it otherwise"
