"""Stories at the desk through its pages: an owner, an officer, two requesters at once and an auditor."""

import csv
import io
import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fastapi.routing import APIRoute

from rating_oracle import write_file as write_ratings
from server_under_test import LIMITS, PEOPLE, Live, living, write_people
from shoal.desk import draw_key
from shoal.desk.listings import BOOKS
from shoal.server.access import rules_of
from shoal.server.app import create_app
from shoal.server.settings import ServiceSettings
from shoal.server.store import Role
from shoal.workbench import Workbench
from shoal.workbench.visitors import roles_of
from workbench.conftest import Visitor, words_of

SENTENCE = "The policy of the data set does not allow this."
POLICY = {
    "promises": "k-anonymity:k=4",
    "projection": "linear",
    "views": "nested",
    "recoding": "local",
    "collude": "all",
}


def decided(visitor: Visitor, page: str) -> str:
    """Return the page of a request once it is decided."""
    awaited = re.search(r'data-await="/api/v1(/desk/[^"]+)"', page)
    if awaited is None:
        return page
    visitor.http.get(f"/api/v1{awaited[1]}", params={"wait": 60})
    page = visitor.get(awaited[1])
    assert "data-await" not in page
    return page


class Desk:
    """A desk with a data set, a purpose, two requesters and everybody who works at it."""

    def __init__(self, live: Live, visitor, folder: Path) -> None:
        self.live, self.ada = live, visitor("ada")
        self.ole = visitor("ole", Role.OFFICER)
        self.aud = visitor("aud", Role.AUDITOR)
        self.ole.post("/desk/purposes", {"name": "research", "priorities": "age:1;town:0.5"})
        self.ole.post("/desk/requesters", {"name": "city", "trust": "0.5"})
        self.ole.post("/desk/requesters", {"name": "institute", "trust": "0.9"})
        self.city = visitor("cid", Role.REQUESTER, "city")
        self.institute = visitor("ivo", Role.REQUESTER, "institute")
        with live.client("ada") as client:
            self.people = client.upload(write_people(folder), PEOPLE)["id"]
        self.register("people", self.people)

    def register(self, name: str, dataset: str, **policy: str) -> str:
        self.ada.post("/desk/datasets/new", {"name": name, "dataset": dataset, **POLICY, **policy})
        job = self.live.service.jobs.of_user("ada", kind="desk-register")[0]
        return self.ada.finished(f"/desk/datasets/new?job={job.id}")


@pytest.fixture(scope="module")
def desk(live, visitor, tmp_path_factory) -> Desk:
    return Desk(live, visitor, tmp_path_factory.mktemp("desk"))


def test_an_owner_registers_data_and_everybody_sees_what_is_theirs(desk) -> None:
    page = words_of(desk.ada.get("/desk/datasets/one?name=people"))
    assert "Every view keeps k-anonymity:k=4" in page
    assert "All requesters may work together." in page
    assert "Version 1" in page
    for reader in (desk.ada, desk.ole, desk.aud):
        assert "people" in words_of(reader.get("/desk/datasets"))
        assert "city" in words_of(reader.get("/desk/requesters"))
    for page in ("/desk/datasets", "/desk/requesters", "/desk/log", "/desk/audit", "/desk/users", "/desk/waiting"):
        desk.city.get(page, status=403)
    assert "Register one" not in desk.ole.get("/desk")
    assert "Change the policy" not in desk.ole.get("/desk/datasets/one?name=people")


def test_two_requesters_ask_at_once_and_see_their_own_alone(desk) -> None:
    asked = {"dataset": "people", "purpose": "research"}

    def ask(who: Visitor) -> str:
        return decided(who, who.post("/desk/requests", asked))

    with ThreadPoolExecutor(2) as pool:
        pages = list(pool.map(ask, (desk.city, desk.institute)))
    numbers = []
    for who, page, name in zip((desk.city, desk.institute), pages, ("city", "institute"), strict=True):
        (number,) = re.findall(r"Granted, as release (\d+)", page)
        numbers.append(number)
        shown = who.get(f"/desk/releases/{number}")
        files = re.findall(rf'/desk/releases/{number}/files/([^"]+)"', shown)
        assert "certificate.json" in files
        answer = who.http.get(f"/desk/releases/{number}/files/data.csv")
        assert answer.status_code == 200
        assert len(list(csv.DictReader(io.StringIO(answer.text)))) == 120
        other = {"city": "institute", "institute": "city"}[name]
        everything = "".join(map(who.get, ("/desk", "/desk/requests", "/desk/releases", f"/desk/releases/{number}")))
        assert other not in words_of(everything)
    for who, other, another in ((desk.city, numbers[1], "institute"), (desk.institute, numbers[0], "city")):
        who.get(f"/desk/releases/{other}", status=404)
        who.get(f"/desk/releases/{other}/files/data.csv", status=404)
        who.get(f"/lookup?desk={other}", status=404)
        who.post("/lookup", {"desk": other, "value:age": "3"}, status=404)
        assert f"/desk/releases/{other}" not in who.get(f"/desk/releases?requester={another}")
    job = desk.live.service.jobs.of_user("ivo", kind="desk-request")[0].id
    desk.city.get(f"/desk/requests/{job}", status=404)
    assert f"release {numbers[0]} of the desk" in desk.city.get(f"/lookup?desk={numbers[0]}")


def test_a_refusal_tells_a_requester_the_sentence_alone(desk) -> None:
    desk.ole.post("/desk/requesters", {"name": "closed one", "trust": "0.5"})
    outsider = Visitor(desk.live, desk.live.token("otto", Role.REQUESTER, "closed one"))
    desk.ole.post("/desk/requesters/close", {"name": "closed one", "why": "left-the-house"})
    asked = {"dataset": "people", "purpose": "research"}
    page = decided(outsider, outsider.post("/desk/requests", asked))
    assert SENTENCE in page
    seen = words_of("".join(outsider.get(path) for path in ("/desk", "/desk/requests", "/desk/releases")) + page)
    outsider.http.close()
    assert "left-the-house" not in seen
    assert "closed one" in seen
    reason = words_of(decided(desk.ole, desk.ole.post("/desk/requests", {**asked, "requester": "closed one"})))
    assert SENTENCE not in reason
    assert "closed" in reason.partition("Refused")[2]


def test_a_dry_run_says_who_would_know_what_and_releases_nothing(desk) -> None:
    before = desk.live.service.books.desk().releases()
    asked = {"dataset": "people", "purpose": "research", "requester": "city"}
    page = words_of(decided(desk.ole, desk.ole.post("/desk/dry-runs", asked)))
    assert "120 records in" in page
    assert "What coalitions would then know" in page
    assert re.search(r"column degree of anonymization age [\d.]+ ?% ", page), "of each column, how much is left"
    smallest = int(re.findall(r"everybody people, version 1 \d+ (\d+)", page)[0])
    assert smallest >= 4
    assert desk.live.service.books.desk().releases() == before
    page = decided(desk.ole, desk.ole.post("/desk/dry-runs", {**asked, "requester": "closed one"}))
    assert "It would be refused" in page
    desk.ole.post("/desk/dry-runs", {**asked, "dataset": "nothing"}, status=404)
    desk.city.post("/desk/dry-runs", asked, status=403)
    job = desk.live.service.jobs.of_user("ole", kind="desk-dry-run")[0].id
    desk.ada.get(f"/desk/dry-runs/{job}", status=404)


def test_ratings_are_registered_looked_at_and_given_through_the_pages(desk, tmp_path) -> None:
    people = {f"rater {i}": {"figs": 1 + i % 2 * 4, "eggs": 3} for i in range(40)}
    write_ratings(tmp_path / "films.csv", people)
    with desk.live.client("ada") as client:
        films = client.upload(tmp_path / "films.csv", {"kind": "ratings"})["id"]
    assert "says nothing of 'withhold'" in words_of(desk.register("films", films, withhold="2%"))
    assert "2 views can be given" in words_of(desk.register("films", films))
    page = words_of(desk.ada.get("/desk/datasets/one?name=films"))
    assert "People are recognized in other versions by user." in page
    assert "profile quasi-identifier" in page
    asked = {"dataset": "films", "purpose": "research", "requester": "institute"}
    page = words_of(decided(desk.ole, desk.ole.post("/desk/dry-runs", asked)))
    assert "40 records in 2 groups" in page
    page = words_of(decided(desk.institute, desk.institute.post("/desk/requests", asked)))
    (number,) = re.findall(r"Granted, as release (\d+)", page)
    assert "with the mean of what more than half of them rated: 4 ratings in all." in page
    assert "How far each column is generalized" not in page
    answer = desk.institute.http.get(f"/desk/releases/{number}/files/people.csv")
    assert [line["people"] for line in csv.DictReader(io.StringIO(answer.text))] == ["20", "20"]
    assert "films" in words_of(desk.ada.get("/desk/datasets"))
    kept = {**POLICY, "name": "films", "identifier": "user", "promises": "k-anonymity:k=5"}
    desk.ada.post("/desk/datasets/one", kept)
    assert "Every view keeps k-anonymity:k=5" in words_of(desk.ada.get("/desk/datasets/one?name=films"))


def test_a_request_waits_for_an_officer_who_has_not_asked(desk, tmp_path) -> None:
    file = tmp_path / "others.csv"
    file.write_text(write_people(tmp_path, 90).read_text("utf-8").replace("\np", "\nq"), encoding="utf-8")
    with desk.live.client("ada") as client:
        data = client.upload(file, PEOPLE)["id"]
    desk.register("guarded", data, apart_from="people", approval="yes", approval_days="30", release_days="10")
    asked = {"dataset": "guarded", "purpose": "research"}
    page = decided(desk.city, desk.city.post("/desk/requests", asked))
    assert "waits for approval" in page
    assert "guarded" in words_of(desk.city.get("/desk")).partition("Waiting for approval")[2]
    (number,) = re.findall(r"Number (\d+): guarded", desk.ole.get("/desk/waiting"))
    assert "Approve</button>" not in desk.ada.get("/desk/waiting")
    page = desk.ole.post("/desk/waiting/refuse", {"number": number}, status=400)
    assert 'role="alert"' in page  # a refusal needs a reason
    desk.ole.post("/desk/waiting/approve", {"number": number, "why": "agreed"})
    page = decided(desk.city, desk.city.post("/desk/requests", asked))
    (release,) = re.findall(r"Granted, as release (\d+)", page)
    assert "to be used until" in words_of(desk.city.get(f"/desk/releases/{release}"))
    desk.ole.post("/desk/waiting/approve", {"number": number}, status=400)


def test_a_data_set_that_overlaps_with_another_is_judged_together_with_it(desk, tmp_path) -> None:
    """Nothing is handed in again, and nobody says that the two are to be judged apart."""
    files = [write_people(tmp_path, n, f"{n}.csv") for n in (330, 400)]
    for file in files:  # nobody, and nothing, of the data sets of the other tests
        text = file.read_text("utf-8").replace("\np", "\nr").replace("Ulm", "Graz").replace("Bonn", "Linz")
        file.write_text(text, encoding="utf-8")
    with desk.live.client("ada") as client:
        both = [client.upload(file, PEOPLE)["id"] for file in files]
    named = zip(("some", "more"), both, strict=True)
    _, page = (words_of(desk.register(*each, identifier="name", population="register")) for each in named)
    assert "330 people are in some, too" in page
    shown = words_of(desk.aud.get("/desk/datasets/one?name=some"))
    assert "The data are an extract of register" in shown
    assert "It is judged together with more: the population is register." in shown
    assert "more, version 1 330" in shown
    asked = {"dataset": "some", "purpose": "research"}
    assert "Granted" in decided(desk.city, desk.city.post("/desk/requests", asked))
    asked = {"dataset": "more", "purpose": "research", "requester": "institute"}
    page = words_of(decided(desk.ole, desk.ole.post("/desk/dry-runs", asked)))
    assert min(map(int, re.findall(r"everybody (?:some|more), version 1 \d+ (\d+)", page))) >= 4
    assert "Granted" in decided(desk.ole, desk.ole.post("/desk/requests", asked))


def test_a_release_is_revoked_and_no_longer_handed_out(desk) -> None:
    page = decided(desk.city, desk.city.post("/desk/requests", {"dataset": "people", "purpose": "research"}))
    (number,) = re.findall(r"Granted, as release (\d+)", page)
    page = desk.ole.post(f"/desk/releases/{number}/revoke", {"why": "sent by mistake"}, status=400)
    assert "Say that you are sure" in page
    assert "sent by mistake" in page
    shown = desk.ole.post(f"/desk/releases/{number}/revoke", {"why": "sent by mistake", "sure": "yes"})
    assert "revoked" in words_of(shown)
    page = desk.city.get(f"/desk/releases/{number}")
    assert "no longer to be used" in page
    assert "/files/" not in page
    desk.city.get(f"/desk/releases/{number}/files/data.csv", status=404)
    desk.ole.post(f"/desk/releases/{number}/revoke", {"sure": "yes"}, status=400)


def test_a_policy_is_changed_by_its_owner_and_by_two_where_it_says_so(desk, visitor) -> None:
    kept = {**POLICY, "name": "people"}
    page = desk.ada.post("/desk/datasets/one", kept, status=400)
    assert "Nothing was changed" in page
    desk.ada.post("/desk/datasets/one", {**kept, "collude": "some", "coalitions": "city, institute"})
    assert "These may work together: city and institute." in desk.ada.get("/desk/datasets/one?name=people")
    desk.ada.post("/desk/datasets/one", {**kept, "two_person": "yes"})
    assert "All requesters may work together." in desk.ada.get("/desk/datasets/one?name=people")
    page = desk.ada.post("/desk/datasets/one", {**kept, "promises": "k-anonymity:k=5", "two_person": "yes"})
    (number,) = re.findall(r"Proposal (\d+): people", page)
    assert "k-anonymity:k=5" in page
    assert "k-anonymity:k=4" in words_of(desk.ada.get("/desk/datasets/one?name=people"))
    page = desk.ada.post("/desk/waiting/confirm", {"number": number}, status=400)
    assert 'role="alert"' in page  # nobody confirms what they have proposed
    visitor("bob").post("/desk/waiting/confirm", {"number": number})
    assert "k-anonymity:k=5" in words_of(desk.ada.get("/desk/datasets/one?name=people"))


def test_an_auditor_reads_the_log_and_the_audit(desk) -> None:
    page = desk.aud.get("/desk/log?event=purpose")
    assert "research" in words_of(page)
    assert "user ole" in page
    (entry,) = re.findall(r'href="/desk/log/(\d+)"', page)
    assert "priorities" in desk.aud.get(f"/desk/log/{entry}")
    exported = desk.aud.get("/desk/log/export?event=purpose&format=ndjson").splitlines()
    assert [json.loads(line)["event"] for line in exported] == ["purpose"]
    table = list(csv.DictReader(io.StringIO(desk.aud.get("/desk/log/export?requester=city&format=csv"))))
    assert {row["requester"] for row in table} == {"city"}
    desk.aud.get("/desk/log?requester=nobody", status=400)
    desk.aud.get("/desk/log?since=yesterday", status=400)
    page = desk.aud.get("/desk/audit?check=yes&folders=yes")
    assert "Nothing is wrong." in page
    (head,) = re.findall(r"<code>([0-9a-f]{64})</code>", page)
    assert "Nothing is wrong." in desk.aud.get(f"/desk/audit?check=yes&noted={head}")
    assert "1 fault" in words_of(desk.aud.get(f"/desk/audit?check=yes&noted={'0' * 64}"))
    desk.aud.get("/desk/audit?check=yes&noted=abc", status=400)
    for path in ("/desk/requests", "/lookup", "/desk/releases/1/files/data.csv"):
        desk.aud.get(path, status=403)


def test_every_book_is_read_and_exported(desk, tmp_path) -> None:
    listed = desk.aud.get("/desk/books")
    names = re.findall(r'href="/desk/books/([a-z]+)"', listed)
    assert set(names) == set(BOOKS)
    for name in names:
        assert name.capitalize() in desk.ada.get(f"/desk/books/{name}")
        exported = desk.aud.get(f"/desk/books/{name}/export?format=ndjson").splitlines()
        whole = desk.live.service.books.desk().book(name)
        assert [json.loads(line) for line in exported] == json.loads(json.dumps(whole))
        assert len(list(csv.DictReader(io.StringIO(desk.aud.get(f"/desk/books/{name}/export"))))) == len(whole)
    desk.ole.post("/desk/requesters", {"name": "untrusted", "trust": "0"})
    asked = {"dataset": "people", "purpose": "research", "requester": "untrusted"}
    assert "Refused" in decided(desk.ole, desk.ole.post("/desk/requests", asked))
    assert "not trusted at all" in words_of(desk.aud.get("/desk/books/refusals?requester=untrusted"))
    assert "k-anonymity:k=4" in words_of(desk.aud.get("/desk/books/policies?dataset=people"))
    desk.aud.get("/desk/books/policies?dataset=nothing", status=400)
    desk.aud.get("/desk/books/secret", status=404)
    desk.ole.get("/desk/books", status=403)
    desk.live.service.books.desk().set_anchor(file=tmp_path / "anchor")
    page = words_of(desk.aud.get("/desk/audit?check=yes"))
    assert "a file, with which the log was compared" in page
    desk.live.service.books.desk().set_anchor()
    assert "a store that was put back is not noticed" in words_of(desk.aud.get("/desk/audit?check=yes"))


def test_the_log_is_shown_in_pages_of_fifty(desk) -> None:
    for number in range(60):
        desk.live.service.books.desk().set_requester(f"many {number}", 0.1)
    page = desk.ada.get("/desk/log")
    first = re.findall(r'href="/desk/log/(\d+)"', page)
    assert len(first) == 50
    (older,) = re.findall(r'href="(/desk/log\?upto=\d+)"', page)
    second = re.findall(r'href="/desk/log/(\d+)"', desk.ada.get(older))
    assert int(second[0]) == int(first[-1]) - 1
    assert len(page) < 100_000


def test_an_owner_lets_the_desk_keep_a_version_where_the_service_has_a_key(coming, tmp_path) -> None:
    draw_key(tmp_path / "key")
    settings = ServiceSettings(folder=tmp_path / "kept", port=0, limits=LIMITS, key_file=tmp_path / "key")
    with living(settings, Workbench()) as live, live.client("ada") as client:
        ada = coming(live)
        client.register(
            "people", client.upload(write_people(tmp_path), PEOPLE)["id"], {"promises": ["k-anonymity:k=4"]}
        )
        assert "Let the desk keep version 1, encrypted" in ada.get("/desk/datasets/one?name=people")
        ada.post("/desk/datasets/keep", {"name": "people", "version": "2"}, status=404)
        assert 'role="alert"' in ada.post("/desk/datasets/keep", {"name": "people", "version": "x"}, status=400)
        ada.post("/desk/datasets/keep", {"name": "people", "version": "1"})
        job = live.service.jobs.of_user("ada", kind="desk-keep")[0]
        page = ada.finished(f"/desk/datasets/one?name=people&job={job.id}")
        assert "The desk keeps these data, encrypted." in page
        assert "Let the desk keep" not in page
        assert live.service.books.desk().audit().holds


_WRONG = [
    ("ole", "/desk/purposes", {}),
    ("ole", "/desk/purposes", {"name": "x", "bins": "many"}),
    ("ole", "/desk/purposes", {"name": "x", "priorities": "age=much"}),
    ("ole", "/desk/purposes", {"name": "research"}),
    ("ole", "/desk/requesters", {"name": "x", "trust": "much"}),
    ("ole", "/desk/requesters", {"name": "x", "trust": "2"}),
    ("ole", "/desk/requesters", {"name": "x", "trust": "0.5", "until": "someday"}),
    ("ole", "/desk/requesters", {"name": "x" * 201, "trust": "0.5"}),
    ("ole", "/desk/requesters/close", {"name": "nobody"}),
    ("ole", "/desk/requests", {"dataset": "people"}),
    ("ole", "/desk/requests", {"dataset": "people", "purpose": "research"}),
    ("ole", "/desk/requests", {"dataset": "nothing", "purpose": "research", "requester": "city"}),
    ("ole", "/desk/dry-runs", {"dataset": "people", "purpose": "research"}),
    ("ole", "/desk/waiting/approve", {"number": "x"}),
    ("ole", "/desk/waiting/refuse", {"number": "99999", "why": "x"}),
    ("ada", "/desk/waiting/confirm", {"number": "99999"}),
    ("ada", "/desk/waiting/reject", {"number": "99999"}),
    ("ada", "/desk/datasets/new", {"name": "x", **POLICY}),
    ("ada", "/desk/datasets/new", {"name": "x", "dataset": "0" * 16, **POLICY}),
    ("ada", "/desk/datasets/new", {"name": "x", "dataset": "0" * 16, **POLICY, "promises": ""}),
    ("ada", "/desk/datasets/new", {"name": "x", "dataset": "0" * 16, **POLICY, "promises": "k-anonymity:k=many"}),
    ("ada", "/desk/datasets/new", {"name": "x", "dataset": "0" * 16, **POLICY, "release_days": "-1"}),
    ("ada", "/desk/datasets/one", {"name": "people", **POLICY, "projection": "upward"}),
    ("ada", "/desk/datasets/one", {"name": "people", **POLICY, "collude": "some", "coalitions": "nobody, city"}),
    ("city", "/desk/requests", {"dataset": "people", "purpose": "research", "requester": "institute"}),
    ("city", "/desk/requests", {}),
]


@pytest.mark.parametrize(("who", "path", "fields"), _WRONG, ids=lambda value: value if isinstance(value, str) else "")
def test_what_cannot_be_done_is_told_beside_the_form_with_what_was_entered(who, path, fields, desk) -> None:
    visitor: Visitor = getattr(desk, who)
    answer = visitor.http.post(path, data={"form_token": visitor.form_token, **fields})
    assert 400 <= answer.status_code < 500, answer.status_code
    assert 'role="alert"' in answer.text
    assert "waiting" in path or "<form" in answer.text.partition('role="alert"')[2]
    name = fields.get("name", "")
    assert not name or name in answer.text


_SAME = {
    "POST /desk/purposes": "POST /api/v1/desk/purposes",
    "POST /desk/requesters": "POST /api/v1/desk/requesters",
    "POST /desk/requesters/close": "POST /api/v1/desk/requesters/{name}/close",
    "GET /desk/purposes": "GET /api/v1/desk/purposes",
    "GET /desk/requesters": "GET /api/v1/desk/requesters",
    "GET /desk/datasets": "GET /api/v1/desk/datasets",
    "GET /desk/datasets/one": "GET /api/v1/desk/datasets",
    "POST /desk/datasets/new": "POST /api/v1/desk/datasets",
    "POST /desk/datasets/keep": "POST /api/v1/desk/datasets/{name}/keep",
    "POST /desk/datasets/one": "PATCH /api/v1/desk/datasets/{name}/policy",
    "GET /desk/requests": "GET /api/v1/desk/requests",
    "POST /desk/requests": "POST /api/v1/desk/requests",
    "GET /desk/requests/{job}": "GET /api/v1/desk/requests/{job}",
    "POST /desk/dry-runs": "POST /api/v1/desk/dry-runs",
    "GET /desk/dry-runs/{job}": "GET /api/v1/desk/dry-runs/{job}",
    "GET /desk/releases": "GET /api/v1/desk/releases",
    "GET /desk/releases/{number}": "GET /api/v1/desk/releases/{number}",
    "GET /desk/releases/{number}/files/{name:path}": "GET /api/v1/desk/releases/{number}/files/{name}",
    "GET /desk/releases/{number}/release.zip": "GET /api/v1/desk/releases/{number}/files/{name}",
    "POST /desk/releases/{number}/revoke": "POST /api/v1/desk/releases/{number}/revoke",
    "GET /desk/waiting": "GET /api/v1/desk/proposals",
    "POST /desk/waiting/approve": "POST /api/v1/desk/approvals/{number}/approve",
    "POST /desk/waiting/refuse": "POST /api/v1/desk/approvals/{number}/refuse",
    "POST /desk/waiting/confirm": "POST /api/v1/desk/proposals/{number}/confirm",
    "POST /desk/waiting/reject": "POST /api/v1/desk/proposals/{number}/reject",
    "GET /desk/log": "GET /api/v1/desk/log",
    "GET /desk/log/{number}": "GET /api/v1/desk/log",
    "GET /desk/log/export": "GET /api/v1/desk/books/{book}",
    "GET /desk/books": "GET /api/v1/desk/books/{book}",
    "GET /desk/books/{book}": "GET /api/v1/desk/books/{book}",
    "GET /desk/books/{book}/export": "GET /api/v1/desk/books/{book}",
    "GET /desk/audit": "GET /api/v1/desk/audit",
    "GET /desk/users": "GET /api/v1/users",
    "POST /desk/users": "POST /api/v1/users",
    "POST /desk/users/close": "DELETE /api/v1/users/{name}",
    "POST /desk/tokens": "POST /api/v1/tokens",
    "POST /desk/tokens/rotate": "POST /api/v1/tokens/{token}/rotate",
    "POST /desk/tokens/revoke": "DELETE /api/v1/tokens/{token}",
    "POST /lookup": "POST /api/v1/desk/releases/{number}/lookup",
}
_OF_ITS_OWN = {"GET /desk", "GET /desk/datasets/new"}
"""Pages that no operation answers to."""


def test_a_page_is_for_just_those_whom_its_operation_is_for(live) -> None:
    allowed = rules_of(create_app(live.service))
    found = set()
    for router in Workbench().routers:
        for route in router.routes:
            if isinstance(route, APIRoute) and (route.path.startswith("/desk") or route.path == "/lookup"):
                page = f"{sorted(route.methods or ())[0]} {route.path}"
                found.add(page)
                if page in _SAME:
                    assert sorted(roles_of(route) or ()) == sorted(allowed[_SAME[page]]), page
    assert found - _SAME.keys() - {"GET /lookup"} == _OF_ITS_OWN
