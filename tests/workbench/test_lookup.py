"""Look me up: the answer is right and in words, what is entered is kept nowhere, and foreign releases stay closed."""

import csv
from pathlib import Path

import pytest

from server_under_test import PEOPLE, write_people
from shoal.server.store import Role
from workbench.conftest import words_of


@pytest.fixture(scope="module")
def release(live, tmp_path_factory) -> str:
    """Return a release of the owner ada, of a table."""
    with live.client("ada") as client:
        data = client.upload(write_people(tmp_path_factory.mktemp("data")), PEOPLE)
        job = client.run("publish", dataset=data["id"], models=["k-anonymity:k=4"], method="mondrian")
        return job["result"]["release"]


def _fitting(folder: Path, age: int, town: str) -> list[dict[str, str]]:
    """Return the published records that fit, by a reading of labels of our own."""
    with (folder / "data.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    def fits(label: str) -> bool:
        if label == "*" or label == str(age):
            return True
        low, _, high = label.strip("[])").partition(",")
        return bool(high) and float(low) <= age and (age < float(high) or (label.endswith("]") and age == float(high)))

    return [row for row in rows if fits(row["age"]) and row["town"] in (town, "*")]


def test_the_answer_is_what_the_release_says(release, live, visitor) -> None:
    ada = visitor("ada")
    assert f"/lookup?release={release}" in ada.get("/lookup")
    form = ada.get(f"/lookup?release={release}")
    assert 'name="value:age"' in form
    assert "value:disease" not in form  # it is not asked for what nobody is to know
    answer = words_of(ada.post("/lookup", {"release": release, "value:age": "12", "value:town": "Ulm"}))
    fitting = _fitting(live.service.release_folder(release) / "release", 12, "Ulm")
    assert len(fitting) >= 4
    assert f"{len(fitting)} records fit what you say." in answer
    assert "Your record may be one of these." in answer
    assert "among at least 4 people" in answer
    flu = sum(row["disease"] == "flu" for row in fitting)
    if flu:
        assert "flu" in answer


def test_nothing_that_was_entered_is_kept(release, live, visitor) -> None:
    ada = visitor("ada")
    before = live.service.jobs.of_user("ada")
    page = ada.post("/lookup", {"release": release, "value:age": "17", "value:town": "Zwanenburg-aan-Zee"})
    assert "Zwanenburg-aan-Zee" in page  # the form keeps it, in the answer alone
    assert "No record fits" in words_of(page)
    ada.post("/lookup", {"release": release, "value:age": "Zwanenburg" * 51}, status=400)
    assert live.service.jobs.of_user("ada") == before
    for file in live.service.settings.folder.rglob("*"):
        assert not file.is_file() or b"Zwanenburg" not in file.read_bytes(), file.name


@pytest.mark.parametrize(
    "fields", [{}, {"value:age": "1" * 501}, {"items": "no comma"}, {"value:age": "twelve", "value:town": "Ulm"}]
)
def test_what_cannot_be_looked_up_is_told_beside_the_form(fields, release, visitor) -> None:
    page = visitor("ada").post("/lookup", {"release": release, **fields}, status=400)
    assert 'role="alert"' in page
    assert "What to do:" in page
    for name, value in fields.items():
        assert name == "items" or value in page


def test_what_no_record_has_is_told_before_the_answer(release, visitor) -> None:
    answer = words_of(visitor("ada").post("/lookup", {"release": release, "value:town": "Ulmm", "value:age": "12"}))
    doubt, reading = answer.index("your value of: town"), answer.index("If you wrote everything right")
    assert doubt < answer.index("records fit what you say") < reading
    assert "No record fits: yours is not in the release" not in answer


def test_general_labels_fit_the_values_below_them(live, visitor, tmp_path) -> None:
    towns = tmp_path / "towns.csv"
    towns.write_text("Ulm;Germany;*\nBonn;Germany;*\nOslo;Norway;*\n", encoding="utf-8")
    with live.client("ada") as client:
        data = client.upload(write_people(tmp_path), PEOPLE)["id"]
        client.add_file(data, towns)
        columns = {**PEOPLE["columns"], "town": {"role": "quasi-identifier", "hierarchy": "towns.csv"}}
        client.set_schema(data, {**PEOPLE, "columns": columns})
        promised = ["k-anonymity:k=4", "l-diversity:l=2"]  # all of Bonn have one disease, so that towns are mixed
        job = client.run("publish", dataset=data, models=promised, method="mondrian")
    published = (live.service.release_folder(job["result"]["release"]) / "release" / "data.csv").read_text()
    said = [row["town"] for row in csv.DictReader(published.splitlines())]
    fitting = sum(each in ("Ulm", "Germany", "*") for each in said)
    own = {"release": job["result"]["release"], "value:town": "Ulm"}
    assert "Germany" in said
    assert f"{fitting} records fit what you say." in words_of(visitor("ada").post("/lookup", own))
    unknown = words_of(visitor("ada").post("/lookup", {**own, "value:town": "Germany"}, status=400))
    assert "does not list your value" in unknown  # it is no town of the hierarchy, though a label


def test_a_release_of_somebody_else_cannot_be_looked_into(release, visitor) -> None:
    for who in (visitor("eve"), visitor("ole", Role.OFFICER), visitor("ines", Role.REQUESTER, "ines")):
        who.get(f"/lookup?release={release}", status=404)
        who.post("/lookup", {"release": release, "value:age": "12"}, status=404)
        assert release not in who.get("/lookup")


def test_ratings_are_looked_up_line_by_line(live, visitor, tmp_path) -> None:
    file = tmp_path / "films.csv"
    lines = [f"u{user},{item},{1 + (user // 4 + item) % 5}" for user in range(12) for item in range(4)]
    file.write_text("user,item,rating\n" + "\n".join(lines) + "\n", encoding="utf-8")
    with live.client("ada") as client:
        data = client.upload(file, {"kind": "ratings", "scale": [1, 5]})
        job = client.run("publish", dataset=data["id"], models=["k-epsilon:k=4,epsilon=0"], method="none")
    release, ada = job["result"]["release"], visitor("ada")
    own = {"release": release, "items": "0, 1\n1, 2\n", "tolerance": "4"}
    answer = words_of(ada.post("/lookup", own))
    assert "Within 0 of your ratings: 4 records fit what you say." in answer
    assert "Within 4 of your ratings: 12 records fit what you say." in answer
    for items, cure in (("0, 1\n0, 2", "List every item once"), ("0", "item, rating"), ("0, 99", "from 1 to 5")):
        page = ada.post("/lookup", {**own, "items": items}, status=400)
        assert cure in words_of(page)
        assert items.splitlines()[0] in page
    nothing = words_of(ada.post("/lookup", {**own, "items": "nothing, 1"}))
    assert "Not in the release: nothing." in nothing
    assert "fit what you say" not in nothing
    assert "no answer for you" in nothing


def test_no_more_is_looked_up_at_a_time_than_may_be(release, live, visitor) -> None:
    turns = live.service.unkept._turns
    taken = 0
    while turns.acquire(blocking=False):
        taken += 1
    try:
        page = visitor("ada").post("/lookup", {"release": release, "value:age": "12"}, status=429)
        assert "Try again in a moment" in page
    finally:
        for _ in range(taken):
            turns.release()
    visitor("ada").post("/lookup", {"release": release, "value:age": "12"})
