"""Verdicts as they come back of a partition, whose records stay there: a line of text for all promises."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from shoal.backends import Columns
from shoal.models import PrivacyModel, Verdict

__all__ = ["JUDGED", "merged_verdict", "read_texts", "written"]

JUDGED: Columns = {"judged": pl.String()}


def written(verdicts: Sequence[Verdict | None], **said: int) -> pl.DataFrame:
    """Return a row with verdicts, None where a promise has nothing to judge, and what else is said."""
    parts = [
        None
        if each is None
        else {"level": dict(each.level), "violations": each.violations, "counted": dict(each.counted)}
        for each in verdicts
    ]
    return pl.DataFrame({"judged": [json.dumps({**said, "verdicts": parts})]}, schema=dict(JUDGED))


def read_texts(found: pl.DataFrame) -> list[dict[str, Any]]:
    """Return what rows say."""
    return [json.loads(text) for text in found["judged"]]


def merged_verdict(model: PrivacyModel, parts: Sequence[dict[str, Any]]) -> Verdict:
    """Return the verdict on all records."""
    return model.merged(
        [
            Verdict(
                str(model),
                not part["violations"],
                part["level"],
                part["violations"],
                np.zeros(0, bool),
                counted=part["counted"],
            )
            for part in parts
        ]
    )
