"""What the owner accepts must be there, and readers are told of it."""

import hashlib
import json
import tomllib
from pathlib import Path

from cli.files import write_survey, write_table


def test_a_column_to_accept_that_is_not_there_is_refused(run, tmp_path: Path) -> None:
    for write, promise in ((write_table, "k-anonymity:k=5"), (write_survey, "k-anonymity:k=2")):
        data, schema = write(tmp_path)
        for name in ("diseas", "q9"):
            ran = run("publish", data, "--schema", schema, "-m", promise, "--out", tmp_path / "o", "--accept", name)
            assert ran.status == 2
            assert f"no column '{name}'" in ran.err
            assert not (tmp_path / "o").exists()


def test_that_a_promise_is_vacuous_is_accepted_of_ratings_alone(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    out = tmp_path / "o"
    ran = run("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--out", out, "--accept", "vacuous")
    assert ran.status == 2
    assert "applies to ratings" in ran.err
    assert "no column" not in ran.err


DENSITY = """
kind = "table"
[columns.age]
role = "quasi-identifier"
[columns.area]
role = "quasi-identifier"
[columns.density]
role = "insensitive"
[columns.disease]
role = "sensitive"
"""


def write_density(folder: Path) -> tuple[Path, Path]:
    """Write a table in which a column called insensitive is one to one with a quasi-identifier."""
    rows = [f"{20 + i * 7 % 45},{i % 12},{1000 + 37 * (i % 12)},{'xyz'[i % 3]}" for i in range(600)]
    data, schema = folder / "density.csv", folder / "density.toml"
    data.write_text("\n".join(["age,area,density,disease", *rows]) + "\n", encoding="utf-8")
    schema.write_text(DENSITY, encoding="utf-8")
    return data, schema


def test_a_column_that_undoes_the_promise_is_refused_and_leaves_nothing_behind(run, tmp_path: Path) -> None:
    data, schema = write_density(tmp_path)
    ran = run("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--out", tmp_path / "o")
    assert ran.status == 3
    assert "'density' depends on the generalized quasi-identifier 'area'" in ran.err
    assert "--accept density" in ran.err
    assert not (tmp_path / "o").exists()


def accepted(run, tmp_path: Path) -> Path:
    data, schema = write_density(tmp_path)
    out = tmp_path / "release"
    ran = run(
        *("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--out", out),
        *("--ledger", tmp_path / "ledger", "--accept", "density", "--json"),
    )
    assert ran.status == 0
    assert json.loads(ran.out)["accepted_against_audit"] == ["density"]
    return out


def test_certificate_schema_and_verify_name_what_was_accepted(run, tmp_path: Path) -> None:
    release = accepted(run, tmp_path)
    assert json.loads((release / "certificate.json").read_text())["accepted_against_audit"] == ["density"]
    columns = tomllib.loads((release / "schema.toml").read_text())["columns"]
    assert {
        name: published.get("accepted_against_audit") for name, published in columns.items() if name != "record"
    } == {
        **dict.fromkeys(("age", "area", "disease")),
        "density": True,
    }
    ran = run("verify", release)
    assert ran.status == 0
    assert "Published against the audit, accepted by name: density" in ran.out
    assert json.loads(run("verify", release, "--json").out)["accepted_against_audit"] == ["density"]
    assert run("check", release / "data.csv", "--schema", release / "schema.toml", "-m", "k-anonymity:k=5").status == 0


def forge(release: Path, accepted: object, *, in_schema: bool) -> None:
    """Write another list into the certificate, and leave the mark in the schema or take it out."""
    schema, certificate = release / "schema.toml", release / "certificate.json"
    if not in_schema:
        schema.write_text(schema.read_text().replace("accepted_against_audit = true\n", ""))
    published = json.loads(certificate.read_text())
    published["schema"]["sha256"] = hashlib.sha256(schema.read_bytes()).hexdigest()
    published["accepted_against_audit"] = accepted
    if accepted is None:
        del published["accepted_against_audit"]
    certificate.write_text(json.dumps(published))


def test_verify_notices_where_certificate_and_schema_differ(run, tmp_path: Path) -> None:
    release = accepted(run, tmp_path)
    for names, in_schema in (([], True), (["density"], False), (["density", "age"], True)):
        forge(release, names, in_schema=in_schema)
        ran = run("verify", release)
        assert ran.status == 1
        assert "do not name the same columns" in ran.out
        if not in_schema:
            schema = release / "schema.toml"
            schema.write_text(
                schema.read_text().replace("[columns.density]\n", "[columns.density]\naccepted_against_audit = true\n")
            )
    forge(release, "density", in_schema=True)
    assert run("verify", release).status == 2, "that is no list of names"


def test_a_certificate_that_does_not_say_what_was_accepted_is_none(run, tmp_path: Path) -> None:
    release = accepted(run, tmp_path)
    forge(release, None, in_schema=False)
    ran = run("verify", release)
    assert ran.status == 2
    assert "is not a release" in ran.err


def test_only_insensitive_columns_can_be_accepted(run, tmp_path: Path) -> None:
    data, schema = write_density(tmp_path)
    ask = ("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--out", tmp_path / "o")
    ran = run(*ask, "--accept", "density", "--accept", "area")
    assert ran.status == 2
    assert "'area' is not insensitive" in ran.err


def test_verify_finds_columns_that_single_people_out_and_are_not_named(run, tmp_path: Path) -> None:
    data, schema = write_density(tmp_path)
    lines = data.read_text().splitlines()
    shoes = [f"{line},{9000 + i}" for i, line in enumerate(lines[1:])]
    data.write_text("\n".join([f"{lines[0]},shoe", *shoes]) + "\n")
    schema.write_text(DENSITY.replace('"insensitive"', '"drop"') + '[columns.shoe]\nrole = "insensitive"\n')
    ask = ("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--out", tmp_path / "release")
    assert run(*ask).status == 3
    assert run(*ask, "--accept", "shoe").status == 0
    forge(tmp_path / "release", [], in_schema=False)
    ran = run("verify", tmp_path / "release")
    assert ran.status == 1
    assert "'shoe' singles people out" in ran.out
    assert "does not say that this was accepted" in ran.out


def test_describe_warns_before_anything_is_published(run, tmp_path: Path) -> None:
    data, schema = write_density(tmp_path)
    ran = run("describe", data, "--schema", schema)
    assert "'density' determines the quasi-identifier 'area'" in ran.out
    published = json.loads(run("describe", data, "--schema", schema, "--json").out)
    assert published["dependencies"] == [
        {"column": "density", "quasi_identifier": "area", "which": "determines", "exact": True}
    ]
    assert published["unique_on_insensitive"] == 0
    assert sum("'density' determines" in note for note in published["notes"]) == 1
    schema.write_text(DENSITY.replace('"sensitive"', '"insensitive"').replace('"insensitive"', '"sensitive"', 1))
    published = json.loads(run("describe", data, "--schema", schema, "--json").out)
    assert any(
        "The sensitive column 'density' determines the quasi-identifier 'area'" in note for note in published["notes"]
    )


def test_describe_counts_who_is_unique_on_insensitive_columns_together(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    schema.write_text(schema.read_text().replace('"identifier"', '"insensitive"').replace('"drop"', '"insensitive"'))
    published = json.loads(run("describe", data, "--schema", schema, "--json").out)
    assert published["unique_on_insensitive"] == 60
    assert any("60 of 60 records carry" in note and "refuses" in note for note in published["notes"])


def test_the_attacker_who_also_reads_them_is_in_the_attacks_and_the_report(run, tmp_path: Path) -> None:
    release = accepted(run, tmp_path)
    ran = run("attack", release, "--ledger", tmp_path / "ledger", "--json")
    found = {each["attack"]: each for each in json.loads(ran.out)["attacks"]}
    plain, more = found["risk:model=prosecutor"], found["risk:model=prosecutor,knows=insensitive"]
    assert more["main"] > plain["main"]
    assert plain["details"]["smallest_group"] >= 5
    assert more["details"]["smallest_group"] < 5
    assert more["details"]["records_below_promised_k"] > 0
    page = tmp_path / "report.html"
    assert run("report", release, "--ledger", tmp_path / "ledger", "--out", page).status == 0
    text = page.read_text(encoding="utf-8")
    assert "risk:model=prosecutor,knows=insensitive" in text
    assert "Columns accepted against the audit:</span> density." in text


def test_the_schema_of_a_column_that_is_not_audited_cannot_say_so(run, tmp_path: Path) -> None:
    data, schema = write_density(tmp_path)
    schema.write_text(DENSITY + "accepted_against_audit = true\n")
    ran = run("describe", data, "--schema", schema)
    assert ran.status == 2
    assert "only an insensitive column is audited" in ran.err
