"""A table that stays on disk is published and verified as one in memory is, and what needs memory is refused."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import shoal
from people_on_disk import K20, names, people
from shoal.errors import AuditRefused, FileError, PromiseNotKept, SchemaError, WordingError
from shoal.io.schemas import TableSchema
from shoal.plan import Plan
from stated_parts import state_anew


def test_what_is_published_on_disk_is_what_is_published_from_memory(tmp_path: Path) -> None:
    file, schema = people(tmp_path)
    settings = {"models": [K20, "t-closeness:t=0.9"], "method": "lattice", "withhold": "2%"}
    local = shoal.publish(file, schema, out=tmp_path / "local", **settings)
    streamed = shoal.publish(file, schema, out=tmp_path / "streamed", engine="stream", **settings)
    same = ("records_in", "records_out", "groups", "cells_changed", "loss", "cells_kept", "group_sizes", "distortion")
    for name in (*same, "warnings", "kept", "unique", "original_and_unique", "holds", "accepted_against_audit"):
        assert getattr(streamed, name) == pytest.approx(getattr(local, name)), name
    certificates = [json.loads((tmp_path / each / "certificate.json").read_text()) for each in ("local", "streamed")]
    assert {**certificates[0], "data": 0, "engine": "stream"} == {**certificates[1], "data": 0}
    assert names(tmp_path / "streamed") == {"certificate.json", "data", "schema.toml"}
    assert names(tmp_path) == {"people.csv", "local", "streamed"}


@pytest.mark.parametrize("made", ["local", "stream"])
@pytest.mark.parametrize("engine", ["auto", "local", "stream"])
def test_any_engine_verifies_what_any_made(tmp_path: Path, made, engine) -> None:
    file, schema = people(tmp_path)
    shoal.publish(file, schema, K20, out=tmp_path / "out", method="lattice", engine=made, withhold="2%")
    found = shoal.verify(tmp_path / "out", engine=engine)
    assert (found.holds, found.records) == (True, 400)
    assert found.verdicts[0].level == {"k": 33}
    assert found.claimed == shoal.verify(tmp_path / "out").claimed


def test_the_ledger_says_which_record_is_which_row(tmp_path: Path) -> None:
    file, schema = people(tmp_path)
    made = shoal.publish(
        file, schema, K20, out=tmp_path / "out", ledger=tmp_path / "ledger", method="lattice", engine="stream"
    )
    released = pl.read_parquet(tmp_path / "out" / "data")
    links = pl.read_parquet(tmp_path / "ledger" / "links")
    truth = pl.read_csv(file).with_row_index("row").cast({"row": pl.Int64})
    joined = released.join(links, left_on="record", right_on="pseudonym").join(truth, on="row", suffix=" before")
    assert joined.height == released.height == made.records_out
    assert (joined["disease"] == joined["disease before"]).all()
    assert released["record"].is_sorted()
    assert (tmp_path / "ledger").stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o077 for path in (tmp_path / "ledger").rglob("*")} == {0}


def test_what_needs_a_ledger_takes_one_of_a_table_on_disk(tmp_path: Path) -> None:
    file, schema = people(tmp_path)
    settings = {"models": [K20], "method": "lattice", "withhold": "2%"}
    for engine in ("local", "stream"):
        ledger = tmp_path / f"ledger of {engine}"
        shoal.publish(file, schema, out=tmp_path / engine, ledger=ledger, engine=engine, **settings)
    measured = [shoal.measure(tmp_path / each, tmp_path / f"ledger of {each}") for each in ("local", "stream")]
    assert measured[0].measures == pytest.approx(measured[1].measures)
    found = shoal.verify(tmp_path / "stream", tmp_path / "ledger of stream")
    assert found.holds
    assert found.claimed == ()
    assert not shoal.verify(tmp_path / "local", tmp_path / "ledger of stream").holds
    attacked = shoal.attack(tmp_path / "stream", ledger=tmp_path / "ledger of stream", wordings="risk")
    assert attacked.findings[0].targets == 400


def test_people_with_several_records_are_published_on_disk_as_from_memory(tmp_path: Path) -> None:
    file, schema = people(tmp_path)
    pl.read_csv(file).with_columns(name="p" + (pl.int_range(pl.len()) // 2).cast(pl.String)).write_csv(file)
    schema["person"] = ["name"]
    made = shoal.publish(file, schema, K20, out=tmp_path / "out", ledger=tmp_path / "ledger", engine="stream")
    local = shoal.publish(file, schema, K20, out=tmp_path / "local", method="mondrian")
    assert any("mondrian" in note for note in made.notes)
    assert (made.group_sizes, made.loss) == (local.group_sizes, pytest.approx(local.loss))
    for engine in ("local", "stream"):
        assert shoal.verify(tmp_path / "out", engine=engine).holds
        assert shoal.verify(tmp_path / "out", tmp_path / "ledger", engine=engine).claimed == ()


def test_a_ledger_keeps_what_does_not_leave_too(tmp_path: Path) -> None:
    file, schema = people(tmp_path)
    weighted = pl.read_csv(file).with_columns(weight=pl.int_range(pl.len()) % 3 + 1.5, house=pl.lit(" 7 "))
    weighted.write_csv(file)
    schema["columns"] |= {"weight": "weight", "house": "household"}
    for engine in ("local", "stream"):
        ledger = tmp_path / f"ledger of {engine}"
        shoal.publish(file, schema, K20, method="lattice", engine=engine, out=tmp_path / engine, ledger=ledger)
    measured = [shoal.measure(tmp_path / each, tmp_path / f"ledger of {each}") for each in ("local", "stream")]
    assert measured[0].measures == pytest.approx(measured[1].measures)
    kept = pl.read_parquet(tmp_path / "ledger of stream" / "original")
    assert kept["weight"].to_list() == weighted["weight"].to_list()
    assert kept["name"].to_list() == weighted["name"].to_list()


def test_a_ledger_is_compared_on_disk_as_in_memory(tmp_path: Path) -> None:
    file, schema = people(tmp_path)
    for number, engine in enumerate(("local", "stream", "stream")):
        out, ledger = tmp_path / f"out {number}", tmp_path / f"ledger {number}"
        shoal.publish(file, schema, K20, out=out, ledger=ledger, method="lattice", engine=engine)
    for out, ledger in ((0, 0), (1, 1), (1, 2), (0, 2), (2, 0)):
        pair = tmp_path / f"out {out}", tmp_path / f"ledger {ledger}"
        local, streamed = (shoal.verify(*pair, engine=engine) for engine in ("local", "stream"))
        assert local.holds == (out == ledger)
        assert (streamed.reasons, streamed.claimed) == (local.reasons, local.claimed)
    (part,) = (tmp_path / "ledger 1" / "links").iterdir()
    links = pl.read_parquet(part)
    for changed in (links[1:], pl.concat([links, links[:3]]), links.with_columns(pl.col("pseudonym") + "x")):
        changed.write_parquet(part)
        state_anew(tmp_path / "ledger 1")
        pair = tmp_path / "out 1", tmp_path / "ledger 1"
        local, streamed = (shoal.verify(*pair, engine=engine) for engine in ("local", "stream"))
        assert not local.holds
        assert streamed.reasons == local.reasons


def test_the_plan_in_the_ledger_repeats_the_run_on_disk(tmp_path: Path) -> None:
    file, schema = people(tmp_path)
    (tmp_path / "people.schema.toml").write_text(TableSchema.model_validate(schema).to_toml())
    made = shoal.publish(file, models=K20, out=tmp_path / "out", ledger=tmp_path / "ledger", engine="stream")
    assert any("mondrian" in note for note in made.notes)
    again = shoal.publish(Plan.read(tmp_path / "ledger" / "plan.toml"), force=True)
    assert (again.groups, again.loss, again.group_sizes) == (made.groups, made.loss, made.group_sizes)
    assert json.loads((tmp_path / "out" / "certificate.json").read_text())["engine"] == "stream"


def test_force_replaces_parts_by_one_file_and_one_file_by_parts(tmp_path: Path) -> None:
    file, schema = people(tmp_path)
    settings = {"models": [K20], "method": "lattice", "out": tmp_path / "out", "ledger": tmp_path / "ledger"}
    for engine, data, links in (
        ("stream", "data", "links"),
        ("local", "data.csv", "links.parquet"),
        ("stream", "data", "links"),
        ("stream", "data", "links"),
    ):
        shoal.publish(file, schema, engine=engine, force=True, **settings)
        assert names(tmp_path / "out") == {"certificate.json", "schema.toml", data}
        assert links in names(tmp_path / "ledger")
        assert shoal.verify(tmp_path / "out", tmp_path / "ledger").holds
    with pytest.raises(FileError, match="exists already"):
        shoal.publish(file, schema, engine="stream", **settings)
    (tmp_path / "out" / "data" / "notes.txt").write_text("mine")
    with pytest.raises(FileError, match="did not write"):
        shoal.publish(file, schema, engine="stream", force=True, **settings)
    assert names(tmp_path) == {"people.csv", "out", "ledger"}


def _forged(out: Path, change: Callable[[dict], object]) -> None:
    stated = json.loads((out / "certificate.json").read_text())
    change(stated)
    (out / "certificate.json").write_text(json.dumps(stated))


@pytest.mark.parametrize("engine", ["local", "stream"])
def test_a_part_that_was_altered_removed_or_added_is_noticed(tmp_path: Path, engine) -> None:
    file, schema = people(tmp_path)
    shoal.publish(file, schema, K20, out=tmp_path / "out", method="lattice", engine="stream")
    (part,) = (tmp_path / "out" / "data").iterdir()
    content, certificate = part.read_bytes(), (tmp_path / "out" / "certificate.json").read_bytes()
    for harm, words in (
        (lambda: part.write_bytes(content[:-1] + b"x"), "altered"),
        (lambda: part.unlink(), "no file"),
        (lambda: (part.parent / "part-99999.parquet").write_bytes(content), "does not name"),
        (lambda: (part.parent / "notes.txt").write_bytes(b""), "parts of data alone"),
        (lambda: _forged(tmp_path / "out", lambda stated: stated["data"]["parts"][0].update(rows=7)), "rows"),
        (lambda: _forged(tmp_path / "out", lambda stated: stated["data"].update(parts=[])), "not a release"),
        (lambda: (tmp_path / "out" / "schema.toml").write_text("kind = 'table'"), "altered"),
    ):
        harm()
        with pytest.raises(FileError, match=words):
            shoal.verify(tmp_path / "out", engine=engine)
        for each in part.parent.iterdir():
            each.unlink()
        part.write_bytes(content)
        (tmp_path / "out" / "certificate.json").write_bytes(certificate)


def test_claims_that_the_parts_contradict_are_found_on_disk_as_in_memory(tmp_path: Path) -> None:
    file, schema = people(tmp_path)
    shoal.publish(file, schema, K20, out=tmp_path / "out", method="lattice", engine="stream")
    certificate = (tmp_path / "out" / "certificate.json").read_bytes()
    for change in (
        lambda stated: stated.update(records=401),
        lambda stated: stated.update(groups=1),
        lambda stated: stated.update(unit="records"),
        lambda stated: stated["promises"][0].update(level={"k": 21}),
        lambda stated: stated["promises"][0].update(promise="k-anonymity:k=100"),
        lambda stated: stated["promises"][0].update(meaning="Nothing."),
        lambda stated: stated["promises"][0].update(promise="k-epsilon:k=2,epsilon=1"),
        lambda stated: stated.update(accepted_against_audit=["town"]),
    ):
        _forged(tmp_path / "out", change)
        local, streamed = (shoal.verify(tmp_path / "out", engine=engine) for engine in ("local", "stream"))
        assert not local.holds
        assert streamed.reasons == local.reasons
        assert [each.holds for each in streamed.verdicts] == [each.holds for each in local.verdicts]
        (tmp_path / "out" / "certificate.json").write_bytes(certificate)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"method": "greedy-clustering"}, "greedy-clustering"),
        ({"seed": 1}, "seed"),
        ({"secret": "secret.txt"}, "secret"),
        ({"format": "csv"}, "Parquet"),
        ({"expand": True}, "expanded"),
        ({"duplicates": "last"}, "duplicates"),
        ({"memory": "much"}, "memory"),
        ({"accept": ["towm"]}, "towm"),
        ({"accept": ["town"]}, "not insensitive"),
        ({"accept": ["vacuous"]}, "vacuous"),
    ],
)
def test_what_cannot_be_done_on_disk_is_refused_with_what_to_do(tmp_path: Path, settings: dict, words: str) -> None:
    file, schema = people(tmp_path)
    (tmp_path / "secret.txt").write_text(bytes(range(32)).hex())
    settings = {"method": "lattice", **settings}
    if "secret" in settings:
        settings["secret"] = tmp_path / "secret.txt"
    with pytest.raises(WordingError, match=words) as refusal:
        shoal.publish(file, schema, K20, out=tmp_path / "out", engine="stream", **settings)
    assert refusal.value.cure
    assert names(tmp_path) == {"people.csv", "secret.txt"}


def test_a_frame_or_ratings_are_not_published_on_disk(tmp_path: Path) -> None:
    file, schema = people(tmp_path)
    with pytest.raises(WordingError, match="stream"):
        shoal.publish(pl.read_csv(file), schema, K20, out=tmp_path / "out", engine="stream")
    with pytest.raises(WordingError, match="memory"):
        shoal.verify(shoal.anonymize(pl.read_csv(file), schema, K20), engine="stream")
    assert names(tmp_path) == {"people.csv"}


def test_insensitive_columns_are_audited_on_disk_as_in_memory(tmp_path: Path) -> None:
    file, schema = people(tmp_path)
    schema["columns"]["name"] = "insensitive"
    asked = {"models": K20, "method": "lattice", "force": True, "out": tmp_path / "out"}
    with pytest.raises(AuditRefused, match="name"):
        shoal.publish(file, schema, engine="stream", **asked)
    shoal.publish(file, schema, engine="stream", accept=["name"], **asked)
    for engine in ("local", "stream"):
        assert shoal.verify(tmp_path / "out", engine=engine).accepted_against_audit == ("name",)
    _forged(tmp_path / "out", lambda stated: stated.update(accepted_against_audit=[]))
    local, streamed = (shoal.verify(tmp_path / "out", engine=engine) for engine in ("local", "stream"))
    assert len(local.reasons) == 2
    assert streamed.reasons == local.reasons


def test_promises_that_cannot_be_kept_leave_nothing(tmp_path: Path) -> None:
    file, schema = people(tmp_path)
    with pytest.raises(PromiseNotKept):
        shoal.publish(file, schema, "k-anonymity:k=100", out=tmp_path / "out", method="none", engine="stream")
    assert names(tmp_path) == {"people.csv"}


def test_auto_keeps_a_large_table_on_disk_and_says_so(tmp_path: Path) -> None:
    file, schema = people(tmp_path)
    asked = {"models": K20, "out": tmp_path / "out", "memory": "4KiB"}
    made = shoal.publish(file, schema, method="lattice", force=True, **asked)
    assert any("--engine stream" in note for note in made.notes)
    assert "data" in names(tmp_path / "out")
    in_memory = shoal.publish(file, schema, method="lattice", seed=1, force=True, **asked)
    assert any("read into memory" in note and "seed" in note for note in in_memory.notes)
    assert "data.csv" in names(tmp_path / "out")
    fits = shoal.publish(file, schema, method="lattice", force=True, **{**asked, "memory": "1GiB"})
    assert not any("stream" in note for note in fits.notes)


def test_harm_that_makes_the_certificate_fit_is_found_by_the_promises(tmp_path: Path) -> None:
    file, schema = people(tmp_path)
    shoal.publish(file, schema, K20, out=tmp_path / "out", method="lattice", engine="stream")
    (part,) = (tmp_path / "out" / "data").iterdir()
    rows = pl.read_parquet(part)
    first = pl.Series("town", ["Celle", *rows["town"][1:]])
    rows.with_columns(first).write_parquet(part)

    def fit(stated: dict) -> None:
        stated["data"]["parts"][0]["sha256"] = hashlib.sha256(part.read_bytes()).hexdigest()

    _forged(tmp_path / "out", fit)
    local, streamed = (shoal.verify(tmp_path / "out", engine=engine) for engine in ("local", "stream"))
    assert not streamed.holds
    assert (streamed.reasons, streamed.verdicts[0].level) == (local.reasons, local.verdicts[0].level)
    rows.rename({"town": "city"}).write_parquet(part)
    _forged(tmp_path / "out", fit)
    with pytest.raises(SchemaError):
        shoal.verify(tmp_path / "out", engine="stream")
