"""The answers of records, and the classes within which they are counted: of ratings all people, of a survey some."""

from dataclasses import replace

import numpy as np

from shoal.data import Ratings, Records, Survey
from shoal.engines import Engine
from shoal.evidence import Grouping

__all__ = ["answers_and_classes", "with_answers"]


def answers_and_classes(records: Records, engine: Engine) -> tuple[Ratings, Grouping]:
    """Return the ratings, and the people with equal demographics; ratings alone are of one class."""
    if isinstance(records, Survey):
        return records.ratings, engine.group(records.table)
    assert isinstance(records, Ratings)
    return records, Grouping(np.zeros(len(records), np.int64), min(len(records), 1))


def with_answers(records: Records, ratings: Ratings) -> Records:
    """Return the records with other ratings of the same people."""
    return replace(records, ratings=ratings) if isinstance(records, Survey) else ratings
