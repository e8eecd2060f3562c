"""Pictures of pages for the documentation: drawn by the tests, which also notice when a page no longer looks like its.

Beside each picture lies what can be read on the page, without numbers. A picture that has rotted is known by it on any
machine; pixels would differ with every version of the browser and of its fonts.
"""

import difflib
import io
import os
import re
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page

_COLORS = 32
_TALLEST = 1500
"""Longer pages are cut off below, in pixels."""
_VARIANTS = {"": (1280, "light"), "-800": (800, "light"), "-360": (360, "light"), "-dark": (1280, "dark")}
"""Widths and color schemes, by what they add to the name of a picture."""
_DOCS = Path(__file__).parents[1] / "docs"
_READ = """() => {
  const menus = [...document.querySelectorAll("select")];
  menus.forEach((each) => { each.hidden = true; }); // what else could be chosen is not seen
  const lines = document.body.innerText.split("\\n");
  menus.forEach((each) => { each.hidden = false; });
  const drawn = [...document.querySelectorAll("svg text")].map((each) => each.textContent);
  return [...lines, ...drawn].map((line) => line.trim()).filter(Boolean);
}"""


@dataclass(frozen=True)
class Pictures:
    """The pictures of some pages of documentation; ``drawing`` makes them anew, and otherwise they are compared."""

    docs: Path
    drawing: bool

    @classmethod
    def wanted(cls) -> "Pictures":
        """Return what the environment says: ``SHOAL_SCREENSHOTS`` draws the pictures of this repository anew."""
        return cls(_DOCS, bool(os.environ.get("SHOAL_SCREENSHOTS")))

    def shown(self) -> frozenset[str]:
        """Return the names of the files that the documentation shows."""
        texts = [page.read_text(encoding="utf-8") for page in self.docs.glob("**/*.md")]
        return frozenset(name for text in texts for name in re.findall(r"images/([\w-]+\.png)", text))

    def take(self, page: Page, name: str) -> None:
        """Draw the page that is open wherever the documentation shows it, or refuse a picture of another page."""
        shown = self.shown()
        wanted = {ending: f"{name}{ending}.png" for ending in _VARIANTS if f"{name}{ending}.png" in shown}
        if not wanted:
            return
        lines, kept = read_on(page), self.docs / "images" / f"{name}.txt"
        if self.drawing:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text("\n".join(lines) + "\n", encoding="utf-8")
            for ending, file in wanted.items():
                width, scheme = _VARIANTS[ending]
                _draw(page, kept.with_name(file), width, dark=scheme == "dark")
            return
        before = kept.read_text(encoding="utf-8").splitlines() if kept.is_file() else []
        changed = "\n".join(difflib.unified_diff(before, lines, f"images/{name}.txt", page.url, lineterm="", n=1))
        assert not changed, (
            f"{', '.join(wanted.values())} no longer shows the page; draw it with make screenshots\n{changed}"
        )


def read_on(page: Page) -> list[str]:
    """Return what can be read on a page, line by line, without what differs from run to run: numbers and hashes."""
    lines = []
    for line in page.evaluate(_READ):
        plain = re.sub(r"\b[0-9a-f]{12,64}\b", "#", line)
        plain = re.sub(r"((below|above) )?\d[\d.,:–-]*(?<![.,:–-])", "#", plain)
        lines.append(plain)
    return [line for line, before in zip(lines, [None, *lines], strict=False) if line != before or line != "#"]


def _draw(page: Page, file: Path, width: int, *, dark: bool) -> None:
    before = page.viewport_size
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme="dark" if dark else "light")
    drawn = Image.open(io.BytesIO(page.screenshot(full_page=True)))
    cut = drawn.crop((0, 0, drawn.width, min(drawn.height, _TALLEST)))
    cut.convert("RGB").quantize(_COLORS, dither=Image.Dither.NONE).save(file, optimize=True)
    page.emulate_media(color_scheme="light")
    if before is not None:
        page.set_viewport_size(before)
