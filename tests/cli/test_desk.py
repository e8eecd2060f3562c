"""``shoal desk`` from the first command to the audit."""

import json
import os
import stat
import unicodedata
from pathlib import Path

import pytest

from desk_oracle import SQUARE, write_files
from rating_oracle import write_file as write_ratings


@pytest.fixture
def desk(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a desk, its data and some who ask."""
    monkeypatch.setenv("SHOAL_DESK", str(tmp_path / "desk.sqlite"))
    data, schema = write_files(tmp_path, SQUARE)
    assert run("desk", "init").out == "The desk is open.\n"
    assert run("desk", "requester", "ann", "--trust", "1").status == 0
    assert run("desk", "requester", "bob", "--trust", "0.25").out == "bob is trusted 0.25.\n"
    assert run("desk", "purpose", "first", "--priorities", "one:1;two:0.5").status == 0
    policy = ("-m", "k-anonymity:k=2", "--projection", "quadratic", "--purpose", "first")
    registered = run("desk", "dataset", "crowd", data, "--schema", schema, *policy, "--json")
    assert json.loads(registered.out) == {"dataset": "crowd", "version": 1, "views": 4}
    return tmp_path


def asked(folder: Path, requester: str, *more: object, data: str = "people.csv", out: str = "") -> tuple[object, ...]:
    """Return the words of a request."""
    files = (folder / data, "--schema", folder / "people.toml", "--out", folder / (out or requester))
    return ("desk", "request", "crowd", *files, "--requester", requester, "--purpose", "first", *more)


def test_the_whole_story(run, desk):
    given = json.loads(run(*asked(desk, "ann", "--json")).out)
    assert set(given["degrees"]) == {"one", "two"}
    assert "levels" not in given
    assert (given["number"], given["records"], given["degree_asked"]) == (1, 16, 0)
    assert run("verify", desk / "ann").status == 0
    said = run(*asked(desk, "bob", "--format", "parquet")).out
    assert "Release 2: 16 records" in said
    assert "Generalized by group, to the degree: one 1.000, two 1.000." in said
    assert run("desk", "policy", "crowd", "--recoding", "levels").status == 0
    levels = json.loads(run(*asked(desk, "ann", "--json", out="levels")).out)["levels"]
    assert set(levels) == {"one", "two"}
    listed = run("desk", "releases", "--requester", "ann").out
    assert "done" in listed
    assert "bob" not in listed
    assert len(json.loads(run("desk", "releases", "--dataset", "crowd", "--json").out)["releases"]) == 3
    assert "still counts" in run("desk", "revoke", 2, "--why", "a mistake").out
    audit = run("desk", "audit", "--folders", "--json")
    assert (audit.status, json.loads(audit.out)["holds"]) == (0, True)
    (desk / "ann" / "data.csv").write_text("gone", encoding="utf-8")
    assert run("desk", "audit", "--folders").status == 1
    assert run("desk", "audit").status == 0


def test_with_its_ledger_a_view_can_be_measured_and_attacked(run, desk):
    assert run(*asked(desk, "ann", "--ledger", desk / "ledger")).status == 0
    assert (desk / "ledger").stat().st_mode & 0o077 == 0
    measured = run("measure", desk / "ann", "--ledger", desk / "ledger", "--json")
    assert measured.status == 0, measured.err
    attacked = run("attack", desk / "ann", "--ledger", desk / "ledger", "--attack", "risk", "--json")
    assert attacked.status == 0, attacked.err
    again = run(*asked(desk, "ann"))
    assert again.status == 2
    assert "Choose another folder." in again.err
    assert "--force" not in again.err
    nested = run(*asked(desk, "bob", "--ledger", desk / "bob" / "ledger"))
    assert nested.status == 2
    assert len(json.loads(run("desk", "releases", "--json").out)["releases"]) == 1


def test_the_audit_is_the_same_at_the_desk_and_a_policy_accepts_by_name(run, desk):
    """A column that is told by a quasi-identifier is refused, and given once the policy of its owner accepts it."""
    lines = (desk / "people.csv").read_text().splitlines()
    published = [f"{line},{'odd' if int(line.split(',')[1]) % 2 else 'even'}" for line in lines[1:]]
    (desk / "told.csv").write_text("\n".join([f"{lines[0]},parity", *published, ""]))
    schema = desk / "people.toml"
    schema.write_text(schema.read_text() + '[columns.parity]\nrole = "insensitive"\n')
    policy = ("-m", "k-anonymity:k=5", "--recoding", "levels", "--purpose", "first")
    assert run("desk", "dataset", "parities", desk / "told.csv", "--schema", schema, *policy).status == 0
    files = (desk / "told.csv", "--schema", schema, "--out", desk / "view")
    ask = ("desk", "request", "parities", *files, "--requester", "ann", "--purpose", "first")
    refused = run(*ask)
    assert refused.status == 3
    assert "'parity' depends on the generalized quasi-identifier 'one'" in refused.err
    assert run("desk", "policy", "parities", *policy[:2], "--accept", "parity").status == 0
    assert run(*ask).status == 0
    certificate = json.loads((desk / "view" / "certificate.json").read_text())
    assert certificate["accepted_against_audit"] == ["parity"]
    assert run("desk", "audit", "--folders").status == 0


def test_changed_data_are_a_new_version_and_earlier_ones_are_handed_in_again(run, desk):
    assert run(*asked(desk, "ann")).status == 0
    write_files(desk, {**SQUARE, "new 1": (0, 0, "x"), "new 2": (0, 0, "y")}, "later")
    refused = run(*asked(desk, "bob", "--json", data="later.csv"))
    assert (refused.status, json.loads(refused.out)["exit"]) == (3, 3)
    registered = run("desk", "dataset", "crowd", desk / "later.csv", "--schema", desk / "people.toml")
    assert registered.out == "Version 2 of crowd is registered.\n"
    assert run(*asked(desk, "bob", data="later.csv")).status == 3
    assert not (desk / "bob").exists()
    assert run("desk", "policy", "crowd", "--identifier", "name", "--collude", "ann,bob").status == 0
    assert run(*asked(desk, "bob", "--earlier", desk / "people.csv", data="later.csv")).status == 0
    log = json.loads(run("desk", "audit", "--json").out)
    assert log["holds"]
    assert log["entries"] == 7 + 3 + 1 + 2 + 1 + 1 + 3, "set up, given, refused, version, refused, policy, given"


def test_earlier_data_are_read_with_the_schema_they_were_registered_with(run, desk):
    assert run("desk", "policy", "crowd", "--identifier", "name").status == 0
    assert run(*asked(desk, "ann")).status == 0
    schema = (desk / "people.toml").read_text(encoding="utf-8")
    (desk / "earlier.toml").write_text(schema.replace("numbers.csv", "earlier.csv"), encoding="utf-8")
    (desk / "numbers.csv").rename(desk / "earlier.csv")
    (desk / "numbers.csv").write_text("".join(f"{i};pair {i % 2};*\n" for i in range(5)), encoding="utf-8")
    assert run("desk", "dataset", "crowd", desk / "people.csv", "--schema", desk / "people.toml").status == 0
    earlier = ("--earlier", desk / "people.csv")
    assert run(*asked(desk, "bob", *earlier)).status == 3, "read so, they are the new version again"
    assert run(*asked(desk, "bob", "--earlier-schema", desk / "earlier.toml")).status == 2
    assert run(*asked(desk, "bob", *earlier, "--earlier-schema", desk / "earlier.toml")).status == 0


WRONG = [
    ("init",),
    ("requester", "zoe", "--trust", "2"),
    ("requester", "zoe", "--trust", "much"),
    ("requester", "a,b", "--trust", "1"),
    ("purpose", "first"),
    ("purpose", "other", "--most", "one"),
    ("policy", "crowd"),
    ("policy", "crowd", "--collude", "nobody", "--collude", "ann,bob"),
    ("policy", "other", "--collude", "nobody"),
    ("dataset", "crowd", "{data}", "--schema", "{schema}", "-m", "k-anonymity:k=2"),
    ("dataset", "other", "{data}", "--schema", "{schema}"),
    ("dataset", "other", "{data}", "--schema", "{schema}", "--views", "checked"),
    ("revoke", "7"),
    ("releases", "--requester", "zoe"),
    ("request", "crowd", "{data}", "--schema", "{schema}", "--requester", "z", "--purpose", "first", "--out", "x"),
]


def test_bad_input_is_one_sentence_and_changes_nothing(run, desk):
    before = run("desk", "audit").out
    for words in WRONG:
        filled = [word.format(data=desk / "people.csv", schema=desk / "people.toml") for word in words]
        ran = run("desk", *filled, "--json")
        assert (ran.status, json.loads(ran.out)["exit"]) == (2, 2), words
    assert run("desk", "audit").out == before


def test_a_release_folder_is_private_to_its_owner_unless_said_otherwise(run, desk):
    mask = os.umask(0)
    try:
        for readers, of_folder, of_file in ((None, 0o700, 0o600), ("group", 0o750, 0o640), ("all", 0o755, 0o644)):
            said = () if readers is None else ("--readable-by", readers)
            folder = desk / (readers or "ann")
            files = (desk / "people.csv", "--schema", desk / "people.toml", "--out", folder)
            assert (
                run("desk", "request", "crowd", *files, "--requester", "ann", "--purpose", "first", *said).status == 0
            )
            assert stat.S_IMODE(folder.stat().st_mode) == of_folder
            assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {of_file}
    finally:
        os.umask(mask)
    assert run("desk", "audit", "--folders").status == 0


def test_names_are_written_in_one_way(run, desk):
    decomposed, composed = (unicodedata.normalize(form, "Zoë") for form in ("NFD", "NFC"))
    added = run("desk", "requester", decomposed, "--trust", "1", "--json")
    assert json.loads(added.out) == {"requester": composed, "trust": 1}
    given = json.loads(run(*asked(desk, decomposed, "--json")).out)
    assert given["requester"] == composed
    assert run("desk", "requester", composed, "--trust", "0.5").status == 0, "the same one"
    assert composed in run("desk", "releases", "--requester", decomposed).out
    assert run("desk", "policy", "crowd", "--collude", f"{decomposed},ann").status == 0


ODD_NAMES = [
    "everybody",
    "Nobody",
    "NOBODY",
    "Ann",
    "x" * 101,
    "ü" * 100 + "x",
    "漢" * 67,
    "a\u202eb",
    "a\u200bb",
    "a\x07b",
]
ODD_NAMES += ["a\u2066b", " ann", "a,b", "a\u2028b", ""]


def test_names_that_mislead_are_refused(run, desk):
    before = run("desk", "audit").out
    for name in ODD_NAMES:
        files = (desk / "people.csv", "--schema", desk / "people.toml", "-m", "k-anonymity:k=2")
        ways = [("requester", name, "--trust", "1"), ("purpose", name, "--target", "letter"), ("dataset", name, *files)]
        for words in ways[:1] if name == "Ann" else ways:
            ran = run("desk", *words, "--json")
            assert (ran.status, json.loads(ran.out)["exit"]) == (2, 2), words
    assert run("desk", "audit").out == before
    for name in ("x" * 100, "ü" * 100, "漢" * 66):
        assert run("desk", "requester", name, "--trust", "1").status == 0


def test_people_in_two_data_sets_are_judged_together(run, desk):
    """From the first refusal to the acceptance on record."""
    assert run("desk", "policy", "crowd", "--identifier", "name").status == 0
    assert run(*asked(desk, "ann")).status == 0
    some = {name: person for name, person in SQUARE.items() if name != "p3"}
    write_files(desk, {**some, "r1": (0, 0, "x"), "r2": (0, 0, "y")}, "some")
    register = ("desk", "dataset", "some", desk / "some.csv", "--schema", desk / "people.toml", "-m", "k-anonymity:k=2")
    registered = run(*register, "--identifier", "name", "--purpose", "first")
    assert registered.status == 0, registered.err
    assert "15 people are in crowd too: releases of both are judged together." in registered.out
    ask = ("desk", "request", "some", desk / "some.csv", "--schema", desk / "people.toml", "--requester", "bob")
    ask = (*ask, "--purpose", "first", "--out", desk / "view", "--json")
    lacking = run(*ask)
    assert lacking.status == 3
    assert "version 1 of 'crowd', which has people in common" in json.loads(lacking.out)["error"]
    judged = run(*ask, "--earlier", desk / "people.csv")
    assert judged.status == 3, "whoever has both views knows that p3 is in one alone"
    assert "No view" in json.loads(judged.out)["error"]
    assert run("desk", "policy", "some", "--apart-from", "crowd", "--json").status == 0
    assert run(*ask[:-3], "--out", desk / "apart").status == 0
    assert run("desk", "audit").status == 0


def test_an_empty_view_is_announced_with_the_way_to_more(run, desk: Path) -> None:
    assert run("desk", "requester", "eve", "--trust", 0.01).status == 0
    ran = run(*asked(desk, "eve"))
    assert ran.status == 0, ran.err
    assert "Every quasi-identifier is suppressed (*)" in ran.out
    assert "in 1 equivalence class:" in ran.out
    assert "suppressed" not in run(*asked(desk, "ann")).out


def test_the_books_are_listed_filtered_and_exported(run, desk: Path) -> None:
    assert run(*asked(desk, "ann")).status == 0
    assert run("desk", "requester", "eve", "--trust", 0).status == 0
    assert run(*asked(desk, "eve")).status == 3
    (refusal,) = json.loads(run("desk", "refusals", "--json").out)["refusals"]
    assert (refusal["requester"], refusal["why"]) == ("eve", "The requester 'eve' is not trusted at all.")
    assert refusal["by"].startswith("system ")
    lines = run("desk", "log", "--format", "ndjson", "--requester", "ann").out.splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["requester", "decided", "written", "done"]
    head, *rows = run("desk", "requesters", "--format", "csv").out.splitlines()
    assert head == "requester,trust,state,expires,purposes,by,at,closed"
    assert [row.split(",")[:3] for row in rows] == [
        ["ann", "1.0", "open"],
        ["bob", "0.25", "open"],
        ["eve", "0.0", "open"],
    ]
    for book in ("purposes", "datasets", "policies", "approvals", "proposals"):
        assert run("desk", book).status == 0
    assert json.loads(run("desk", "log", "--before", "2020-01-01", "--json").out) == {"log": []}
    assert len(json.loads(run("desk", "log", "--since", "2020-01-01", "--json").out)["log"]) == 12
    assert run("desk", "log", "--since", "yesterday").status == 2
    assert run("desk", "releases", "--purpose", "nothing").status == 2


def test_terms_approval_and_the_two_person_rule_in_the_terminal(run, desk: Path) -> None:
    """One account asks, so it can neither approve nor confirm."""
    terms = run("desk", "requester", "ann", "--trust", 1, "--until", "2999-12-31", "--purpose", "first")
    assert terms.out == "ann is trusted 1 until 3000-01-01T00:00:00+00:00, for first.\n"
    assert run("desk", "policy", "crowd", "--approval", "--two-person", "--release-days", 30).status == 0
    waits = run(*asked(desk, "ann"))
    assert (waits.status, "waits for approval, as number 1" in waits.err) == (3, True)
    assert not (desk / "ann").exists()
    assert "does not approve" in run("desk", "approve", 1).err
    assert run("desk", "refuse", 1).status == 2, "without a reason"
    assert run("desk", "refuse", 1, "--why", "no contract").out == "Request 1 is refused.\n"
    proposed = run("desk", "policy", "crowd", "--no-approval")
    assert (proposed.status, "proposal 1" in proposed.err) == (3, True)
    assert "does not confirm" in run("desk", "confirm", 1).err
    assert run("desk", "reject", 1).status == 0
    assert "what it was given goes on to count" in run("desk", "close", "ann").out
    assert "is closed" in run(*asked(desk, "ann")).err
    assert run("desk", "requester", "ann", "--trust", 1, "--until", "never", "--purpose", "any", "--reopen").out == (
        "ann is trusted 1.\n"
    )
    assert run("desk", "audit").status == 0


def test_data_that_the_desk_keeps_a_dry_run_and_an_anchor(run, desk: Path) -> None:
    key, files = desk / "key", (desk / "people.csv", "--schema", desk / "people.toml")
    assert run("desk", "new-key", key).status == 0
    assert run("desk", "keep", *files).status == 2, "neither a key nor outside"
    assert run("desk", "keep", *files, "--key-file", key).out == "Version 1 of crowd is kept, encrypted.\n"
    assert run("desk", "anchor").status == 2
    assert run("desk", "anchor", desk / "anchor").out == "The log is anchored from now on.\n"
    asked_for = ("crowd", "--requester", "ann", "--purpose", "first")
    before = run("desk", "audit").out
    said = run("desk", "dry-run", *asked_for, "--key-file", key)
    assert said.out.startswith("ann would get 16 records in "), said.err
    assert "everybody" in said.out
    assert run("desk", "audit", "--anchor", desk / "anchor").out == before
    given = run("desk", "request", *asked_for, "--key-command", f"cat {key}", "--out", desk / "given", "--json")
    assert given.status == 0, given.err
    assert run("desk", "audit", "--folders").status == 0
    (desk / "anchor").write_text("")
    assert run("desk", "audit").status == 1


def test_ratings_are_given_as_profiles_of_groups(run, tmp_path, monkeypatch):
    monkeypatch.setenv("SHOAL_DESK", str(tmp_path / "desk.sqlite"))
    people = {f"p{i}": {"bread": 1 + i % 2 * 4, ("figs", "eggs")[i % 2]: 3} for i in range(24)}
    write_ratings(tmp_path / "films.csv", people)
    for words in (
        ("init",),
        ("purpose", "use"),
        ("requester", "ann", "--trust", 1),
        ("requester", "dot", "--trust", 0.01),
    ):
        assert run("desk", *words).status == 0
    registered = run("desk", "dataset", "films", tmp_path / "films.csv", "-m", "k-anonymity:k=6")
    assert registered.out == "Version 1 of films is registered: 2 nested views keep the promises.\n"
    asking = ("films", tmp_path / "films.csv", "--purpose", "use")
    said = json.loads(run("desk", "dry-run", *asking, "--requester", "ann", "--json").out)
    ledger = ("--ledger", tmp_path / "ledger")
    given = run("desk", "request", *asking, "--requester", "ann", "--out", tmp_path / "ann", *ledger)
    assert given.out.startswith(
        f"Release 1: the profiles of 2 groups of 24 people, with 4 ratings: {tmp_path / 'ann'}\n"
    )
    assert "Generalized" not in given.out
    assert (said["records"], said["groups"], said["coalitions"][0]["knows"][0]["smallest_group"]) == (24, 2, 12)
    rows = (tmp_path / "ann" / "data.csv").read_text().splitlines()
    assert sorted(row.split(",", 1)[1] for row in rows[1:]) == ["bread,1.0", "bread,5.0", "eggs,3.0", "figs,3.0"]
    assert run("verify", tmp_path / "ann").status == 0
    measured = run("measure", tmp_path / "ann", "--ledger", tmp_path / "ledger", "--json")
    assert measured.status == 0, measured.err
    everybody = run("desk", "request", *asking, "--requester", "dot", "--out", tmp_path / "dot", "--json")
    told = json.loads(everybody.out)
    assert (told["groups"], told["ratings"], told["degree_reached"]) == (1, 1, 1)
    assert run("desk", "audit", "--folders").status == 0


def test_who_is_trusted_too_little_for_any_rating_is_told_so(run, tmp_path, monkeypatch):
    monkeypatch.setenv("SHOAL_DESK", str(tmp_path / "desk.sqlite"))
    write_ratings(tmp_path / "films.csv", {f"p{i}": {f"film {i % 4}": 1 + i % 5} for i in range(24)})
    for words in (("init",), ("purpose", "use"), ("requester", "dot", "--trust", 0.01)):
        assert run("desk", *words).status == 0
    assert run("desk", "dataset", "films", tmp_path / "films.csv", "-m", "k-anonymity:k=5").status == 0
    asking = ("films", tmp_path / "films.csv", "--purpose", "use", "--requester", "dot", "--out", tmp_path / "dot")
    given = run("desk", "request", *asking)
    assert "with 0 ratings" in given.out
    assert "No item was rated by more than half of a group" in given.out
    assert run("verify", tmp_path / "dot").status == 0
