"""What k means, drawn with people."""

from shoal.display import Picture, Table

from .charts import GRAY, WIDTH, svg_opening, svg_text

__all__ = ["people_picture"]

_BLUE = "#1f6f8b"
_A_ROW, _MOST = 18, 54
_WIDE, _TALL = 38, 60
_BAR = 50


def people_picture(k: int, few: int | None = None, records: int = 0) -> Picture:
    """Draw as many people as look alike, one of them marked: whoever knows that one sees all of them.

    ``few`` is how many of the ``records`` have fewer others like them as the data stand, where that is known.
    """
    shown = min(k, _MOST)
    rows = -(-shown // _A_ROW)
    height = rows * _TALL + 26 + (0 if few is None else _BAR)
    parts = [svg_opening(height, f"{k:,} people who look alike, one of whom is you.")]
    for number in range(shown):
        row, place = divmod(number, _A_ROW)
        parts.append(_person(20 + place * _WIDE, 8 + row * _TALL, is_you=number == 0))
    more = f", and {k - shown:,} more who are not drawn" if k > shown else ""
    below = f"You, marked by a filled figure, among {k:,} who look alike{more}."
    parts.append(svg_text(6, rows * _TALL + 20, below, color=GRAY))
    others = "1 other" if k == 2 else f"{k - 1:,} others"
    guess = f"Whoever guesses which of them is you is right 1 time in {k:,} at best."
    told = f"You would look like at least {others}. {guess}"
    if few is None or not records:
        return Picture(f"What k = {k:,} means", told, "".join([*parts, "</svg>"]))
    parts += _today(few, records, rows * _TALL + 38)
    counts = [(f"fewer than {others}", f"{few:,}"), (f"{others} or more", f"{records - few:,}")]
    table = Table.of("Records as they stand, by how many are exactly like them", ("alike", "records"), counts)
    title, told = f"What k = {k:,} means here", f"{told} {_here(few, records, k)}"
    return Picture(title, told, "".join([*parts, "</svg>"]), table=table)


def _here(few: int, records: int, k: int) -> str:
    others = "one other" if k == 2 else f"{k - 1:,} others"
    if not few:
        return f"Today, each of the {records:,} records already is exactly like at least {others}."
    verb, like = ("is", "it") if few == 1 else ("are", "them")
    alone = "like no other" if k == 2 else f"such that fewer than {others} are exactly like {like}"
    return f"Today, {few:,} of the {records:,} records {verb} {alone}."


def _today(few: int, records: int, y: float) -> list[str]:
    """Draw the records as they stand: in outline those that have too few others, filled those that have enough."""
    border = 6 + (WIDTH - 12) * few / records
    enough = f"{records - few:,} of {records:,} have enough others today"
    return [
        f'<rect x="6" y="{y:.0f}" width="{WIDTH - 12}" height="12" fill="none" stroke="{GRAY}" stroke-width="2"/>',
        f'<rect x="{border:.1f}" y="{y:.0f}" width="{WIDTH - 6 - border:.1f}" height="12" fill="{_BLUE}"/>',
        svg_text(WIDTH - 6, y + 30, enough, anchor="end", color=GRAY),
        svg_text(6, y + 30, f"{few:,} have too few", color=GRAY),
    ]


def _person(x: float, y: float, *, is_you: bool) -> str:
    color = f'fill="{_BLUE}" stroke="{_BLUE}"' if is_you else f'fill="none" stroke="{GRAY}"'
    look = f'stroke-width="2" {color}'
    body = f"M{x - 10:.0f} {y + 48:.0f} v-14 a10 10 0 0 1 20 0 v14 z"
    return f'<circle cx="{x:.0f}" cy="{y + 11:.0f}" r="8" {look}/><path d="{body}" {look}/>'
