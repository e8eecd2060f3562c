"""A summary as HTML for a notebook: self-contained, small, without scripts, the same in light and dark.

Text takes the color of the page around it, and lines and shades are half transparent, so that nothing has to know
whether the page is light or dark. A verdict is told by a sign and a word, and not by color alone.
"""

from collections.abc import Iterable, Iterator
from html import escape

from .summary import Picture, Summary, Table, printable

__all__ = ["as_html"]

# every rule is under the class, because a notebook is one page; some undo what Jupyter says of all tables and lists
_STYLE = (
    ".shoal{max-width:56em;line-height:1.4}"
    ".shoal table{border-collapse:collapse;table-layout:auto;width:auto;margin:.5em 0}"
    ".shoal caption{text-align:left;caption-side:top;opacity:.75;padding:.2em 0}"
    ".shoal th,.shoal td{text-align:right;vertical-align:top;padding:.15em .8em .15em 0;white-space:nowrap;"
    "border-bottom:1px solid rgba(128,128,128,.35)}"
    ".shoal th.w,.shoal td.w{text-align:left;white-space:normal;overflow-wrap:anywhere}"
    ".shoal tbody th{font-weight:normal;min-width:10em}"
    ".shoal dl{display:grid;grid-template-columns:max-content 1fr;gap:.1em 1em;margin:.4em 0}"
    ".shoal dl dt{opacity:.75;float:none;width:auto;font-weight:normal}"
    ".shoal dl dd{margin:0;width:auto;overflow-wrap:anywhere}.shoal ul{margin:.4em 0;padding-left:1.2em}"
    ".shoal figure.s{display:inline-block;width:13em;margin:.3em 1em .3em 0;vertical-align:top;overflow-wrap:anywhere}"
    ".shoal figure{margin:.8em 0}.shoal svg{max-width:100%;height:auto}.shoal figcaption{opacity:.75}"
    ".shoal .yes{color:#2a9d5c}.shoal .no{color:#d9534f}"
)
_SIGNS = {
    None: "",
    True: '<span class="yes" aria-hidden="true">✓</span> ',
    False: '<span class="no" aria-hidden="true">✗</span> ',
}


def as_html(summary: Summary, pictures: Iterable[Picture] = ()) -> str:
    """Return a summary with its pictures as HTML in which every name is escaped."""
    # a notebook would typeset what stands between dollar signs in a name as a formula
    parts = [f'<div class="shoal tex2jax_ignore mathjax_ignore"><style>{_STYLE}</style>']
    parts.append(f"<div>{_SIGNS[summary.holds]}<strong>{_escaped(summary.title)}</strong></div>")
    if summary.facts:
        facts = "".join(f"<dt>{_escaped(name)}</dt><dd>{_escaped(words)}</dd>" for name, words in summary.facts)
        parts.append(f"<dl>{facts}</dl>")
    parts.extend("".join(_table(table)) for table in summary.tables)
    if summary.sentences:
        parts.append(f"<ul>{''.join(f'<li>{_escaped(each, 1000)}</li>' for each in summary.sentences)}</ul>")
    parts.extend(_figure(picture) for picture in pictures)
    return "".join([*parts, "</div>"])


def _table(table: Table) -> Iterator[str]:
    sides = [' class="w"' if not i or head in table.words else "" for i, head in enumerate(table.head)]
    yield f"<table><caption>{_escaped(table.caption)}</caption><thead><tr>"
    yield from (f'<th scope="col"{side}>{_escaped(head)}</th>' for head, side in zip(table.head, sides, strict=True))
    yield "</tr></thead><tbody>"
    for row in table.rows:
        cells = "".join(f"<td{side}>{_escaped(cell)}</td>" for cell, side in zip(row[1:], sides[1:], strict=True))
        yield f'<tr><th scope="row" class="w">{_escaped(row[0])}</th>{cells}</tr>'
    yield "</tbody></table>"
    if table.more:
        yield f"<div>… and {table.more:,} more</div>"


def _figure(picture: Picture) -> str:
    caption = f"<figcaption><strong>{_escaped(picture.title)}</strong> {_escaped(picture.note, 1000)}</figcaption>"
    side = ' class="s"' if picture.small else ""
    return f"<figure{side}>{caption}{picture.chart}</figure>"


def _escaped(text: str, longest: int = 200) -> str:
    return escape(printable(text, longest))
