"""The words of the pages: what each means here, what others call it, and where it stands on the page of words."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from markupsafe import Markup, escape

from shoal.jobs.catalog import catalog_of, measure_catalog

__all__ = ["Entry", "Section", "glossary", "names_in_wordings"]

_MARKED = re.compile(r"`([^`]+)`|\*([^*]+)\*|\[([^\]]+)\]\([^)]+\)")


@dataclass(frozen=True)
class Entry:
    """A word."""

    word: str
    means: str
    elsewhere: str = ""
    """What papers and other tools call the same thing."""
    anchors: tuple[str, ...] = ()
    """By which addresses link to it: one for each of several words."""

    @property
    def meaning(self) -> Markup:
        """What it means, as a page shows it."""
        return _marked_up(self.means)

    @property
    def other_words(self) -> Markup:
        """What others call it, as a page shows it."""
        return _marked_up(self.elsewhere)

    @property
    def title(self) -> Markup:
        """The word, as a page shows it."""
        return _marked_up(self.word)


@dataclass(frozen=True)
class Section:
    """Words about one thing."""

    title: str
    entries: tuple[Entry, ...]


@cache
def glossary() -> tuple[Section, ...]:
    """Return the words, in the order in which they are explained."""
    told = tomllib.loads(files("shoal.workbench").joinpath("glossary.toml").read_text(encoding="utf-8"))
    return tuple(
        Section(each["title"], tuple(Entry(**entry, anchors=_anchors(entry["word"])) for entry in each["entry"]))
        for each in told["section"]
    )


@cache
def names_in_wordings() -> tuple[Section, ...]:
    """Return what has a name in commands and forms: promises, methods, attacks and measures, with what each is."""
    taken = {anchor for section in glossary() for entry in section.entries for anchor in entry.anchors}
    families = {
        "Promises": catalog_of("promises"),
        "Methods": catalog_of("methods"),
        "Attacks": catalog_of("attacks"),
        "Measures": measure_catalog(),
    }
    return tuple(Section(title, tuple(_named(title, members, taken))) for title, members in families.items())


def _named(title: str, members: Iterable[dict[str, str]], taken: set[str]) -> Iterator[Entry]:
    for each in members:
        (anchor,) = _anchors(each["name"])
        anchor = f"{title[:-1].lower()}-{anchor}" if anchor in taken else anchor
        taken.add(anchor)
        yield Entry(each["name"], each["summary"], anchors=(anchor,))


def _anchors(word: str) -> tuple[str, ...]:
    plain = (re.sub(r"[^a-z0-9]+", "-", each.lower()).strip("-") for each in word.split(","))
    return tuple(each for each in plain if each)


def _marked_up(text: str) -> Markup:
    """Return code and emphasis as a page shows them; links lead into the documentation, and are left as words."""
    made, last = Markup(), 0
    for found in _MARKED.finditer(text):
        code, emphasis, linked = found.groups()
        made += escape(text[last : found.start()])
        made += Markup("<code>{}</code>").format(code) if code else ""
        made += Markup("<em>{}</em>").format(emphasis) if emphasis else ""
        made += escape(linked or "")
        last = found.end()
    return made + escape(text[last:])
