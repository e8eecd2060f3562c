"""The first look at data: what is planted is seen, what is sure is filled in, and values stay with the owner."""

import json
import os
import random
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import shoal
from cli.files import write_survey, write_table
from shoal.errors import FileError, WordingError

DRAW = random.Random(3)
DISEASES = ("flu", "asthma", "hepatitis")


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    """Write a table with what a first look should find."""
    lines = ["patient,e_mail,age,sex,ward,floor,country,visit,remarks,disease"]
    for i in range(300):
        age = 567_658 if i == 7 else DRAW.randint(18, 88)
        ward = DRAW.choice("ABCDEF")
        remark = "call (212) 555-0199" if i in (9, 10) else DRAW.choice(["fine", "well", "came late"])
        visit = f"2024-{DRAW.randint(1, 12):02d}-{DRAW.randint(1, 28):02d}"
        person = f"{10_000 + i},someone{i}@mail.example.org,{age},{DRAW.choice('FM')}"
        place = f"{ward},{'ABCDEF'.index(ward) // 2},NO"
        lines.append(f"{person},{place},{visit},{remark},{DISEASES[i % 3]}")
    path = tmp_path / "clinic.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_wrong_age_is_visible_at_once(run, clinic: Path) -> None:
    ran = run("describe", clinic)
    assert ran.status == 0
    assert "567,658" in ran.out
    assert "The highest value of 'age' is far from nearly all others" in ran.out


def test_what_was_planted_is_found(run, clinic: Path) -> None:
    told = json.loads(run("describe", clinic, "--json").out)
    columns = {column["name"]: column for column in told["columns"]}
    assert columns["age"]["quantiles"]["highest"] == 567_658
    assert columns["age"]["far_out"] == ["highest"]
    assert columns["visit"]["type"] == "date"
    assert columns["country"]["suggested_roles"][0]["role"] == "drop"
    kinds = {(each["column"], each["kind"]): each for each in told["screened"]}
    assert kinds["e_mail", "e-mail address"]["sure"]
    assert kinds["remarks", "telephone number"]["by"] == "inside text"
    assert {"column": "ward", "determines": "floor", "exact": True, "mutual": False, "same": False} in told[
        "functional_dependencies"
    ]
    assert {each["role"] for each in columns["disease"]["suggested_roles"]} == {"sensitive"}
    assert told["duplicate_records"] == 0
    assert all(0 < each["distinction"] <= 1 for each in told["separation"])


def test_values_are_shown_on_a_terminal_or_where_asked_for(run, clinic: Path) -> None:
    assert DISEASES[0] not in run("describe", clinic).out
    assert DISEASES[0] not in run("describe", clinic, "--json").out
    assert DISEASES[0] in run("describe", clinic, "--values").out
    shown = json.loads(run("describe", clinic, "--values", "--json").out)
    assert DISEASES[0] in str(shown)
    for out in (run("describe", clinic, "--values").out, str(shown)):
        assert "someone" not in out  # not of what names people
        assert "555-0199" not in out
        assert "came late" not in out  # nor beside it


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_a_terminal_shows_values(clinic: Path) -> None:
    import pty

    leader, follower = pty.openpty()
    program = "import sys; sys.argv[0] = 'shoal'; from shoal.cli.main import main; main()"
    command = [sys.executable, "-c", program, "describe", str(clinic)]
    with subprocess.Popen(command, stdout=follower, stderr=subprocess.DEVNULL) as process:
        os.close(follower)
        shown = b""
        try:
            while part := os.read(leader, 1 << 16):
                shown += part
        except OSError:
            pass  # the other side is closed
        assert process.wait() == 0
    os.close(leader)
    assert DISEASES[0].encode() in shown


def test_the_starter_schema_states_what_is_sure_and_check_goes_on_from_there(run, clinic: Path) -> None:
    schema = clinic.with_name("schema.toml")
    ran = run("describe", clinic, "--out", schema)
    assert ran.status == 0
    text = schema.read_text(encoding="utf-8")
    assert str(schema) in ran.out
    assert '[columns.e_mail]\nrole = "identifier"  #' in text
    assert text.count('role = ""') == 9
    assert '[columns.visit]\nrole = ""' in text
    assert 'type = "date"' in text
    refused = run("check", clinic, "--schema", schema, "-m", "k-anonymity:k=2")
    assert refused.status == 2
    roles = {"patient": "identifier", "disease": "sensitive", "remarks": "drop", "country": "drop"}
    for name in ("patient", "age", "sex", "ward", "floor", "country", "visit", "remarks", "disease"):
        head, rest = text.split(f'[columns.{name}]\nrole = ""')
        text = f'{head}[columns.{name}]\nrole = "{roles.get(name, "quasi-identifier")}"{rest}'
    schema.write_text(text, encoding="utf-8")
    assert run("check", clinic, "--schema", schema, "-m", "k-anonymity:k=2").status == 1


def test_nothing_is_replaced_without_being_asked(run, clinic: Path) -> None:
    schema, page, foreign = (clinic.with_name(name) for name in ("s.toml", "p.html", "mine.toml"))
    assert run("describe", clinic, "--out", schema, "--html", page).status == 0
    assert run("describe", clinic, "--out", schema).status == 2
    assert run("describe", clinic, "--html", page).status == 2
    assert run("describe", clinic, "--out", schema, "--html", page, "--force").status == 0
    foreign.write_text("kind = 'table'\n", encoding="utf-8")
    assert run("describe", clinic, "--out", foreign, "--force").status == 2
    assert foreign.read_text(encoding="utf-8") == "kind = 'table'\n"
    assert oct(page.stat().st_mode)[-3:] == "600"


def test_the_page_is_whole_and_says_that_it_must_not_leave(run, clinic: Path) -> None:
    page = clinic.with_name("look.html")
    ran = run("describe", clinic, "--html", page)
    assert str(page) in ran.out
    text = page.read_text(encoding="utf-8")
    assert text.index("must not leave") < text.index("<h1>")
    assert "567,658" in text
    assert "someone" not in text
    assert text.count("<figure>") == 7  # all but the two that name people and the one with a telephone number
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_with_a_schema_ranges_of_identifiers_are_not_shown(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    told = json.loads(run("describe", data, "--schema", schema, "--json").out)
    columns = {column["name"]: column for column in told["columns"]}
    assert columns["age"]["quantiles"]["lowest"] == 20
    assert set(columns["name"]) >= {"name", "role", "type", "distinct", "missing", "levels"}
    assert "quantiles" not in columns["name"]
    assert told["separation"]
    assert {name for each in told["separation"] for name in each["columns"]} == {"age", "zip"}


def test_an_identifier_with_a_role_that_leaves_is_told(run, clinic: Path) -> None:
    schema = clinic.with_name("wrong.toml")
    names = ("patient", "e_mail", "age", "sex", "ward", "floor", "country", "visit", "remarks", "disease")
    roles = "".join(f'[columns.{name}]\nrole = "quasi-identifier"\n' for name in names)
    schema.write_text(f'kind = "table"\n{roles}', encoding="utf-8")
    ran = run("describe", clinic, "--schema", schema)
    assert "The column 'e_mail' has the role quasi-identifier, but looks like an identifier (e-mail address" in ran.out
    assert run("describe", clinic, "--schema", schema, "--out", clinic.with_name("x.toml")).status == 2


def test_ratings_are_counted(run, tmp_path: Path) -> None:
    data = tmp_path / "ratings.csv"
    data.write_text("user,item,rating\n1,a,5\n1,b,4\n2,a,5\n3,a,1\n3,c,2\n", encoding="utf-8")
    told = json.loads(run("describe", data, "--json").out)
    assert told["rating_counts"] == {"1": 1, "2": 1, "3": 0, "4": 1, "5": 2}
    assert told["ratings_a_person"]["most"] == 2
    assert told["ratings_an_item"]["most"] == 3
    assert (told["items_rated_once"], told["people_who_rated_them"]) == (2, 2)
    assert "How high ratings are" in run("describe", data).out
    schema = tmp_path / "schema.toml"
    assert run("describe", data, "--out", schema).status == 0
    assert run("check", data, "--schema", schema, "-m", "k-anonymity:k=2").status == 1


def test_what_looks_like_ratings_gets_a_whole_schema(run, tmp_path: Path) -> None:
    data, schema = tmp_path / "films.csv", tmp_path / "schema.toml"
    rated = [f"{user},{item},{1 + (user * item) % 5}" for user in range(7, 19) for item in range(6)]
    data.write_text("\n".join(rated) + "\n", encoding="utf-8")
    ran = run("describe", data, "--out", schema)
    assert ran.status == 0
    assert 'layout = "long"' in schema.read_text(encoding="utf-8")
    assert run("check", data, "--schema", schema, "-m", "k-anonymity:k=2").status == 0


def test_numbers_that_are_not_finite_are_told(run, tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("x,y\n1.5,a\nNaN,b\ninf,a\n2.5,c\n", encoding="utf-8")
    told = json.loads(run("describe", data, "--json").out)
    assert told["columns"][0] | {"type": "number", "missing": 2} == told["columns"][0]
    assert any("2 values that are NaN or infinite" in note for note in told["notes"])


def test_a_description_shows_itself_without_values(clinic: Path, tmp_path: Path) -> None:
    description = shoal.describe(clinic, values=True)
    assert "567,658" not in repr(description)
    assert DISEASES[0] not in repr(description)
    assert "567,658" in description._repr_html_()
    survey, schema = write_survey(tmp_path)
    assert "<svg" in shoal.describe(survey, schema)._repr_html_()


def test_a_source_that_was_read_is_described(tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    source = shoal.read(data, schema)
    assert shoal.describe(source).columns == shoal.describe(data, schema).columns
    with pytest.raises(WordingError):
        shoal.describe(source, out=tmp_path / "x.toml")
    (tmp_path / "x.toml").write_text("mine", encoding="utf-8")
    with pytest.raises(FileError):
        shoal.describe(data, out=tmp_path / "x.toml")


def test_what_is_left_to_do_is_said_of_ratings_as_of_tables(run, clinic: Path) -> None:
    survey = clinic.with_name("survey.csv")
    rows = [",".join([f"p{i}", *(str(1 + (i * j) % 5) for j in range(1, 7))]) for i in range(60)]
    survey.write_text("\n".join(["who,a,b,c,d,e,f", *rows]) + "\n", encoding="utf-8")
    ran = run("describe", survey, "--out", survey.with_name("s.toml"))
    assert 'kind = "ratings"' in survey.with_name("s.toml").read_text(encoding="utf-8")
    assert "check which columns are which" in ran.out
    assert "roles that are open" in run("describe", clinic, "--out", clinic.with_name("t.toml")).out


def test_an_item_of_which_nobody_chose_an_end_is_an_item(run, tmp_path: Path) -> None:
    rows = [",".join([*(str(1 + (i + j) % 5) for j in range(6)), str(2 + i % 4), str(1 + i % 2)]) for i in range(60)]
    (tmp_path / "s.csv").write_text("\n".join(["a,b,c,d,e,f,friends,gender", *rows]) + "\n", encoding="utf-8")
    schema = tomllib.loads(json.loads(run("describe", tmp_path / "s.csv", "--json").out)["starter_schema"])
    assert schema["items"] == [*"abcdef", "friends"]
    assert schema["ignore"] == ["gender"]
