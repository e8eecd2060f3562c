"""What k means, drawn with people."""

from shoal.display import Picture

from .charts import GRAY, svg_opening, svg_text

__all__ = ["people_picture"]

_BLUE = "#1f6f8b"
_A_ROW, _MOST = 18, 54
_WIDE, _TALL = 38, 60


def people_picture(k: int) -> Picture:
    """Draw as many people as look alike, one of them marked: whoever knows that one sees all of them."""
    shown = min(k, _MOST)
    rows = -(-shown // _A_ROW)
    height = rows * _TALL + 26
    parts = [svg_opening(height, f"{k:,} people who look alike, one of whom is you.")]
    for number in range(shown):
        row, place = divmod(number, _A_ROW)
        parts.append(_person(20 + place * _WIDE, 8 + row * _TALL, is_you=number == 0))
    more = f", and {k - shown:,} more who are not drawn" if k > shown else ""
    below = f"You, marked by a filled figure, among {k:,} who look alike{more}."
    parts.append(svg_text(6, height - 6, below, color=GRAY))
    others = "1 other" if k == 2 else f"{k - 1:,} others"
    guess = f"Whoever guesses which of them is you is right 1 time in {k:,} at best."
    return Picture(
        f"What k = {k:,} means", f"You would look like at least {others}. {guess}", "".join([*parts, "</svg>"])
    )


def _person(x: float, y: float, *, is_you: bool) -> str:
    color = f'fill="{_BLUE}" stroke="{_BLUE}"' if is_you else f'fill="none" stroke="{GRAY}"'
    look = f'stroke-width="2" {color}'
    body = f"M{x - 10:.0f} {y + 48:.0f} v-14 a10 10 0 0 1 20 0 v14 z"
    return f'<circle cx="{x:.0f}" cy="{y + 11:.0f}" r="8" {look}/><path d="{body}" {look}/>'
