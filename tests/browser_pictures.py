"""Pictures of pages for the documentation: made by the tests, so that they show what there is."""

import io
import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page

_COLORS = 32
_TALLEST = 1500
"""Longer pages are cut off below, in pixels."""
_VARIANTS = {"": (1000, "light"), "-800": (800, "light"), "-360": (360, "light"), "-dark": (1000, "dark")}
"""Widths and color schemes, by what they add to the name of a picture."""
_DOCS = Path(__file__).parents[1] / "docs"


@dataclass(frozen=True)
class Pictures:
    """Where pictures go, if they are wanted: to the folder that ``SHOAL_SCREENSHOTS`` names."""

    folder: Path | None

    @classmethod
    def wanted(cls) -> "Pictures":
        """Return what the environment says."""
        named = os.environ.get("SHOAL_SCREENSHOTS")
        return cls(None if not named else Path(named))

    def take(self, page: Page, name: str) -> None:
        """Draw the page that is open at every width; for the documentation, those alone that its pages show."""
        for ending, (width, scheme) in _VARIANTS.items():
            file = f"{name}{ending}.png"
            if self.folder is not None and (self.folder.resolve() != _DOCS / "images" or file in _shown_in_docs()):
                _draw(page, self.folder / file, width, dark=scheme == "dark")


@cache
def _shown_in_docs() -> frozenset[str]:
    texts = [page.read_text(encoding="utf-8") for page in _DOCS.glob("**/*.md")]
    return frozenset(name for text in texts for name in re.findall(r"images/([\w-]+\.png)", text))


def _draw(page: Page, file: Path, width: int, *, dark: bool) -> None:
    before = page.viewport_size
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme="dark" if dark else "light")
    drawn = Image.open(io.BytesIO(page.screenshot(full_page=True)))
    cut = drawn.crop((0, 0, drawn.width, min(drawn.height, _TALLEST)))
    file.parent.mkdir(parents=True, exist_ok=True)
    cut.convert("RGB").quantize(_COLORS, dither=Image.Dither.NONE).save(file, optimize=True)
    page.emulate_media(color_scheme="light")
    if before is not None:
        page.set_viewport_size(before)
