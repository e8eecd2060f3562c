"""Jobs on pages: live progress, cancelling, two tabs, two users at once."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browsing import WAIT, Window
from page_inspection import faults_of
from server_under_test import PEOPLE, Live, write_people

_PROMISED = "?model=k-anonymity%3Ak%3D5"
_SLOW = f"{_PROMISED}&method=top-down"


@pytest.fixture(scope="module")
def data(live: Live, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the data sets of two owners, each once small and once so large that publishing takes its time."""
    folder = tmp_path_factory.mktemp("data")
    small, large = write_people(folder, 120, "small.csv"), _large(folder)
    found = {}
    for owner in ("ada", "bob"):
        with live.client(owner) as client:
            found[owner] = client.upload(small, PEOPLE)["id"]
    with live.client("ada") as client:
        found["large"] = client.upload(large, PEOPLE)["id"]
    return found


def _large(folder: Path) -> Path:
    lines = ["name,age,town,disease"]
    lines += [f"p{i},{i * 7919 % 90},t{i * 31 % 997},{('flu', 'cancer', 'asthma')[i % 3]}" for i in range(60_000)]
    (folder / "large.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "large.csv"


def test_progress_is_shown_while_it_is_made_and_a_job_can_be_cancelled(
    window: Callable[..., Window], data: dict[str, str]
) -> None:
    ada = window()
    page = ada.go(f"/data/{data['large']}/publish{_SLOW}")
    page.get_by_role("button", name="Publish").click()
    progress = page.get_by_role("region", name="Progress")
    expect(progress.get_by_role("status")).to_contain_text("Under way:", timeout=WAIT)  # told by the script
    expect(progress.get_by_role("progressbar")).to_be_visible()
    assert not faults_of(page)
    page.reload()
    expect(page.get_by_role("region", name="Progress")).to_be_visible()
    second = ada.context.new_page()
    second.goto(page.url)
    expect(second.get_by_role("region", name="Progress")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    for each in (page, second):
        expect(each.get_by_role("heading", name="Canceled")).to_be_visible(timeout=WAIT)
        expect(each.get_by_role("button", name="Try again")).to_be_visible()
    assert not faults_of(page)


def test_two_tabs_show_the_same_job_and_end_at_the_same_proof(
    window: Callable[..., Window], data: dict[str, str]
) -> None:
    ada = window()
    address = f"/data/{data['ada']}/publish{_PROMISED}"
    page = ada.go(address)
    second = ada.context.new_page()
    second.goto(address)
    page.get_by_role("button", name="Publish").click()
    second.get_by_role("button", name="Publish").click()  # the same plan is not carried out twice
    for each in (page, second):
        each.wait_for_url("**/proof", timeout=WAIT)
    assert page.url == second.url
    page.go_back()
    expect(page.get_by_text("This plan has been carried out")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Proof")


def test_two_users_work_at_once_and_see_their_own_alone(window: Callable[..., Window], data: dict[str, str]) -> None:
    users = {name: window(name) for name in ("ada", "bob")}
    proofs = {}
    for name, each in users.items():
        each.go(f"/data/{data[name]}/publish?model=k-anonymity%3Ak%3D4")
        each.page.get_by_role("button", name="Publish").click()
    for name, each in users.items():
        each.page.wait_for_url("**/proof", timeout=WAIT)
        proofs[name] = each.page.url
        each.go("/")
        expect(each.page.get_by_text(f"{name} (owner)")).to_be_visible()
    assert proofs["ada"] != proofs["bob"]
    bob = users["bob"]
    expect(bob.page.get_by_role("link", name="small.csv").first).to_be_visible()
    expect(bob.page.get_by_role("link", name="large.csv")).to_have_count(0)
    with bob.expecting(404):
        for address in (proofs["ada"], f"/data/{data['ada']}/publish{_PROMISED}"):
            bob.go(address)
            expect(bob.page.get_by_role("heading", name="Nothing is here")).to_be_visible()
