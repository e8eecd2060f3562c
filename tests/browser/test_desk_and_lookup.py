"""At the desk in a browser: a request waits, is approved and granted, and the files are downloaded and looked into."""

from pathlib import Path

from playwright.sync_api import Page, expect

import shoal
from browser_pictures import Pictures
from browser_world import World
from browsing import WAIT, Window
from page_inspection import faults_of
from shoal.server.store import Role


def _ask(window: Window, purpose: str) -> Page:
    page = window.go("/desk/requests")
    page.get_by_label("Data set").select_option("patients")
    page.get_by_label("Purpose").select_option(purpose)
    page.get_by_role("button", name="Ask").click()
    return page


def test_a_request_is_approved_granted_and_downloaded(world: World, tmp_path: Path) -> None:
    officer, requester = world.windows[Role.OFFICER], world.windows[Role.REQUESTER]
    page = officer.go("/desk/purposes")
    page.get_by_label("Name").fill("research")
    page.get_by_label("Priorities").fill("age:1;town:0.5")
    page.get_by_role("button", name="Add the purpose").click()
    expect(page.get_by_role("row", name="research")).to_be_visible()

    page = _ask(requester, "research")
    expect(page.get_by_role("heading", name="Waiting")).to_be_visible(timeout=WAIT)
    assert not faults_of(page)

    page = officer.go("/desk/waiting")
    pictures = Pictures.wanted()
    pictures.take(page, "desk-waiting")
    waiting = page.locator(".card").filter(has_text="research")
    waiting.get_by_label("Reason").fill("The board agreed.")
    waiting.get_by_role("button", name="Approve").click()
    expect(page.get_by_role("region", name="Decided")).to_contain_text("The board agreed.")

    page = _ask(requester, "research")
    expect(page.get_by_role("heading", name="Granted, as release")).to_be_visible(timeout=WAIT)
    assert not faults_of(page)
    pictures.take(page, "desk-granted")
    page.get_by_role("link", name="Files").click()
    files = page.locator("main li a[download]")
    for i in range(files.count()):
        with page.expect_download() as download:
            files.nth(i).click()
        download.value.save_as(tmp_path / files.nth(i).inner_text())
    assert shoal.verify(tmp_path).holds

    page.get_by_role("link", name="Look me up in it").click()
    _look_up(page, "7", "Ulm")
    expect(page.get_by_role("heading", name="What the release says of you")).to_be_visible()
    assert not faults_of(page)


def _look_up(page: Page, age: str, town: str) -> None:
    page.get_by_label("age", exact=True).fill(age)
    page.get_by_label("town", exact=True).fill(town)
    page.get_by_role("button", name="Look me up").click()


def test_somebody_is_looked_up_and_the_answer_forgotten(world: World) -> None:
    window = world.windows[Role.OWNER]
    page = window.go(f"/lookup?release={world.places['release'][0]}")
    _look_up(page, "7", "Ulm")
    answer = page.get_by_role("region", name="What the release says of you")
    expect(answer.locator(".verdict")).to_contain_text("records fit")
    expect(answer.get_by_role("region", name="disease")).to_be_visible()
    assert not faults_of(page)
    Pictures.wanted().take(page, "lookup-answer")
    page.get_by_role("button", name="Forget this answer").click()
    expect(answer).to_have_count(0)
    expect(page.get_by_label("age", exact=True)).to_have_value("")
