"""What an owner must be told of a release before publishing it."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from shoal.told_share import told_share

__all__ = ["WarnAt", "warnings_of"]


@dataclass(frozen=True)
class WarnAt:
    """The shares at which an owner is warned."""

    below: Fraction = Fraction(1, 2)
    """Warn where less than this share of the ratings, or of what quasi-identifiers tell, is left."""
    unique: Fraction = Fraction(1, 20)
    """Warn where more than this share of the published records are exactly original and unique."""


def warnings_of(values: Mapping[str, int | float], at: WarnAt) -> tuple[str, ...]:
    """Return the warnings that the measures of a release give rise to, in sentences."""
    found: list[str] = []
    covered, least = values.get("ratings covered"), told_share(float(at.below))
    if covered is not None and covered < at.below:
        found.append(f"Less than {least} of the ratings are left: {told_share(covered)}.")
    elif covered is None and 1 - values["loss-mean"] < at.below:
        found.append(
            f"Less than {least} of what the quasi-identifiers told is left: the loss is "
            f"{told_share(values['loss-mean'])}."
        )
    if values["original and unique"] > at.unique:
        found.append(
            f"{told_share(values['original and unique'])} of the published records are exactly original and unique: "
            "whoever knows exactly what others may know of such a person finds the record, and no other fits."
        )
    return tuple(found)
