"""What the script of the pages does for whoever has one: dropping, stopping, checking while typing, copying."""

import re

from playwright.sync_api import FilePayload, Route, expect

from browser_pictures import Pictures
from browser_world import World
from browsing import WAIT
from shoal.server.store import Role

_DROPPED = """(drop) => {
  const data = new DataTransfer();
  data.items.add(new File(["town,age\\nUlm,31\\nBonn,44\\n"], "dropped.csv", { type: "text/csv" }));
  for (const kind of ["dragover", "drop"]) {
    drop.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
  }
}"""
_A_FILE = FilePayload(name="stopped.csv", mimeType="text/csv", buffer=b"town,age\nUlm,31\n")


def test_a_file_is_dropped(world: World) -> None:
    window = world.windows[Role.OWNER]
    page = window.go("/open")
    page.locator(".drop").evaluate(_DROPPED)
    page.wait_for_url("**/look", timeout=WAIT)
    window.settled()
    expect(page.get_by_role("heading", level=1)).to_have_text("dropped.csv")
    expect(page.get_by_role("region", name="Columns")).to_contain_text("town")


def test_sending_a_file_is_stopped_and_nothing_is_kept(world: World) -> None:
    window = world.windows[Role.OWNER]
    page = window.go("/open")
    held: list[Route] = []
    page.route(re.compile("/content$"), lambda route: held.append(route))  # as over a slow line
    page.get_by_label("Data file").set_input_files(_A_FILE)
    page.get_by_role("button", name="Open this file").click()
    expect(page.get_by_text("Sending stopped.csv")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Canceled. Nothing was kept.")).to_be_visible()
    page.unroute(re.compile("/content$"))
    assert held
    for _ in range(100):  # the script has it removed while the page stays as it is
        kept = [each["name"] for each in window.context.request.get("/api/v1/datasets").json()]
        if "stopped.csv" not in kept:
            return
        page.wait_for_timeout(200)
    raise AssertionError("what was sent is still there")


def test_a_hierarchy_is_checked_while_it_is_typed(world: World) -> None:
    window = world.windows[Role.OWNER]
    page = window.go(f"/data/{world.places['dataset'][0]}/columns/hierarchy?column=town")
    window.settled()
    text = page.get_by_label("One line a value")
    told = page.locator("#checked")
    text.fill("Ulm;south;*")
    expect(told).to_contain_text("Not a hierarchy of this column yet.", timeout=WAIT)
    text.fill("Ulm;south;*\nBonn;west;*\n")
    expect(told).to_contain_text("A hierarchy of 2 values with 3 levels.", timeout=WAIT)
    assert page.url.endswith("column=town")  # nothing was sent, and nothing saved
    Pictures.wanted().take(page, "hierarchy")


def test_a_command_is_copied(world: World) -> None:
    window = world.windows[Role.OWNER]
    window.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = window.go(f"/data/{world.places['dataset'][0]}/risk")
    same = page.get_by_role("region", name="The same elsewhere")
    same.get_by_text("The same in the terminal and in Python").click()
    same.get_by_role("button", name="Copy").first.click()
    expect(same.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert copied == same.locator("pre code").first.inner_text()
    assert "shoal attack people.csv --schema schema.toml" in copied
