"""Every form filled in wrongly, by everybody who sees it: what is wrong is told, with the cure, and nothing is lost."""

import pytest
from fastapi.routing import APIRoute

from browser_world import ROUTES, World
from browsing import Window

_FORMS = "form:not([data-upload]):has(input:not([type=hidden]), textarea, select)"
"""Forms that ask for something; the one that a script sends has a test of its own."""
_ASKED = """(form) => [
  new URL(form.action).pathname.replace(/[0-9a-f]{16,24}|\\d+/g, "…"),
  ...[...form.elements].filter((each) => each.matches("input:not([type=hidden]), select, textarea"))
    .map((each) => each.name),
].join(" ")"""
"""By what two forms are the same: where they are sent, and what can be entered."""
_FILLED_WRONGLY = """(form) => {
  form.noValidate = true;
  for (const each of form.elements) {
    if (each.matches("textarea, input:is([type=text], [type=password], :not([type]))")) each.value = "☃?";
    if (each.matches("[type=number]")) each.value = "-7";
    if (each.matches("[type=checkbox]")) each.checked = false;
    if (each.matches("select") && [...each.options].some((option) => option.value === "")) each.value = "";
  }
  form.querySelector("button:not([type=button])").click();
}"""
_TOLD = "main :is([role=alert], [role=status], .fault, p.empty:has-text('fits'))"
"""Where a page says what is wrong with what was entered, or that nothing fits it."""
NOTHING_IS_WRONG = {
    "/data/…/promise method": "every method that is offered can be taken",
    "/compare a b": "any two releases can be compared",
    "/compare b": "any two releases can be compared",
    "/data/…/rows at": "whatever the number, there is a nearest record",
    "/desk/waiting/approve why": "a reason may be anything",
    "/desk/waiting why": "a reason may be anything",
}
"""Forms that cannot be filled in wrongly, and why."""
OF_THEIR_OWN = ("/lookup",)
"""Where what is unknown is told in answers, which have tests of their own."""


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_wrong_inputs_are_told_with_the_cure(route: APIRoute, world: World) -> None:
    if route.path in OF_THEIR_OWN:
        return
    done = set(NOTHING_IS_WRONG)
    for window, address in world.pages(route):
        window.go(address)
        asked = [each.evaluate(_ASKED) for each in window.settled().locator(_FORMS).all()]
        for number, each in enumerate(asked):
            if each not in done:
                done.add(each)
                fault = _fault(window, address, number)
                assert not fault, f"form {each!r} of {address}: {fault}"
        assert not window.faults, "\n".join(window.faults)


def _fault(window: Window, address: str, number: int) -> str:
    """Fill in a form wrongly, send it, and return what is wrong with the answer."""
    window.go(address)
    form = window.settled().locator(_FORMS).nth(number)
    with window.expecting(400, 401, 403, 404, 409, 413, 422):
        with window.page.expect_navigation() as sent:
            form.evaluate(_FILLED_WRONGLY)
        status = sent.value.status
        page = window.settled()
    told = "".join(page.locator(_TOLD).all_inner_texts()).strip()
    if status >= 500 or not told:
        return f"it is answered with {status}, and does not say what is wrong"
    kept = "☃?" in page.content() or "What to do:" in told
    return "" if kept else "it neither keeps what was entered nor says what to do"
