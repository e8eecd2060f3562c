"""Names of figures as people write them."""

import re

__all__ = ["told_name"]


def told_name(name: str) -> str:
    """Write the name of a figure in words: ``at_risk_above_0_09`` is told as "at risk above 0.09"."""
    return re.sub(r"(?<=\d)_(?=\d)", ".", name).replace("_", " ")
