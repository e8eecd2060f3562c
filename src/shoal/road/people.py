"""Whose records are published: refused where it is not known, and what the owner should know of several a person."""

from shoal.data import Ratings, Records
from shoal.errors import WordingError

__all__ = ["refuse_published", "remarks_on_dominated"]


def refuse_published(records: Records) -> None:
    """Refuse records of which only the numbers of people behind them are known: whose they are is in the originals."""
    several = records.people if isinstance(records, Ratings) else None
    if several is not None or records.stated is not None:
        raise WordingError(
            "These records were published: whose they are is no longer known.", "Publish from the original data."
        )


def remarks_on_dominated(classes: int, k: int) -> tuple[str, ...]:
    """Say where one person has a large share of a class: whoever knows how many records they have finds one easily."""
    if not classes:
        return ()
    where = "one class" if classes == 1 else f"{classes:,} classes"
    return (
        f"In {where} more than 1 of {k} records are of one person: whoever knows how many records somebody has finds "
        f"one of them with a chance above 1 in {k}. The promises count people, and do not cover that.",
    )
