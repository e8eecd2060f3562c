"""From a file to a verified release and its report, in a browser: a table, a survey and ratings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import shoal
from browser_pictures import Pictures
from browsing import WAIT, Window
from page_inspection import faults_of
from server_under_test import write_people
from shoal.datasets import write_generated


@dataclass
class Story:
    """What somebody does in one window, step by step."""

    window: Window
    name: str
    pictures: Pictures

    @property
    def page(self) -> Page:
        return self.window.page

    def seen(self, step: str) -> None:
        """Look at a step: nothing is wrong with the page, and loading it again loses nothing."""
        page = self.window.settled()
        expect(page.locator("nav.steps [aria-current=step]")).to_have_text(step)
        told = faults_of(page)
        assert not told, f"{page.url}\n" + "\n".join(told)
        self.pictures.take(page, f"{self.name}-{step.lower().replace(' ', '-')}")
        heading, buttons = page.get_by_role("heading", level=1).inner_text(), self._buttons()
        page.reload()
        assert page.get_by_role("heading", level=1).inner_text() == heading
        assert self._buttons() == buttons

    def _buttons(self) -> list[str]:
        self.page.wait_for_load_state()
        return self.page.locator("main").get_by_role("button").all_inner_texts()

    def open(self, file: Path) -> None:
        """Send a file, and look at what is in it."""
        page = self.window.go("/")
        page.get_by_role("navigation", name="Main").get_by_role("link", name="Open data").click()
        self.seen("Open")
        page.get_by_label("Data file").set_input_files(file)
        page.get_by_role("button", name="Open this file").click()
        page.wait_for_url("**/look", timeout=WAIT)
        self.seen("Look")

    def press(self, button: str) -> None:
        """Have something computed, and wait for it."""
        self.page.get_by_role("button", name=button, exact=True).click()
        self.window.settled()
        expect(self.page.get_by_role("alert")).to_have_count(0)

    def follow(self, link: str, step: str) -> None:
        """Follow a link to the next step."""
        self.page.get_by_role("main").get_by_role("link", name=link).first.click()
        expect(self.page.locator("nav.steps [aria-current=step]")).to_have_text(step)

    def say(self, roles: Mapping[str, str]) -> None:
        """Say what each column is, and save it."""
        page = self.page
        for column, role in roles.items():
            page.get_by_label(f"Role of {column}", exact=True).select_option(role)
        page.get_by_role("button", name="Save").and_(page.locator("[value=save]")).click()
        self.window.settled()
        expect(page.get_by_text("The schema is saved, and the data were read with it.")).to_be_visible()
        self.seen("Columns")

    def attack(self) -> None:
        """Let attackers try the data as they are."""
        self.follow("Risk as it stands", "Risk as it stands")
        self.press("Let attackers try")
        expect(self.page.get_by_text("The same as a table, in people")).to_be_visible()
        self.seen("Risk as it stands")

    def promise(self, k: int) -> None:
        """Promise k-anonymity, think better of it, go back to it, and check the data as they stand."""
        self.follow("Go on: what to promise", "Promise")
        page = self.page
        offer = page.locator("details.offer").filter(has_text="k-anonymity").first
        offer.get_by_label("How many people look alike").fill(str(k))
        offer.get_by_role("button", name="Promise this").click()
        chosen = page.get_by_role("region", name="Promise 1: k-anonymity")
        expect(chosen.get_by_label("How many people look alike")).to_have_value(str(k))
        chosen.get_by_role("link", name="Remove").click()
        expect(chosen).to_have_count(0)
        page.go_back()
        expect(chosen.get_by_label("How many people look alike")).to_have_value(str(k))
        self.press("Check the data as they stand")
        expect(page.get_by_text("Does not hold.")).to_be_visible()
        self.seen("Promise")

    def explore(self, method: str, k: int) -> None:
        """Try two promises, and take one of the points."""
        self.follow("Explore what it would cost first", "Explore")
        page = self.page
        page.get_by_label("How many people look alike").fill(f"2,{k}")
        for box in page.get_by_role("group", name="Methods to try").get_by_role("checkbox").all():
            box.set_checked(box.get_attribute("value") == method)
        page.get_by_role("button", name="Use these values").click()
        self.press("Try these promises")
        self.seen("Explore")
        page.get_by_role("region", name="Points").get_by_role("link", name=f"k={k}").first.click()
        expect(page.locator("nav.steps [aria-current=step]")).to_have_text("Promise")
        expect(page.get_by_label("Method", exact=True)).to_have_value(method)

    def publish(self) -> None:
        """Read the plan, publish, and come to the proof."""
        self.follow("Go on: the plan, and publish", "Publish")
        expect(self.page.get_by_text("k-anonymity:k=").first).to_be_visible()
        self.seen("Publish")
        self.page.get_by_role("button", name="Publish", exact=True).click()
        self.page.wait_for_url("**/proof", timeout=WAIT)

    def prove(self) -> None:
        """Verify the release as anybody could, and against the ledger."""
        self.press("Verify the files of the release")
        self.press("Verify against the ledger")
        expect(self.page.get_by_text("Does not hold.")).to_have_count(0)
        self.seen("Proof")

    def use(self) -> None:
        """Attack the release, compare columns, measure."""
        self.follow("Go on: attack it, and use it", "Attack and use")
        for button in ("Let attackers try both", "Compare", "Measure what was lost"):
            self.press(button)
        self.seen("Attack and use")

    def report(self, folder: Path) -> None:
        """Write the report, and verify what is downloaded with the command."""
        self.follow("Go on: report and download", "Report")
        page = self.page
        self.press("Write the report")
        expect(page.get_by_text("The release is verified.")).to_be_visible()
        self.seen("Report")
        files = page.get_by_role("region", name="Files").get_by_role("link")
        for i in range(files.count()):
            with page.expect_download() as download:
                files.nth(i).click()
            download.value.save_as(folder / files.nth(i).inner_text())
        assert shoal.verify(folder).holds
        page.get_by_role("link", name="Read the report").click()
        expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.fixture
def story(window: Callable[..., Window]) -> Callable[[str], Story]:
    return lambda name: Story(window(), name, Pictures.wanted())


def test_a_table(story: Callable[[str], Story], tmp_path: Path) -> None:
    told = story("table")
    told.open(write_people(tmp_path, 150))
    told.follow("Say what the columns are", "Columns")
    told.say({"name": "identifier", "age": "quasi-identifier", "town": "quasi-identifier", "disease": "sensitive"})
    told.attack()
    told.promise(5)
    told.explore("mondrian", 5)
    told.publish()
    told.prove()
    told.use()
    told.report(tmp_path / "release")


def test_a_survey(story: Callable[[str], Story], tmp_path: Path) -> None:
    told = story("survey")
    file = tmp_path / "answers.csv"
    write_generated("survey", file, respondents=80, issues=6, sensitive=1, seed=1)
    told.open(file)
    told.follow("Say what the columns are", "Columns")
    answers = {f"issue_{number}": "item" for number in range(1, 6)}
    told.say({"respondent": "identifier", **answers, "issue_6": "sensitive item"})
    told.attack()
    told.promise(4)
    told.publish()
    told.prove()
    told.use()
    told.report(tmp_path / "release")


def test_ratings(story: Callable[[str], Story], tmp_path: Path) -> None:
    told = story("ratings")
    file = tmp_path / "films.csv"
    write_generated("ratings", file, users=80, items=30, ratings=900, seed=1)
    told.open(file)
    told.follow("Say what the columns are", "Columns")
    told.say({})
    told.attack()
    told.promise(5)
    told.publish()
    told.prove()
    told.use()
    told.report(tmp_path / "release")
