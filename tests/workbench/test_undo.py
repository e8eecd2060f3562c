"""What was chosen or made can be undone on the pages: settings, jobs, releases."""

import re

import pytest

from shoal.workbench.choices import Choices
from workbench.conftest import Visitor, words_of
from workbench_data import add_data


@pytest.fixture(scope="module")
def data(live) -> str:
    return add_data(live, "table")


@pytest.fixture(scope="module")
def ada(visitor) -> Visitor:
    return visitor("ada")


def test_reset_leaves_promises_and_method_alone(ada, data) -> None:
    query = "?model=k-anonymity%3Ak%3D4&method=mondrian&withhold=2%25&time=5s&boost=30%25&accept=empty&format=csv"
    page = ada.finished(f"/data/{data}/promise{query}")
    rest = page.partition('id="rest"')[2]
    assert 'name="boost" value="30%"' in rest  # whatever applies is seen
    reset = re.search(r'href="([^"]*)#rest">Reset', rest)
    assert reset is not None
    assert reset[1].replace("&amp;", "&") == f"/data/{data}/promise?model=k-anonymity%3Ak%3D4&method=mondrian"
    assert 'id="boost"' not in ada.get(reset[1].replace("&amp;", "&"))


def test_bare_choices_are_the_promises_and_the_method() -> None:
    chosen = Choices(("a", "b"), ("empty",), (("method", "none"), ("boost", "1")))
    assert chosen.bare == Choices(("a", "b"), (), (("method", "none"),))


def test_a_job_that_is_over_is_removed(ada, data, live, visitor) -> None:
    there = f"/data/{data}/promise?model=k-anonymity%3Ak%3D4"
    ada.post(there, {"do": "check"})
    ada.finished(there)
    job = next(each.id for each in live.service.jobs.of_user("ada") if each.kind == "check")
    assert f'action="/jobs/{job}/remove"' in ada.get(f"/jobs/{job}")
    visitor("eve").post(f"/jobs/{job}/remove", status=404)
    assert f"/jobs/{job}" not in ada.post(f"/jobs/{job}/remove")
    ada.get(f"/jobs/{job}", status=404)
    assert "Check the data as they stand" in ada.get(there)  # it can be computed again


def test_a_release_is_removed_after_a_question(ada, data, live, visitor) -> None:
    publish = f"/data/{data}/publish?model=k-anonymity%3Ak%3D3"
    ada.post(publish)
    found = re.search(r"/releases/([0-9a-f]{24})", ada.finished(publish))
    assert found is not None
    release = found[1]
    assert f"/releases/{release}/delete" in ada.get(f"/releases/{release}/report")
    asked = words_of(ada.get(f"/releases/{release}/delete"))
    assert "cannot be called back" in asked
    visitor("eve").post(f"/releases/{release}/delete", status=404)
    assert live.service.release_folder(release).is_dir()
    assert release not in ada.post(f"/releases/{release}/delete").partition("<h2>Jobs")[0]
    assert not live.service.release_folder(release).exists()
    ada.get(f"/releases/{release}/proof", status=404)
    assert "Published." not in ada.get(publish)


def test_two_different_points_are_offered_for_comparison(ada, data) -> None:
    there = f"/data/{data}/explore?ks=2,4&try=mondrian"
    ada.post(there, {"do": "compute"})
    page = ada.finished(there)
    chosen = re.findall(r'<option value="(\d+)" selected>', page.partition('id="two"')[2])
    assert len(chosen) == len(set(chosen)) == 2
