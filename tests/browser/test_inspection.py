"""The inspection of pages finds what it looks for: a page with every fault is told each of them."""

import pytest
from playwright.sync_api import Page

from browsing import Desktop
from page_inspection import faults_of, keyboard_faults_of

_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
<meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width">
<style>:root { color-scheme: light dark } a:focus { outline: 3px solid red }
.skip { position: absolute; left: -99em } .skip:focus { left: 0 } body { background: canvas } STYLE</style></head>
<body><a class="skip" href="#content">Skip</a>
<main id="content" tabindex="-1"><h1>A page</h1>CONTENT</main></body></html>"""
_CHART = '<svg role="img" aria-label="people" viewBox="0 0 9 9"><text y="4">5</text><text y="9">0</text></svg>'

FAULTS = {
    "axe, in light colors: label": ("<input>", ""),
    "axe, in light colors: color-contrast": ("<p>pale</p>", "p { color: #ccc; background: #fff }"),
    "axe, in dark colors: color-contrast": (
        "<p>pale</p>",
        "p { color: #000 } @media (prefers-color-scheme: dark) { p { color: #333; background: #000 } }",
    ),
    "not light where light": ("", "body { background: #fff !important; color: #000 }"),
    "scrolls sideways at 360": ("<div>wide</div>", "div { width: 500px }"),
    "scrolls sideways at 640": ("<div>wide</div>", "@media (max-width: 700px) { div { width: 900px } }"),
    "letters twice as large": ("<div>wide</div>", "@media (min-width: 1000px) { div { width: 50rem } }"),
    "with reduced motion": ("<div>moves</div>", "div { transition: color 1s }"),
    "a screen reader cannot name": ('<svg viewBox="0 0 9 9"><text y="4">5</text><text y="9">0</text></svg>', ""),
    "a chart without its numbers": (_CHART, ""),
}
KEYBOARD_FAULTS = {
    "cannot be reached": ('<button tabindex="-1">Go</button>', "button:focus { outline: 3px solid red }"),
    "shows no focus": ("<button>Go</button>", "button:focus { outline: none }"),
}


@pytest.fixture
def page(desktop: Desktop) -> Page:
    return desktop.window().page


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str, page: Page) -> None:
    content, style = FAULTS[fault]
    page.set_content(_PAGE.replace("CONTENT", content).replace("STYLE", style))
    assert any(fault in each for each in faults_of(page)), faults_of(page)


@pytest.mark.parametrize("fault", KEYBOARD_FAULTS)
def test_a_fault_with_the_keyboard_is_found(fault: str, page: Page) -> None:
    content, style = KEYBOARD_FAULTS[fault]
    page.set_content(_PAGE.replace("CONTENT", content).replace("STYLE", style))
    assert any(fault in each for each in keyboard_faults_of(page))


def test_a_page_without_faults_has_none(page: Page) -> None:
    content = f"<figure>{_CHART}<table><tr><th scope='row'>people</th><td>5</td></tr></table></figure>"
    page.set_content(_PAGE.replace("CONTENT", content).replace("STYLE", ""))
    assert keyboard_faults_of(page) == []
    assert faults_of(page) == []


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("<img src='http://192.0.2.1/x.png' alt=''>", "asked another machine"),
        ("<img src='/nothing-here' alt=''>", "answered with 404"),
    ],
)
def test_what_a_window_notices_is_told(content: str, told: str, desktop: Desktop) -> None:
    window = desktop.window()
    window.go("/login")
    with window.page.expect_event("requestfinished" if "404" in told else "requestfailed"):
        window.page.evaluate("(content) => { document.querySelector('main').innerHTML = content; }", content)
    window.page.wait_for_load_state("networkidle")
    assert any(told in each for each in window.faults), window.faults
    window.faults.clear()


def test_a_style_that_the_policy_forbids_is_noticed(desktop: Desktop) -> None:
    window = desktop.window()
    window.go("/login")
    with window.page.expect_console_message(lambda message: "policy was broken" in message.text):
        window.page.evaluate("() => document.querySelector('main').setAttribute('style', 'color: red')")
    assert any("policy was broken" in each for each in window.faults)
    window.faults.clear()
