"""The commands as the contract has them: what they print, what they write, how they exit."""

import json
from pathlib import Path

import polars as pl
import pytest

from cli.files import write_long, write_survey, write_table

K5 = "k-anonymity:k=5"


def test_check_exits_0_where_promises_hold_and_1_where_they_do_not(run, tmp_path: Path) -> None:
    data, schema = write_survey(tmp_path)
    assert run("check", data, "--schema", schema, "--model", "k-epsilon:k=2,epsilon=0").status == 0
    failed = run("check", data, "--schema", schema, "--model", "k-epsilon:k=9,epsilon=0")
    assert failed.status == 1
    assert "does not hold" in failed.out


def test_check_prints_one_json_object_of_the_agreed_shape(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    ran = run("check", data, "--schema", schema, "-m", K5, "-m", "l-diversity:l=2", "--json")
    told = json.loads(ran.out)
    assert ran.status == 1
    assert set(told) == {"holds", "records", "people", "unit", "promises", "seconds"}
    assert told["holds"] is False
    assert told["records"] == 60
    assert [promise["promise"] for promise in told["promises"]] == [K5, "l-diversity:l=2,kind=distinct"]
    assert set(told["promises"][0]) == {"promise", "holds", "level", "violations"}
    assert ran.err == ""


def test_publish_then_verify_then_measure_a_table(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    out, ledger = tmp_path / "release", tmp_path / "ledger"
    ran = run(
        "publish", data, "--schema", schema, "-m", K5, "-m", "l-diversity:l=2,kind=distinct",
        "--method", "mondrian", "--out", out, "--ledger", ledger, "--json",
    )  # fmt: skip
    told = json.loads(ran.out)
    assert ran.status == 0
    assert {
        "holds", "records_in", "records_out", "groups", "cells_changed", "ratings_invented", "ratings_dropped",
        "distortion", "release", "seconds", "peak_mib", "ratings_kept", "cells_kept", "loss", "original_and_unique",
        "group_sizes", "kept", "warnings",
    } == set(told)  # fmt: skip
    assert told["holds"] is True
    assert told["records_out"] == told["records_in"] == 60
    assert sorted(path.name for path in out.iterdir()) == ["certificate.json", "data.csv", "schema.toml"]
    verified = run("verify", out, "--json")
    assert verified.status == 0
    assert json.loads(verified.out)["holds"] is True
    assert run("check", out, "-m", K5).status == 0
    measured = json.loads(run("measure", out, "--ledger", ledger, "--json").out)["measures"]
    assert measured == json.loads((ledger / "report.json").read_text(encoding="utf-8"))
    assert measured["cells changed"] == told["cells_changed"]
    assert measured["distortion"] == told["distortion"]


def test_a_wide_survey_stays_wide_and_a_long_file_stays_long(run, tmp_path: Path) -> None:
    for write, model in ((write_survey, "k-epsilon:k=2,epsilon=0"), (write_long, "k-anonymity:k=2")):
        data, schema = write(tmp_path)
        out, ledger = tmp_path / f"{data.stem}-release", tmp_path / f"{data.stem}-ledger"
        ran = run(
            "publish", data, "--schema", schema, "-m", model, "--out", out, "--ledger", ledger, "--withhold", "10%"
        )
        assert ran.status == 0, ran.err
        published, original = pl.read_csv(out / "data.csv"), pl.read_csv(data)
        kept = [name for name in original.columns if name != "timestamp"]
        assert set(published.columns) == set(kept)
        assert published.height > 0.8 * original.height
        assert run("check", out, "-m", model).status == 0
        assert run("measure", out, "--ledger", ledger).status == 0


def test_half_stars_come_back_as_half_stars(run, tmp_path: Path) -> None:
    data, schema = write_long(tmp_path)
    run("publish", data, "--schema", schema, "-m", "k-anonymity:k=2", "--out", tmp_path / "out", "--withhold", "20%")
    before, after = (set(pl.read_csv(file)["rating"]) for file in (data, tmp_path / "out" / "data.csv"))
    assert after <= before
    assert any(rating % 1 for rating in after)


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_the_published_format_can_be_chosen(run, tmp_path: Path, form: str) -> None:
    data, schema = write_table(tmp_path)
    ran = run("publish", data, "--schema", schema, "-m", K5, "--out", tmp_path / "out", "--format", form)
    assert ran.status == 0
    assert (tmp_path / "out" / f"data.{form}").is_file()
    assert run("verify", tmp_path / "out").status == 0


def test_what_cannot_be_promised_exits_3_and_leaves_nothing(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    before = sorted(tmp_path.iterdir())
    ran = run(
        "publish", data, "--schema", schema, "-m", K5, "--method", "none",
        "--out", tmp_path / "out", "--ledger", tmp_path / "ledger", "--json",
    )  # fmt: skip
    assert ran.status == 3
    assert json.loads(ran.out)["exit"] == 3
    assert sorted(tmp_path.iterdir()) == before


def test_the_same_seed_and_secret_give_the_same_files_and_no_seed_alone_does(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    (tmp_path / "one.txt").write_text(bytes(range(32)).hex() + "\n", encoding="ascii")
    (tmp_path / "two.txt").write_text(bytes(range(32, 64)).hex() + "\n", encoding="ascii")
    one, two = ("--secret", tmp_path / "one.txt"), ("--secret", tmp_path / "two.txt")

    def published(name: str, *more: object) -> bytes:
        assert run("publish", data, "--schema", schema, "-m", K5, "--out", tmp_path / name, *more).status == 0
        return b"".join(file.read_bytes() for file in sorted((tmp_path / name).iterdir()))

    assert published("a", "--seed", 7, *one) == published("b", "--seed", 7, *one)
    assert published("c", *one) == published("d", *one)
    assert published("e", "--seed", 8, *one) != published("f", "--seed", 7, *one)
    assert published("g", "--seed", 7, *one) != published("h", "--seed", 7, *two)
    assert published("i", "--seed", 7) != published("j", "--seed", 7)
    assert published("k") != published("l")
    assert b"seed" not in published("m", "--seed", 123456789)


def test_a_plan_says_all_that_the_terminal_can(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    plan, secret = tmp_path / "plan.toml", tmp_path / "secret.txt"
    secret.write_text(bytes(range(32)).hex() + "\n", encoding="ascii")
    plan.write_text(
        f'data = "{data.name}"\nschema = "{schema.name}"\nmodels = ["{K5}"]\nmethod = "mondrian:mode=relaxed"\n'
        'out = "by-plan"\nledger = "ledger"\nseed = 5\nsecret = "secret.txt"\nwithhold = "5%"\n',
        encoding="utf-8",
    )
    assert run("publish", "--plan", plan).status == 0
    options = ("--method", "mondrian:mode=relaxed", "--seed", 5, "--withhold", "5%", "--out", tmp_path / "by-options")
    assert run("publish", data, "--schema", schema, "-m", K5, "--secret", secret, *options).status == 0
    for name in ("data.csv", "certificate.json", "schema.toml"):
        assert (tmp_path / "by-plan" / name).read_bytes() == (tmp_path / "by-options" / name).read_bytes()
    assert run("publish", data, "--plan", plan).status == 2
    # the plan in the ledger is itself a plan
    again = tmp_path / "again.toml"
    again.write_text((tmp_path / "ledger" / "plan.toml").read_text(encoding="utf-8"), encoding="utf-8")
    assert run("publish", "--plan", again, "--force").status == 0
    for name in ("data.csv", "certificate.json", "schema.toml"):
        assert (tmp_path / "by-plan" / name).read_bytes() == (tmp_path / "by-options" / name).read_bytes()


def test_describe_says_what_was_understood(run, tmp_path: Path) -> None:
    data, schema = write_long(tmp_path)
    told = json.loads(run("describe", data, "--schema", schema, "--json").out)
    assert told["kind"] == "ratings"
    assert told["records"] == 20
    assert told["scale"] == "0.5 to 5 in steps of 0.5"
    data, schema = write_table(tmp_path)
    told = json.loads(run("describe", data, "--schema", schema, "--json").out)
    assert told["roles"]["quasi-identifier"] == ["age", "zip"]
    assert told["unique_records"] == 60


def test_describe_prints_a_schema_to_start_from_without_roles(run, tmp_path: Path) -> None:
    data, _ = write_table(tmp_path)
    ran = run("describe", data)
    assert ran.status == 0
    for name in ("name", "age", "zip", "visit", "disease"):
        assert f"[columns.{name}]" in ran.out
    assert 'role = ""' in ran.out
    assert run("check", data, "-m", K5).status == 2


def test_generate_writes_data_that_can_be_read(run, tmp_path: Path) -> None:
    sizes = {
        "ratings": ("--users", 50, "--items", 30, "--ratings", 400),
        "survey": ("--respondents", 50, "--issues", 6),
        "table": ("--rows", 80),
    }
    for kind, size in sizes.items():
        out = tmp_path / f"{kind}.csv"
        assert run("generate", kind, *size, "--seed", 3, "--out", out).status == 0
        told = json.loads(run("describe", out, "--schema", tmp_path / f"{kind}.schema.toml", "--json").out)
        assert told["records"] == size[1]
    assert (
        run("generate", "ratings", "--users", 2, "--items", 2, "--ratings", 5, "--out", tmp_path / "x.csv").status == 2
    )


def test_demo_tells_the_whole_story(run) -> None:
    ran = run("demo")
    assert ran.status == 0
    for word in ("does not hold", "holds", "refused", "altered after its certificate", "discernability"):
        assert word in ran.out


def test_known_names_are_told_when_a_name_is_unknown(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    ran = run("check", data, "--schema", schema, "-m", "k-anonimity:k=5")
    assert ran.status == 2
    assert "k-anonymity, k-epsilon, km-anonymity, l-diversity" in ran.err
    ran = run("check", data, "--schema", schema, "-m", "k-anonymity:kk=5")
    assert ran.status == 2
    assert "It knows: k, part." in ran.err
