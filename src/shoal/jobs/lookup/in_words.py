"""What a release says of somebody, in sentences for that person."""

from shoal.wording.format import format_count, format_share

from .job import Fit, LookupResult
from .sensitive_shares import SensitiveShares

__all__ = ["doubts_in_words", "fit_in_words", "how_to_read", "learned_in_words", "named_in_words"]

_WHAT = {"ratings": "items", "survey": "columns and items"}
"""What people name, by the kind of records; of a table, columns."""


def named_in_words(result: LookupResult) -> list[str]:
    """Say what the release holds, and how much of what the person names was compared."""
    others = result.named - result.compared - result.absent
    of = "people who may have several" if result.people is None else format_count(result.people, "person", "people")
    said = [
        f"The release has {format_count(result.records, 'record')} of {of}.",
        _compared(result),
    ]
    said += [f"Not compared, since others are not assumed to know it: {others:,}."] if others else []
    return said


def doubts_in_words(result: LookupResult) -> list[str]:
    """Say what may be mistyped, which belongs before what the release answers."""
    said = []
    if result.absent:
        what = _WHAT.get(result.kind, "columns")
        said.append(
            f"Not in the release, and not compared: {result.absent:,} of the {result.named:,} {what} that you name. "
            "Check how they are written."
        )
    if result.unlike_any:
        said.append(
            f"No record of the release says anything that stands for your value of: {', '.join(result.unlike_any)}. "
            "Check how it is written."
        )
    return said


def _compared(result: LookupResult) -> str:
    if result.named == 1:
        what = {"ratings": "item", "survey": "column or item"}.get(result.kind, "column")
        return f"The one {what} that you name was {'' if result.compared else 'not '}compared."
    what = {"ratings": "items", "survey": "columns and items"}.get(result.kind, "columns")
    return f"Compared: {result.compared:,} of the {result.named:,} {what} that you name."


def fit_in_words(fit: Fit, *, of_middles: bool, cure: str = "") -> list[str]:
    """Say how many records fit; ``cure``: what might explain labels that cannot be read."""
    within = "" if fit.tolerance is None else f"Within {fit.tolerance:g} of your ratings: "
    stand_for = (
        "" if fit.people == fit.records else f", which stand for {format_count(fit.people, 'person', 'people')},"
    )
    verb = "fits" if fit.records == 1 and not stand_for else "fit"
    said = [f"{within}{format_count(fit.records, 'record')}{stand_for} {verb} what you say."]
    if fit.unclear:
        why = "they are centroids of groups" if of_middles else "some of their labels cannot be read for sure"
        said.append(f"{format_count(fit.unclear, 'other')} may: {why}{'' if of_middles else cure}.")
    return said


def learned_in_words(fit: Fit, each: SensitiveShares) -> str:
    """Say what somebody could learn of one sensitive item or column who knows as much as was compared."""
    if not fit.records:
        return f"Nothing can be said of {each.name}: no record fits."
    if len(each.among) == 1:
        return (
            f"All of these records have the same {each.name}: whoever knows as much of you, and knows that you are in "
            "the release, learns it."
        )
    return (
        f"Whoever guesses the {each.name} that most of these records have would be right for "
        f"{format_share(each.largest_share)} of them; among all records of the release it is "
        f"{format_share(each.largest_share_overall)} for the most frequent one."
    )


def how_to_read(result: LookupResult) -> str:
    """Say what follows from how many records fit, and what does not."""
    if not result.compared:
        return "Nothing that you say could be compared, so the release has no answer for you."
    if result.of_middles:
        return (
            "What is published is the centroid of each group, and nobody's own values: what fits does not show whether "
            "you are in the release."
        )
    last = result.fits[-1]
    if last.records:
        whose = "Your record may be one of these."
        if result.unlike_any and result.kind == "table":
            whose = "These records fit because they do not say what you may have mistyped. Yours may be one of them."
        return f"{whose} That they fit does not show that you are in the release."
    if result.kind != "table":
        return (
            "Your ratings may have been changed by more than that, or withheld: that no record fits does not show that "
            "you are not in the release."
        )
    if last.unclear:
        return "Your record may be one of those that may fit, or not be in the release."
    if result.unlike_any:
        return "No record fits. If you wrote everything right, yours is not in the release; it may have been withheld."
    return "No record fits: yours is not in the release. It may have been withheld."
