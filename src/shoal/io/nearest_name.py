"""The name of a column that somebody may have meant."""

import re
from collections.abc import Collection

__all__ = ["nearest_name"]


def nearest_name(name: str, known: Collection[str]) -> str:
    """Return a question that asks for the known name that differs in case, spaces or signs alone; else nothing.

    Where a header line was forgotten, known names are values of a record: one that is only similar is never printed.
    """
    found = next((each for each in known if _letters(each) == _letters(name)), None) if _letters(name) else None
    return "" if found is None else f"Is {found!r} meant? "


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name.casefold())
