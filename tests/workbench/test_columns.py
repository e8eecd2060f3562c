"""Columns and ratings: nothing is harmless by itself, decisions are kept, and what comes of them is a schema file."""

import re
import tomllib

import pytest

from server_under_test import write_people
from workbench.conftest import Visitor, words_of

LONG = "user,item,rating\n" + "".join(f"{u},{i},{1 + (u * i) % 5}\n" for u in range(30) for i in range(8))
WIDE = "respondent,sex,q1,q2,q3,q4,q5,q6\n" + "".join(
    f"r{u},{'fm'[u % 2]}," + ",".join(str(1 + (u * i) % 5) for i in range(1, 7)) + "\n" for u in range(40)
)


def opened(who: Visitor, name: str, content: bytes) -> str:
    """Send a file, wait until it was looked at, and return the id of the data set."""
    page = who.post("/open/upload", files={"file": (name, content, "text/csv")})
    found = re.search(r"/data/([0-9a-f]{16})/delete", page)
    assert found is not None
    who.finished(f"/data/{found[1]}/look")
    return found[1]


def form_of(page: str) -> dict[str, str]:
    """Return what the form of roles would send as it stands."""
    form = page[page.index('class="schema"') : page.index('id="file"')]
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
    fields |= dict(re.findall(r'<input id="[^"]+" name="([^"]+)"[^>]*? value="([^"]*)"', form))
    for name, options in re.findall(r'<select [^>]*?name="([^"]+)"[^>]*>(.*?)</select>', form, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        fields[name] = chosen[1] if chosen else ""
    for name in re.findall(r'<input type="checkbox" [^>]*?name="([^"]+)"[^>]* checked', form):
        fields[name] = "yes"
    return fields


def schema_of(who: Visitor, dataset: str) -> dict:
    """Return the schema as it is downloaded."""
    return tomllib.loads(who.get(f"/data/{dataset}/schema.toml"))


@pytest.fixture(scope="module")
def table(visitor, tmp_path_factory) -> tuple[Visitor, str]:
    who = visitor()
    return who, opened(who, "people.csv", write_people(tmp_path_factory.mktemp("people")).read_bytes())


def test_a_table_from_nothing_to_a_schema_and_back(table) -> None:
    who, dataset = table
    here = f"/data/{dataset}/columns"
    page = who.get(here)
    fields = form_of(page)
    roles = {fields[f"column.{n}"]: fields[f"role.{n}"] for n in range(1, 5)}
    assert roles == {"name": "identifier", "age": "", "town": "", "disease": ""}, "nothing is preselected as harmless"
    assert "3 columns left to decide" in words_of(page)
    assert "perhaps identifier" in words_of(page)
    assert "no schema yet" in words_of(who.get(f"/data/{dataset}/schema.toml", status=404))
    # one decision is kept, whatever is loaded again
    fields["role.2"] = "quasi-identifier"
    assert "2 columns left to decide" in words_of(who.post(here, {**fields, "do": "save"}))
    assert form_of(who.get(here))["role.2"] == "quasi-identifier"
    # suggestions are taken only on demand
    page = who.post(here, {**form_of(who.get(here)), "do": "suggest"})
    assert form_of(page)["role.4"] == "sensitive"
    assert "Every column has a role" in words_of(page)
    who.post(here, {**form_of(page), "type.2": "number", "do": "save"})
    page = who.finished(here)
    assert "The schema is saved" in words_of(page)
    schema = schema_of(who, dataset)
    assert schema["columns"]["age"] == {"role": "quasi-identifier", "type": "number"}
    assert schema["columns"]["disease"]["role"] == "sensitive"
    assert "of 120 records" in words_of(who.finished(f"/data/{dataset}/look"))
    # another one, and back
    who.post(here, {**form_of(page), "role.2": "drop", "do": "save"})
    assert schema_of(who, dataset)["columns"]["age"]["role"] == "drop"
    assert "Back to the one before" in who.finished(here)
    who.post(here, {"do": "undo"})
    assert schema_of(who, dataset) == schema
    who.post(here, {"do": "undo"})
    assert schema_of(who, dataset)["columns"]["age"]["role"] == "drop", "going back can be undone, too"
    who.post(here, {"do": "undo"})


def test_wrong_inputs_are_told_beside_their_fields(table) -> None:
    who, dataset = table
    here = f"/data/{dataset}/columns"
    who.finished(here)
    kept = schema_of(who, dataset)
    fields = {**form_of(who.get(here)), "do": "save"}
    wrong = [
        ({"setting.weight_classes": "many"}, 400, "number of weight classes is not a number"),
        ({"setting.weight_classes": "3"}, 400, "no column has the role weight"),
        ({"role.1": "weight", "role.2": "weight"}, 400, "only one column can have the role weight"),
        ({"role.2": "harmless"}, 400, "'age' has no role"),
        ({"type.2": "shape"}, 400, "no such type"),
        ({"person.2": "yes"}, 400, "names the person"),
        ({"setting.unit": "yes", "person.1": "yes"}, 400, "count records"),
    ]
    for changed, status, says in wrong:
        page = who.post(here, {**fields, **changed}, status=status)
        assert says in words_of(page), changed
        assert "The schema was not saved" in page
        again = form_of(page)
        assert all(again.get(name) == value for name, value in changed.items() if value not in ("harmless", "shape"))
    assert 'aria-invalid="true"' in who.post(here, {**fields, "setting.weight_classes": "many"}, status=400)
    assert "column" in words_of(who.post(here, {**fields, "do": "rest", "rest": ""}, status=400))
    for text, says in (("kind = table", "not TOML"), ("", "nothing in the text"), ('kind = "zoo"', "kind")):
        page = who.post(here, {"do": "import", "text": text}, status=400)
        assert says in words_of(page)
        assert text in page.replace("&#34;", '"'), "what was written is kept"
    assert "No file was chosen" in words_of(who.post(here, {"do": "file"}, status=400))
    who.get(f"{here}?as=zoo", status=422)
    assert schema_of(who, dataset) == kept, "nothing of it was saved"


def test_of_two_tabs_the_later_one_is_asked_first(table) -> None:
    who, dataset = table
    here = f"/data/{dataset}/columns"
    one = {**form_of(who.get(here)), "do": "save"}
    other = dict(one)
    who.post(here, {**one, "role.4": "insensitive"})
    page = who.post(here, {**other, "role.3": "drop"}, status=409)
    assert "changed since this page was loaded" in words_of(page)
    assert form_of(page)["role.3"] == "drop", "what was chosen is still there"
    who.post(here, {**form_of(page), "do": "save"})
    assert schema_of(who, dataset)["columns"]["town"]["role"] == "drop"
    assert schema_of(who, dataset)["columns"]["disease"]["role"] != "insensitive"


def test_a_schema_is_imported_as_text_and_as_a_file(table) -> None:
    who, dataset = table
    here = f"/data/{dataset}/columns"
    text = 'kind = "table"\n' + "".join(
        f'[columns.{name}]\nrole = "{role}"\n'
        for name, role in (("name", "identifier"), ("age", "quasi-identifier"), ("town", "drop"), ("disease", "drop"))
    )
    who.post(here, {"do": "import", "text": text})
    assert schema_of(who, dataset) == tomllib.loads(text)
    changed = text.replace('"drop"', '"sensitive"')
    who.post(here, {"do": "file"}, files={"schema": ("schema.toml", changed.encode(), "application/toml")})
    assert schema_of(who, dataset) == tomllib.loads(changed)
    bad = {"schema": ("schema.toml", b"\xff\xfe\x00", "application/toml")}
    assert "not UTF-8" in words_of(who.post(here, {"do": "file"}, status=400, files=bad))
    stolen = text.replace('role = "quasi-identifier"', 'role = "quasi-identifier"\nhierarchy = "/etc/passwd"')
    assert "not with the data" in words_of(who.post(here, {"do": "import", "text": stolen}, status=400))


def test_a_survey_with_demographics(visitor) -> None:
    who = visitor()
    dataset = opened(who, "survey.csv", WIDE.encode())
    here = f"/data/{dataset}/columns"
    page = who.get(here)
    assert "one person a line" in words_of(page)
    fields = form_of(page)
    roles = {fields[f"column.{n}"]: fields[f"role.{n}"] for n in range(1, 9)}
    assert roles["respondent"] == "identifier"
    assert {name: role for name, role in roles.items() if role} == {"respondent": "identifier"}, "nothing else is"
    assert "perhaps answer: it has numbers on a scale" in words_of(page)
    assert "sensitive answer" in re.findall(r"<option[^>]*>([^<]*)</option>", page)
    fields = form_of(who.post(here, {**fields, "do": "suggest"}))
    roles = {fields[f"column.{n}"]: fields[f"role.{n}"] for n in range(1, 9)}
    assert roles["q1"] == "item"
    assert roles["sex"] != "item"
    assert fields["setting.lowest"] == "1"
    changed = {**fields, "role.2": "quasi-identifier", "role.7": "item", "role.8": "sensitive item", "do": "save"}
    for wrong, says in (
        ({"setting.lowest": "low"}, "lowest rating is not a number"),
        ({f"role.{n}": "ignore" for n in range(3, 9)}, "No column holds answers"),
    ):
        assert says in words_of(who.post(here, {**changed, **wrong}, status=400))
    who.post(here, changed)
    assert "The schema is saved" in words_of(who.finished(here))
    schema = schema_of(who, dataset)
    assert schema["layout"] == "wide"
    assert schema["id"] == ["respondent"]
    assert schema["sensitive"] == ["q6"]
    assert schema["columns"] == {"sex": {"role": "quasi-identifier"}}
    again = form_of(who.get(here))
    read = [line.split(",") for line in WIDE.split()]
    for n in (2, 3, 8):  # of demographics and of answers, it is still said what was found
        answers = [line[n - 1] for line in read[1:]]
        told = f"{len({each for each in answers if each})} distinct value"
        assert told in words_of(who.get(here)).partition(f"Role of {read[0][n - 1]}")[2].partition("Role of")[0]
    assert [again[f"role.{n}"] for n in (1, 2, 3, 8)] == ["identifier", "quasi-identifier", "item", "sensitive item"]
    assert "one record a line" in words_of(who.get(f"{here}?as=table")), "it may be taken for a table instead"
    assert schema_of(who, dataset) == schema


def test_ratings_one_a_line(visitor) -> None:
    who = visitor()
    dataset = opened(who, "films.csv", LONG.encode())
    here = f"/data/{dataset}/columns"
    fields = {**form_of(who.get(here)), "do": "save"}
    assert fields["setting.user"] == "user"
    assert fields["setting.highest"] == "5"
    wrong = who.post(here, {**fields, "setting.lowest": "9"}, status=400)
    assert "The schema was not saved" in wrong
    who.post(here, {**fields, "setting.lowest": "0", "setting.sensitive": "3\r\n5", "duplicates": "last"})
    schema = schema_of(who, dataset)
    assert schema["scale"] == [0, 5]
    assert schema["sensitive"] == ["3", "5"]
    words = words_of(who.finished(f"/data/{dataset}/look"))
    assert "sensitive items 2" in words
    assert "Of repeated ratings the last counts" in words_of(who.get(f"/data/{dataset}/look?duplicates=last"))


def test_a_table_of_many_columns_is_decided_page_by_page(visitor) -> None:
    who = visitor()
    names = [f"c{i:03}" for i in range(95)]
    lines = [",".join(names), *(",".join("xyz"[(r * i) % 3] for i in range(95)) for r in range(30))]
    dataset = opened(who, "many.csv", ("\n".join(lines) + "\n").encode())
    here = f"/data/{dataset}/columns"
    page = who.get(here)
    assert len(page) < 100_000
    assert "Columns 1 to 40 of 95" in words_of(page)
    fields = {**form_of(page), "role.1": "sensitive", "do": "page.2"}
    page = who.post(here, fields)
    assert "Columns 41 to 80 of 95" in words_of(page)
    assert "c000" not in words_of(page).split("Nothing is published")[0], "what was chosen on the page before is kept"
    page = who.post(here, {**form_of(page), "do": "rest", "rest": "quasi-identifier"})
    who.post(here, {**form_of(page), "do": "save"})
    roles = {name: each["role"] for name, each in schema_of(who, dataset)["columns"].items()}
    assert roles == dict.fromkeys(names, "quasi-identifier") | {"c000": "sensitive"}
