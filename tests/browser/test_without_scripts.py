"""The workbench without JavaScript: everything works but live progress, in whose place the page loads itself again."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browsing import WAIT, Desktop, Window
from server_under_test import PEOPLE, Live, write_people
from shoal.server.store import Role


@pytest.fixture
def plain(window: Callable[..., Window]) -> Window:
    return window(scripts=False)


def _loaded(page: Page) -> None:
    """Wait as people do: the page loads itself again until nothing is under way."""
    expect(page.locator("[data-job]")).to_have_count(0, timeout=WAIT)


def test_a_stranger_logs_in_and_out(desktop: Desktop, live: Live) -> None:
    page = desktop.window(scripts=False).go("/jobs")
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    page.get_by_label("Token").fill(live.token("ada", Role.OWNER))
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Jobs", exact=True)).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()


def test_from_a_file_to_a_report(plain: Window, live: Live, tmp_path: Path) -> None:
    page = plain.go("/open")
    page.get_by_label("Data file").set_input_files(write_people(tmp_path))
    page.get_by_role("button", name="Open this file").click()
    _loaded(page)
    dataset = page.url.rpartition("/data/")[2].partition("/")[0]
    with live.client() as ada:
        ada.set_schema(dataset, PEOPLE)  # the form for it is in the story of the table
    page = plain.go(f"/data/{dataset}/risk")
    page.get_by_role("button", name="Let attackers try").click()
    _loaded(page)
    expect(page.get_by_role("heading", name="What attackers would find")).to_be_visible()
    page.get_by_role("link", name="Go on: what to promise").click()
    offer = page.locator("details.offer").filter(has_text="k-anonymity").first
    offer.get_by_label("How many people look alike").fill("5")
    offer.get_by_role("button", name="Promise this").click()
    page.get_by_role("link", name="Go on: the plan, and publish").click()
    page.get_by_role("button", name="Publish", exact=True).click()
    page.wait_for_url("**/proof", timeout=WAIT)
    page.get_by_role("button", name="Verify the files of the release").click()
    _loaded(page)
    expect(page.get_by_text("Holds.").first).to_be_visible(timeout=WAIT)
    page.get_by_role("link", name="Report and download").click()
    page.get_by_role("button", name="Write the report").click()
    _loaded(page)
    expect(page.get_by_text("The release is verified.")).to_be_visible(timeout=WAIT)


def test_a_job_is_cancelled(plain: Window, live: Live, tmp_path: Path) -> None:
    lines = ["name,age,town,disease"]
    lines += [f"p{i},{i * 7919 % 90},t{i * 31 % 997},flu" for i in range(60_000)]
    (tmp_path / "large.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with live.client() as ada:
        dataset = ada.upload(tmp_path / "large.csv", PEOPLE)["id"]
        ada.overview(dataset)
    page = plain.go(f"/data/{dataset}/publish?model=k-anonymity%3Ak%3D5&method=top-down")
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="Cancelled")).to_be_visible(timeout=WAIT)
