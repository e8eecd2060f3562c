"""Pages with what was computed for them that no story shows: the lattice, points of a survey and of ratings, and two
releases side by side."""

import pytest
from playwright.sync_api import expect

from browser_pictures import Pictures
from browser_world import World
from browsing import Window
from page_inspection import faults_of
from shoal.server.store import Role


def _press(window: Window, button: str) -> None:
    window.page.get_by_role("button", name=button, exact=True).click()
    window.settled()
    expect(window.page.get_by_role("alert")).to_have_count(0)


def test_the_lattice_of_a_table(world: World) -> None:
    window = world.windows[Role.OWNER]
    page = window.go(f"/data/{world.places['dataset'][0]}/explore?model=k-anonymity%3Ak%3D3")
    _press(window, "Search the lattice")
    expect(page.get_by_text("nodes had to be looked at")).to_be_visible()
    expect(page.get_by_role("rowheader", name="the best")).to_be_visible()
    assert not faults_of(page)


@pytest.mark.parametrize(("kind", "place"), [("survey", 1), ("ratings", 2)])
def test_points_of_other_data_than_tables(kind: str, place: int, world: World) -> None:
    window = world.windows[Role.OWNER]
    asked = "?ks=2" if kind == "survey" else "?ks=2&epsilons=1"
    page = window.go(f"/data/{world.places['dataset'][place]}/explore{asked}")
    _press(window, "Try these promises")
    points = page.get_by_role("region", name="Points")
    expect(points).to_contain_text("k=2")
    assert not faults_of(page)
    points.get_by_role("link").first.click()
    expect(page.locator("nav.steps [aria-current=step]")).to_have_text("Promise")
    expect(page.get_by_role("region", name="Promise 1")).to_be_visible()


def test_two_releases_side_by_side(world: World) -> None:
    window, releases = world.windows[Role.OWNER], world.places["release"]
    page = window.go(f"/compare?a={releases[0]}&b={releases[3]}")
    for button in ("Let attackers try both", "Measure both"):
        _press(window, button)
    expect(page.get_by_text("How often attackers succeed")).to_be_visible()
    expect(page.get_by_text("What was kept and lost")).to_be_visible()
    assert not faults_of(page)
    Pictures.wanted().take(page, "compare")
