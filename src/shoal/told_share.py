"""Shares as people write them."""

__all__ = ["told_share"]


def told_share(share: float) -> str:
    """Write a share in whole percent, so that it differs from none and all where it does."""
    if 0 < share < 0.01:
        return "below 1 %"
    if 0.99 < share < 1:
        return "above 99 %"
    return f"{100 * share:.0f} %"
