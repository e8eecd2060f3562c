"""Opening and looking at data: files of every kind, what is wrong with them and the cure, and their records."""

import re
from pathlib import Path

import pytest

from server_under_test import LIMITS, living, write_people
from shoal.server.settings import ServiceSettings
from shoal.workbench import Workbench
from workbench.conftest import words_of


def upload(who, name: str, content: bytes, status: int = 200) -> tuple[str, str]:
    """Send a file with the form for browsers without scripts, and return the id of the data set and the page."""
    page = who.post("/open/upload", status=status, files={"file": (name, content, "application/octet-stream")})
    found = re.search(r"/data/([0-9a-f]{16})/delete", page)
    return (found[1] if found else ""), page


def test_a_table_is_opened_looked_at_and_removed(visitor, tmp_path: Path) -> None:
    who = visitor()
    dataset, _ = upload(who, "people.csv", write_people(tmp_path).read_bytes())
    page = who.finished(f"/data/{dataset}/look")
    words = words_of(page)
    assert words.index("Problems first") < words.index("In short")
    assert "Say what the columns are" in words
    assert "What names people, or helps to find them" in words
    assert "<svg" in page
    assert "The numbers" in words
    assert "p17" not in words, "a column that names people shows no values"
    assert "shoal describe people.csv" in words
    assert len(page) < 100_000
    assert who.get(f"/data/{dataset}/look") == page, "it can be loaded again"
    assert "people.csv" in words_of(who.get("/"))
    asked = words_of(who.get(f"/data/{dataset}/delete"))
    assert "deleted for good" in asked
    assert "people.csv" not in words_of(who.post(f"/data/{dataset}/delete")).split("Jobs")[0].split("Releases")[0]
    who.get(f"/data/{dataset}/look", status=404)


def test_records_are_shown_to_their_owner_some_at_a_time(visitor, tmp_path: Path) -> None:
    who = visitor()
    dataset, _ = upload(who, "people.csv", write_people(tmp_path).read_bytes())
    first = words_of(who.get(f"/data/{dataset}/rows"))
    assert "Records 1 to 50 of 120" in first
    assert "p49 " in first
    assert "p50 " not in first
    last = words_of(who.get(f"/data/{dataset}/rows?at=120"))
    assert "Records 101 to 120 of 120" in last
    assert "Records 101 to 120 of 120" in words_of(who.get(f"/data/{dataset}/rows?at=99999"))
    who.get(f"/data/{dataset}/rows?at=0", status=422)
    other = visitor("somebody else")
    for page in ("rows", "look", "delete"):
        other.get(f"/data/{dataset}/{page}", status=404)


def test_ratings_and_surveys_are_looked_at(visitor) -> None:
    who = visitor()
    ratings = "user,item,rating\n" + "".join(f"{u},{i},{1 + (u * i) % 5}\n" for u in range(30) for i in range(8))
    dataset, _ = upload(who, "films.csv", ratings.encode())
    words = words_of(who.finished(f"/data/{dataset}/look"))
    assert "Nothing stands in the way" in words
    assert "How high ratings are" in words
    assert "people" in words
    assert "unique" in words
    survey = "respondent,q1,q2,q3,q4,q5,q6\n" + "".join(
        f"r{u}," + ",".join(str(1 + (u * i) % 5) for i in range(1, 7)) + "\n" for u in range(40)
    )
    dataset, _ = upload(who, "survey.csv", survey.encode())
    assert "Say what the columns are" in words_of(who.finished(f"/data/{dataset}/look"))


def test_what_is_recognized_can_be_applied(visitor) -> None:
    """A mark that lies apart from the scale: what it probably means is offered, and applied by a button."""
    who = visitor()
    lines = [f"{u},{i},{99 if u % 7 == 0 else 1 + (u + i) % 5}" for u in range(1, 40) for i in range(1, 9)]
    dataset, _ = upload(who, "marks.csv", ("user,item,rating\n" + "\n".join(lines) + "\n").encode())
    words = words_of(who.finished(f"/data/{dataset}/look"))
    assert "lies apart from the others" in words
    assert "null = [99]" in words
    assert "schema.toml, which is read" not in words, "no page tells where files lie on the server"
    who.post(f"/data/{dataset}/look", {"do": "declare"})
    assert "Nothing stands in the way" in words_of(who.finished(f"/data/{dataset}/look"))
    again = who.post(f"/data/{dataset}/look", {"do": "declare"}, status=400)
    assert "nothing to add" in words_of(again), "it was applied already, in another tab perhaps"


def test_repeated_ratings_are_decided_in_the_address(visitor) -> None:
    who = visitor()
    ratings = "user,item,rating\n1,1,5\n1,1,3\n1,2,4\n2,1,2\n2,2,2\n3,1,4\n"
    dataset, _ = upload(who, "twice.csv", ratings.encode())
    page = who.finished(f"/data/{dataset}/look")
    assert "Repeated ratings" in words_of(page)
    who.post(f"/data/{dataset}/look", {"duplicates": "last"})
    words = words_of(who.finished(f"/data/{dataset}/look?duplicates=last"))
    assert "Of repeated ratings the last counts" in words
    assert "--duplicates last" in words


@pytest.mark.parametrize(
    ("name", "content", "status", "says"),
    [
        ("empty.csv", b"", 400, "nothing in the body"),
        (".hidden", b"a,b\n1,2\n", 400, "no name that can be kept"),
    ],
)
def test_files_that_cannot_be_kept_are_refused_beside_the_form(visitor, name, content, status, says) -> None:
    who = visitor("careless")
    _, page = upload(who, name, content, status)
    assert says in words_of(page)
    assert "Open data" in page
    assert "No data yet" in words_of(who.get("/")), "nothing is left behind"


def test_forms_without_what_they_need(visitor) -> None:
    who = visitor()
    assert "No file was chosen" in words_of(who.post("/open/upload", status=400))
    assert "No path was given" in words_of(who.post("/open/path", status=400))
    assert "There is no such example" in words_of(who.post("/open/example", {"name": "x"}, status=400))
    assert "no such file" in words_of(who.post("/open/path", {"path": "/etc/passwd"}, status=404))


def test_a_damaged_file_is_told_with_its_cure(visitor) -> None:
    who = visitor()
    dataset, _ = upload(who, "broken.csv", b"a,b,c\n1,2,3\n4,5\n6,7,8\n")
    words = words_of(who.finished(f"/data/{dataset}/look"))
    assert "What to do:" in words
    assert "Try again" in words
    who.get(f"/data/{dataset}/rows", status=400)


def test_an_example_is_ready_at_once(visitor) -> None:
    who = visitor()
    page = who.post("/open/example", {"name": "answers.csv"})
    dataset = re.search(r"/data/([0-9a-f]{16})/delete", page)
    assert dataset is not None
    words = words_of(who.finished(f"/data/{dataset[1]}/look"))
    assert "Nothing stands in the way" in words
    assert "Risk as it stands" in words


def test_data_on_the_server_are_listed_and_opened_where_they_are(coming, tmp_path: Path) -> None:
    root = tmp_path / "shared"
    (root / "inner").mkdir(parents=True)
    write_people(root / "inner")
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    settings = ServiceSettings(folder=tmp_path / "service", port=0, limits=LIMITS, roots=(root,))
    with living(settings, Workbench()) as live:
        who = coming(live)
        assert str(root) in who.get("/open")
        inner = who.get(f"/open?folder={root}/inner")
        assert "people.csv" in words_of(inner)
        assert "secret" not in who.get(f"/open?folder={tmp_path}")
        page = who.post("/open/path", {"path": str(root / "inner" / "people.csv")})
        dataset = re.search(r"/data/([0-9a-f]{16})/delete", page)
        assert dataset is not None
        assert "registered where it lies" in words_of(who.finished(f"/data/{dataset[1]}/look"))
        wrong = who.post("/open/path", {"path": str(tmp_path / "secret.csv"), "folder": str(root)}, status=404)
        assert "secret.csv" in wrong, "what was entered is kept"
        who.post(f"/data/{dataset[1]}/delete")
        assert (root / "inner" / "people.csv").exists()
