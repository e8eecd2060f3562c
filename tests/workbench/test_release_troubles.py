"""What goes wrong between promise and report: wrong inputs, refusals, cancelled jobs, and other people's things."""

import re

import pytest

from shoal.server.work.asks import PublishAsk
from workbench.conftest import Visitor, words_of
from workbench_data import add_data


@pytest.fixture(scope="module")
def ada(visitor) -> Visitor:
    return visitor("ada")


@pytest.fixture(scope="module")
def table(live, ada) -> str:
    dataset = add_data(live, "table")
    ada.finished(f"/data/{dataset}/promise")
    return dataset


@pytest.mark.parametrize(
    ("query", "told", "kept"),
    [
        ("add=k-anonymity&set.k=many", "must be a whole number", 'value="many"'),
        ("add=k-anonymity&set.k=1", "at least 2", 'value="1"'),
        ("add=k-anonymity", "Fill this in.", 'name="set.k"'),
        ("add=k-anonymity&set.k=2,000", "without commas", 'value="2,000"'),
        ("add=t-closeness&set.t=3", "below 1", 'value="3"'),
        ("add=l-diversity&set.l=2&set.kind=recursive", "needs it there", "recursive"),
        ("model=k-anonymity%3Ak%3D2&change=0&set.k=0", "at least 2", 'value="0"'),
        ("method=mondrian&settle=mondrian&set.mode=loose", "cannot be", "mondrian"),
    ],
)
def test_wrong_settings_are_told_beside_their_field_and_kept(ada, table, query, told, kept) -> None:
    page = ada.get(f"/data/{table}/promise?{query}", status=400)
    assert told in words_of(page)
    assert kept in page
    assert 'role="alert"' in page


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("model=nonsense", "There is no promise named"),
        ("model=k-anonymity%3Ak%3Dx", "must be a whole number"),
        ("model=km-anonymity%3Ak%3D2,m%3D2", "does not fit these data"),
        ("model=k-anonymity%3Ak%3D2&withhold=lots", "cannot be"),
        ("model=k-anonymity%3Ak%3D2&format=papyrus", "one of csv"),
        ("model=k-anonymity%3Ak%3D2&time=soon", "length of time"),
        ("model=k-anonymity%3Ak%3D2&method=magic", "There is no method named"),
    ],
)
def test_wrong_choices_in_an_address_are_told_and_do_not_lead_on(ada, table, query, told) -> None:
    page = words_of(ada.get(f"/data/{table}/promise?{query}"))
    assert "Correct what is marked above" in page
    assert told in page


def test_forms_for_nothing_are_refused(ada, table) -> None:
    there = f"/data/{table}/promise"
    for query in ("add=nonsense", "model=k-anonymity%3Ak%3D2&change=7&set.k=3", "change=x", "settle=magic"):
        assert "What to do" in ada.get(f"{there}?{query}", status=400)
    assert "Choose one first" in ada.post(there, {"do": "check"}, status=400)
    assert "at least one" in ada.get(f"/data/{table}/publish", status=400)
    assert "at least one" in ada.post(f"/data/{table}/publish", {}, status=400)
    ada.get(f"/data/{table}/plan.toml?model=nonsense", status=400)


@pytest.mark.parametrize("query", ["ks=a", "ks=" + ",".join(map(str, range(99))), "try=magic", "ks=1"])
def test_a_wrong_grid_is_told(ada, table, query) -> None:
    there = f"/data/{table}/explore?{query}"
    if ada.http.get(there).status_code == 200:  # what only the job can tell
        ada.post(there, {"do": "compute"})
    page = ada.http.get(there)
    if page.status_code == 200:
        page_text = ada.finished(there)
        assert 'class="problem"' in page_text
    else:
        assert "This cannot be tried" in page.text


def test_a_promise_that_cannot_be_kept_is_refused_with_the_cure(ada, table) -> None:
    there = f"/data/{table}/publish?model=k-anonymity%3Ak%3D5000"
    ada.post(there)
    page = ada.finished(f"{there}&then=proof")
    told = words_of(page)
    assert "Nothing was published" in told
    assert "fewer than the 5,000" in told
    assert "Promise less" in told
    assert "withhold=5%25" in page
    assert 'value="k-anonymity:k=5000"' not in ada.get("/")


def test_publishing_can_be_cancelled_and_begun_again(live, ada, table) -> None:
    there = f"/data/{table}/publish?model=k-anonymity%3Ak%3D3"
    service = live.service
    held = service.supervisor
    ada.post(there)
    job = service.jobs.latest(
        "ada", PublishAsk(kind="publish", dataset=table, models=("k-anonymity:k=3",)).model_dump(mode="json")
    )
    assert job is not None
    ada.post(f"/jobs/{job.id}/cancel", {"back": there})
    page = ada.finished(there)
    assert held.folder_of(job.id).path.is_dir()
    assert "Canceled" in page or "Published." in page  # it may have been quicker than we were
    if "Canceled" in page:
        ada.post(there)
        page = ada.finished(there)
    assert "Published." in page


def test_publishing_the_same_twice_makes_one_release(live, ada, table) -> None:
    there = f"/data/{table}/publish?model=k-anonymity%3Ak%3D4"
    ada.post(there)
    first = ada.finished(f"{there}&then=proof")
    count = len(live.service.releases.of_user("ada"))
    ada.post(there)
    again = ada.finished(f"{there}&then=proof")
    assert len(live.service.releases.of_user("ada")) == count
    found = [re.findall(r"/releases/([0-9a-f]{24})/use", page)[0] for page in (first, again)]
    assert found[0] == found[1]
    token = {"x-shoal-form": ada.form_token}
    assert ada.http.delete(f"/api/v1/releases/{found[0]}", headers=token).status_code == 204
    ada.post(there)
    anew = ada.finished(f"{there}&then=proof")
    assert re.findall(r"/releases/([0-9a-f]{24})/use", anew)[0] != found[0]


def test_nobody_sees_the_things_of_others(visitor, ada, table) -> None:
    there = f"/data/{table}/publish?model=k-anonymity%3Ak%3D2"
    ada.post(there)
    release = re.findall(r"/releases/([0-9a-f]{24})/use", ada.finished(f"{there}&then=proof"))[0]
    eve = visitor("eve")
    for page in ("risk", "promise", "explore", "publish?model=k-anonymity%3Ak%3D2", "plan.toml"):
        eve.get(f"/data/{table}/{page}", status=404)
        if page != "plan.toml":
            eve.post(f"/data/{table}/{page}", {"do": "compute"}, status=404)
    for page in ("proof", "use", "report"):
        eve.get(f"/releases/{release}/{page}", status=404)
        eve.post(f"/releases/{release}/{page}", {"do": "attack"}, status=404)
    for page in ("report/page", "plan.toml"):
        eve.get(f"/releases/{release}/{page}", status=404)
    eve.get(f"/compare?a={release}&b={release}", status=404)
    eve.post(f"/compare?a={release}&b={release}", {"do": "attack"}, status=404)


def test_wrong_names_of_columns_are_told(ada, table) -> None:
    there = f"/data/{table}/publish?model=k-anonymity%3Ak%3D2"
    ada.post(there)
    release = re.findall(r"/releases/([0-9a-f]{24})/use", ada.finished(f"{there}&then=proof"))[0]
    use = f"/releases/{release}/use"
    assert "choose two" in ada.get(f"{use}?pair=age", status=400)
    assert "choose two" in ada.get(f"{use}?pair=age&pair=age", status=400)
    ada.get(f"{use}?column={'x' * 1500}", status=400)
    ada.post(f"{use}?column=nothing", {"do": "columns"})
    assert "nothing published that is called" in words_of(ada.finished(f"{use}?column=nothing"))
