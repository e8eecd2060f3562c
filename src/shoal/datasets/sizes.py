"""Refusing sizes that mean nothing."""

from shoal.errors import WordingError

__all__ = ["refuse_outside"]


def refuse_outside(least: float, most: float, **sizes: float) -> None:
    """Refuse any size that is not between the least and the most, by its name."""
    for name, size in sizes.items():
        if not least <= size <= most:  # so that NaN is refused too
            raise WordingError(
                f"{name} = {size:,} cannot be generated.", f"Ask for a number from {least:,} to {most:,}."
            )
