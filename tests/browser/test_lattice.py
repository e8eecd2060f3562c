"""A node of the lattice is taken with the keyboard alone, and the picture shuts nobody out."""

from collections.abc import Callable

from browsing import Window
from page_inspection import faults_of, keyboard_faults_of
from server_under_test import Live
from workbench_data import add_data


def test_a_node_is_reached_and_taken_by_keyboard(live: Live, window: Callable[..., Window]) -> None:
    dataset = add_data(live, "table")
    ada = window()
    page = ada.go(f"/data/{dataset}/explore?model=k-anonymity%3Ak%3D4")
    ada.settled()
    page.get_by_role("button", name="Search the lattice").click()
    ada.settled()
    assert [*keyboard_faults_of(page), *faults_of(page)] == []
    drawn = page.locator("figure svg").get_by_role("link", name="Take levels age")
    assert drawn.count() > 1
    told = drawn.last.get_attribute("aria-label")
    assert told is not None
    assert "records withheld" in told
    drawn.last.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/promise?*")
    assert "levels" in page.url
    assert page.get_by_label("Levels that you choose yourself").count() == 1
