"""Names of columns in a sentence."""

from collections.abc import Sequence

__all__ = ["listed"]


def listed(names: Sequence[str]) -> str:
    """Return names with quotes, commas and an *and*."""
    quoted = [repr(name) for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
