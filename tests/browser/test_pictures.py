"""The pictures of the documentation cannot rot: one that shows another page than there is fails the tests."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from browser_pictures import Pictures
from browsing import Desktop

_PAGE = "<!doctype html><html lang='en'><title>t</title><main><h1>{}</h1><p>{} people, {} UTC</p></main>"


@pytest.fixture
def page(desktop: Desktop) -> Page:
    return desktop.window().page


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "guide.md").write_text("![Proof](images/proof.png) ![Proof](images/proof-360.png)", encoding="utf-8")
    return tmp_path


def test_a_picture_is_drawn_at_every_width_that_is_shown(page: Page, docs: Path) -> None:
    page.set_content(_PAGE.format("Proof", 12, "08:30"))
    Pictures(docs, drawing=True).take(page, "proof")
    assert {each.name for each in (docs / "images").iterdir()} == {"proof.png", "proof-360.png", "proof.txt"}
    Pictures(docs, drawing=False).take(page, "proof")
    Pictures(docs, drawing=False).take(page, "shown-nowhere")


def test_other_numbers_are_the_same_page_and_other_words_are_not(page: Page, docs: Path) -> None:
    page.set_content(_PAGE.format("Proof", 12, "08:30"))
    Pictures(docs, drawing=True).take(page, "proof")
    page.set_content(_PAGE.format("Proof", "1,304", "23:59"))
    Pictures(docs, drawing=False).take(page, "proof")
    page.set_content(_PAGE.format("Evidence", 12, "08:30"))
    with pytest.raises(AssertionError, match="no longer shows the page"):
        Pictures(docs, drawing=False).take(page, "proof")


def test_a_picture_that_was_never_drawn_is_missed(page: Page, docs: Path) -> None:
    page.set_content(_PAGE.format("Proof", 12, "08:30"))
    with pytest.raises(AssertionError, match=r"proof\.png"):
        Pictures(docs, drawing=False).take(page, "proof")


def test_every_picture_that_is_shown_is_there_with_its_words_and_no_other() -> None:
    ours = Pictures.wanted()
    drawn = {each.name for each in (ours.docs / "images").glob("*.png")}
    words = {each.stem for each in (ours.docs / "images").glob("*.txt")}
    assert drawn == set(ours.shown())
    assert words == {re.sub(r"(-800|-360|-dark)?\.png$", "", each) for each in drawn}
