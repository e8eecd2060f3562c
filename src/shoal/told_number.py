"""Numbers as people write them."""

__all__ = ["told_number"]


def told_number(number: float) -> str:
    """Write a number as people do: 30,162 and 0.25."""
    return f"{number:,}" if isinstance(number, int) else f"{number:,.4g}" if abs(number) < 1000 else f"{number:,.1f}"
