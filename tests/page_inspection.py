"""What every page of the workbench must stand: every width, zoom, color scheme and assistive technology."""

from functools import cache

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

WIDTHS = (360, 800, 1280)
_HEIGHT = 800
_ZOOMED = 640
"""How many pixels of a page there are at 200 % on a screen of 1280."""

_TOO_WIDE = """() => {
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= room + 1) return [];
  const cut = ["auto", "scroll", "hidden", "clip"];
  const scrolls = (element) => element && element !== document.body &&
    (cut.includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const told = [...document.body.querySelectorAll("*")]
    .filter((each) => each.getBoundingClientRect().right > room + 1 && !scrolls(each.parentElement))
    .map((each) => `${each.tagName.toLowerCase()}.${each.className} ${Math.round(each.getBoundingClientRect().right)}`);
  return [`${document.documentElement.scrollWidth} of ${room} pixels`, ...told.slice(0, 5)];
}"""
_MOVING = """() => [
  ...document.getAnimations().map(() => "an animation"),
  ...[...document.querySelectorAll("*")]
    .filter((each) => getComputedStyle(each).transitionDuration !== "0s").map((each) => each.tagName),
]"""
_UNNAMED_CHARTS = """() => [...document.querySelectorAll("main svg")]
  .filter((each) => !each.closest("[aria-hidden=true]") && !each.ownerSVGElement)
  .filter((each) => !["img", "group"].includes(each.getAttribute("role")) ||
    !(each.getAttribute("aria-label") || each.getAttribute("aria-labelledby") || each.querySelector("title")))
  .map((each) => each.outerHTML.slice(0, 200))"""
_CHARTS_WITHOUT_TABLE = """() => [...document.querySelectorAll("main svg[role=img]:has(text ~ text)")]
  .filter((each) => !each.closest("td, th") && !each.closest("figure")?.querySelector("table"))
  .filter((each) => {
    let next = each.closest("figure") ?? each.closest(".figures, section, p, div") ?? each;
    while ((next = next.nextElementSibling) && !next.matches("h1, h2")) {
      if (next.matches("table") || next.querySelector("table")) return false;
    }
    return true;
  })
  .map((each) => each.getAttribute("aria-label") || each.outerHTML.slice(0, 100))"""
_BRIGHTNESS = """() => {
  const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number);
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}"""
_LISTEN_TO_FOCUS = """() => {
  const all = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
  const first = new Map();
  window.reached = new Set();
  window.unseen = [];
  window.controls = [...document.querySelectorAll(all)]
    .filter((each) => !each.disabled && each.checkVisibility({ visibilityProperty: true }))
    .filter((each) => {
      if (each.type !== "radio") return true; // of a group, one can be reached with Tab, the others with arrows
      const group = `${each.form?.action} ${each.name}`;
      if (first.has(group)) return false;
      first.set(group, each);
      return true;
    });
  document.addEventListener("focusin", ({ target }) => {
    const which = target.type === "radio" ? first.get(`${target.form?.action} ${target.name}`) : target;
    window.reached.add(which);
    const style = getComputedStyle(target);
    if (target.id !== "content" && (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2)) {
      window.unseen.push(target.outerHTML.slice(0, 120));
    }
  });
  return window.controls.length;
}"""
_NOT_REACHED = (
    "() => window.controls.filter((each) => !window.reached.has(each)).map((each) => each.outerHTML.slice(0, 160))"
)
_SKIP_LINK = """() => {
  const box = document.activeElement.getBoundingClientRect();
  return document.activeElement.matches("a.skip") && box.left >= 0 && box.top >= 0 && box.width > 0;
}"""


@cache
def _axe() -> Axe:
    return Axe()


def faults_of(page: Page) -> list[str]:
    """Return what is wrong with the page that is open; it is left as wide as it was found."""
    found = [f"axe, in light colors: {each}" for each in _violations(page)]
    light = page.evaluate(_BRIGHTNESS)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    found += [f"axe, in dark colors: {each}" for each in _violations(page, "color-contrast")]
    if not page.evaluate(_BRIGHTNESS) < 0.2 < 0.8 < light:
        found.append("it is not light where light, and dark where dark is wanted")
    found += [f"with reduced motion, {each} moves" for each in page.evaluate(_MOVING)]
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    found += [f"a chart that a screen reader cannot name: {each}" for each in page.evaluate(_UNNAMED_CHARTS)]
    found += [f"a chart without its numbers: {each}" for each in page.evaluate(_CHARTS_WITHOUT_TABLE)]
    return found + _too_wide(page)


def keyboard_faults_of(page: Page) -> list[str]:
    """Return which controls of the page that was just opened cannot be reached, or show no focus."""
    many = page.evaluate(_LISTEN_TO_FOCUS)
    page.keyboard.press("Tab")
    found = [] if page.evaluate(_SKIP_LINK) else ["the first thing reached is not the link that skips to the content"]
    for _ in range(many + 5):
        page.keyboard.press("Tab")
    found += [f"cannot be reached with the keyboard: {each}" for each in page.evaluate(_NOT_REACHED)]
    found += [f"shows no focus: {each}" for each in page.evaluate("() => [...new Set(window.unseen)]")]
    page.locator("a.skip").focus()
    page.keyboard.press("Enter")
    if page.evaluate("() => document.activeElement.id") != "content":
        found.append("the link that skips to the content does not lead there")
    return found


def _violations(page: Page, *rules: str) -> list[str]:
    options: dict[str, object] = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
    if rules:
        options = {"resultTypes": ["violations"], "runOnly": list(rules)}
    told = _axe().run(page, options=options).response["violations"]
    return [
        f"{each['id']}: {node['html'][:200]} ({node['failureSummary'].splitlines()[-1].strip()})"
        for each in told
        for node in each["nodes"][:3]
    ]


def _too_wide(page: Page) -> list[str]:
    found = []
    before = page.viewport_size
    for width in (*WIDTHS, _ZOOMED):
        page.set_viewport_size({"width": width, "height": _HEIGHT})
        found += [f"scrolls sideways at {width} pixels: {each}" for each in page.evaluate(_TOO_WIDE)]
    page.set_viewport_size({"width": 1280, "height": _HEIGHT})
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    found += [f"scrolls sideways with letters twice as large: {each}" for each in page.evaluate(_TOO_WIDE)]
    page.evaluate("() => { document.documentElement.style.fontSize = ''; }")
    if before is not None:
        page.set_viewport_size(before)
    return found
