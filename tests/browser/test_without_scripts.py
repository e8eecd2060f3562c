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


def test_from_a_file_to_a_report_and_an_answer(plain: Window, tmp_path: Path) -> None:
    page = plain.go("/open")
    page.get_by_label("Data file").set_input_files(write_people(tmp_path))
    page.get_by_role("button", name="Open this file").click()
    _say_what_the_columns_are(page)
    _take_a_hierarchy(page)
    page.get_by_role("main").get_by_role("link", name="Risk as it stands").click()
    page.get_by_role("button", name="Let attackers try").click()
    _loaded(page)
    expect(page.get_by_text("The same as a table, in people")).to_be_visible(timeout=WAIT)
    page.get_by_role("link", name="Go on: what to promise").click()
    page.get_by_role("link", name="explore what promises would cost").click()
    _explore(page)
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
    page.get_by_role("link", name="Look me up").first.click()
    page.get_by_role("link", name="people.csv: k-anonymity:k=5").click()
    page.get_by_label("town", exact=True).fill("Ulm")
    page.get_by_role("button", name="Look me up").click()
    expect(page.get_by_role("region", name="What the release says of you")).to_contain_text("fit what you say")


def _say_what_the_columns_are(page: Page) -> None:
    page.get_by_role("main").get_by_role("link", name="Say what the columns are").first.click(timeout=WAIT)
    roles = {"name": "identifier", "age": "quasi-identifier", "town": "quasi-identifier", "disease": "sensitive"}
    for column, role in roles.items():
        page.get_by_label(f"Role of {column}", exact=True).select_option(role)
    page.locator("button[value=save]").click()
    _loaded(page)
    expect(page.get_by_text("The schema is saved, and the data were read with it.")).to_be_visible(timeout=WAIT)


def _take_a_hierarchy(page: Page) -> None:
    page.get_by_role("link", name="hierarchy of age").click()
    page.get_by_label("Kind").select_option("interval")
    page.get_by_label("Sizes").fill("10, 20")
    page.get_by_role("button", name="Suggest").click()
    page.get_by_role("button", name="Take it").click(timeout=WAIT)
    expect(page.get_by_text("Built by Shoal: interval")).to_be_visible(timeout=WAIT)
    page.get_by_role("link", name="Back to all columns").click()
    _loaded(page)


def _explore(page: Page) -> None:
    page.get_by_label("How many people look alike").fill("5")
    page.get_by_role("button", name="Use these values").click()
    page.get_by_role("button", name="Try these promises").click()
    page.get_by_role("region", name="Points").get_by_role("link", name="k=5").first.click(timeout=WAIT)
    expect(page.get_by_role("region", name="Promise 1: k-anonymity")).to_be_visible()


def test_a_view_is_registered_asked_for_and_found_at_the_desk(plain: Window, live: Live, tmp_path: Path) -> None:
    with live.client() as ada:
        ada.upload(write_people(tmp_path, 100, "patients.csv"), PEOPLE)
    page = plain.go("/desk/purposes")
    page.get_by_label("Name").fill("care")
    page.get_by_role("button", name="Add the purpose").click()
    plain.go("/desk/requesters")
    page.get_by_label("Name").fill("clinic")
    page.get_by_label("Trust").fill("0.9")
    page.get_by_role("button", name="Save").click()
    plain.go("/desk/datasets/new")
    page.get_by_label("Name at the desk").fill("patients")
    page.get_by_label("Your data set").select_option(label=_option(page, "patients.csv"))
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_role("heading", name="Registered: patients")).to_be_visible(timeout=WAIT)
    plain.go("/desk/requests")
    for label, chosen in (("In the name of", "clinic"), ("Data set", "patients"), ("Purpose", "care")):
        page.get_by_label(label).select_option(chosen)
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_role("heading", name="Granted, as release")).to_be_visible(timeout=WAIT)
    page.get_by_role("link", name="Files").click()
    expect(page.get_by_role("link", name="certificate.json")).to_be_visible()


def _option(page: Page, name: str) -> str:
    return next(each for each in page.get_by_role("option").all_inner_texts() if each.startswith(name))


def test_a_job_is_canceled(plain: Window, live: Live, tmp_path: Path) -> None:
    lines = ["name,age,town,disease"]
    lines += [f"p{i},{i * 7919 % 90},t{i * 31 % 997},flu" for i in range(60_000)]
    (tmp_path / "large.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with live.client() as ada:
        dataset = ada.upload(tmp_path / "large.csv", PEOPLE)["id"]
        ada.overview(dataset)
    page = plain.go(f"/data/{dataset}/publish?model=k-anonymity%3Ak%3D5&method=top-down")
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="Canceled")).to_be_visible(timeout=WAIT)
