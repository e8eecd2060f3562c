"""The page of a first look at data: what is in them, with histograms, for their owner."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from shoal.display import Picture, Table

__all__ = ["description_page", "is_description_page"]

_MARK = "<title>What is in "


def description_page(
    name: str,
    facts: Sequence[tuple[str, str]],
    sentences: Sequence[str],
    tables: Sequence[Table],
    pictures: Sequence[Picture],
) -> str:
    """Return the page as HTML; charts are SVG in which every name is escaped."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(drawn=Markup)
    template = files("shoal.pages").joinpath("description.html").read_text(encoding="utf-8")
    return environment.from_string(template).render(
        name=name, facts=facts, sentences=sentences, tables=tables, pictures=pictures
    )


def is_description_page(path: Path) -> bool:
    """Return whether a file is such a page, so that it may be replaced."""
    with path.open("rb") as file:
        return _MARK.encode() in file.read(4096)
