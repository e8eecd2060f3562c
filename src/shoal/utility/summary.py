"""The utility of a release in a sentence, and the warnings that its measures give rise to."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from shoal.data import PARTS
from shoal.wording.format import format_number, format_share

from .measure import figures_of

__all__ = ["WarnAt", "kept_in_words", "unique_in_words", "warnings_of"]


@dataclass(frozen=True)
class WarnAt:
    """The shares at which an owner is warned."""

    below: Fraction = Fraction(1, 2)
    """Warn where less than this share of the ratings, or of the information in quasi-identifiers, is left."""
    unique: Fraction = Fraction(1, 20)
    """Warn where more than this share of the published records are original and unique."""


def warnings_of(values: Mapping[str, int | float], at: WarnAt) -> tuple[str, ...]:
    """Return the warnings that the measures of a release give rise to, in sentences."""
    found: list[str] = []
    least = format_share(float(at.below))
    answers, demographics = (figures_of(values, part) for part in ("answers", "demographics"))
    covered, lost = answers.get("ratings covered"), demographics.get("loss-mean")
    if covered is not None and covered < at.below:
        found.append(f"Less than {least} of the ratings are left: {format_share(covered)}.")
    if lost is not None and (covered is None or _is_of_survey(values)) and 1 - lost < at.below:
        found.append(
            f"Less than {least} of the information in the quasi-identifiers is left: the loss is {format_share(lost)}."
        )
    if values["original and unique"] > at.unique:
        found.append(
            f"{format_share(values['original and unique'])} of the published records are {unique_in_words(values)}: "
            "whoever knows the observable values of such a person re-identifies the record, because no other matches."
        )
    return tuple(found)


def unique_in_words(values: Mapping[str, int | float]) -> str:
    """Say what the records are that the measure *original and unique* counts."""
    generalized = "ratings kept" in values and values.get("normalized certainty penalty", 0) > 0
    return "unique, and original but for generalized items" if generalized else "exactly original and unique"


def kept_in_words(values: Mapping[str, int | float], instead: str = "") -> str:
    """Return the measures of a release in a line; ``instead`` names what is published in the place of ratings."""
    withheld = int(values["records withheld"])
    end = f", {format_number(withheld)} {'record' if withheld == 1 else 'records'} withheld" if withheld else ""
    parts = [figures_of(values, part) for part in PARTS] if _is_of_survey(values) else [values]
    return "; ".join(filter(None, (_kept(part, instead) for part in parts))) + end


def _is_of_survey(values: Mapping[str, int | float]) -> bool:
    return any(name.startswith(f"{part}: ") for name in values for part in PARTS)


def _kept(values: Mapping[str, int | float], instead: str) -> str:
    """Say what was kept of a table or of ratings; nothing where there was nothing to keep."""
    if "ratings kept" not in values:
        if "loss-mean" not in values:
            return ""
        cells, loss = format_share(values["cells kept"]), format_share(values["loss-mean"])
        return f"{cells} of quasi-identifier cells unchanged, generalization loss {loss}"
    invented = format_number(int(values["ratings invented"]))
    if instead:
        covered = format_share(values["ratings covered"])
        return f"No rating kept: {instead} replace {covered} of ratings, {invented} where nobody rated"
    kept, moved = format_share(values["ratings kept"]), format_number(int(values["cells changed"]))
    dropped = format_number(int(values["ratings dropped"]))
    return f"{kept} of ratings kept ({moved} of them changed), {dropped} dropped, {invented} invented"
