"""Which role a column may have, and why. Only what is sure is stated; the rest is the owner's decision."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from shoal.data import Role

from .column_profile import ColumnProfile
from .identifier_kind import words_of
from .screening import Screened

__all__ = ["SuggestedRole", "suggested_roles"]


@dataclass(frozen=True)
class SuggestedRole:
    """A role that a column may have, and the reasons."""

    role: Role
    reasons: tuple[str, ...]
    sure: bool = False
    """Whether a starter schema states it."""

    def __str__(self) -> str:
        return f"{'' if self.sure else 'perhaps '}{self.role} ({'; '.join(self.reasons)})"

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {"role": str(self.role), "sure": self.sure, "reasons": list(self.reasons)}


_KNOWN_TO_OTHERS = (
    r"ages?|alter|birth ?year|year of birth|sex|gender|geschlecht|race|ethnicity|ethnic(?: group)?|nationality"
    r"|citizenship"
    r"|(?:birth|native|home)? ?(?:country|state|region|province)|marital(?: ?status)?|marriage|familienstand"
    r"|education"
    r"|degree|schooling|occupation|job(?: title)?|profession|employer|industry|work ?class|language"
    r"|household size"
    r"|children|height|relationship|religion|left ?hand\w*|only child"
)
_NOT_TO_BE_LEARNED = (
    r"disease|diagnos[ei]s|illness|condition|symptoms?|icd(?: ?\d+)?|hiv|cancer|disorder|medication|drugs?"
    r"|treatment|therapy"
    r"|mental health|health(?: status)?|disability|pregnan\w+|income|salary|wages?|earnings|debt|credit ?score"
    r"|religion|faith"
    r"|politic\w*|party|vote|union|sexual\w*|orientation|crim\w+|convict\w*|arrest\w*|genetic\w*|test ?result"
    r"|blood ?\w*"
)
_IN_SAMPLES = {
    Role.WEIGHT: (
        r"(?:p|f|sample|sampling|survey|design|final|person)? ?(?:weights?|wgt|wght|pond\w*|gewicht)",
        "by its name it may say how many people a record represents",
    ),
    Role.HOUSEHOLD: (
        r"hid|hh|hh ?(?:id|nr|no|number)|household(?: (?:id|nr|no|number))?|haushalt(?: ?(?:id|nr))?",
        "by its name it may say which records are of one household",
    ),
    Role.STRATUM: (r"(?:\w+ )*strat(?:um|a)(?: \w+)?", "by its name it may say how the sample was drawn"),
}
"""How columns are often named that say how a sample was drawn, and why they may have the role."""
_FEW_VALUES = 20


def suggested_roles(profile: ColumnProfile, found: Sequence[Screened]) -> tuple[SuggestedRole, ...]:
    """Return the roles that a column may have, the surest first; none is suggested without a reason."""
    reasons: dict[Role, list[str]] = {}
    for role, reason in _reasons(profile, found):
        reasons.setdefault(role, []).append(reason)
    sure = {each.role for each in found if each.sure}
    suggested = [SuggestedRole(role, tuple(why), role in sure) for role, why in reasons.items()]
    return tuple(sorted(suggested, key=lambda each: (not each.sure, _ORDER.index(each.role))))


_ORDER = (Role.IDENTIFIER, Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.DROP, Role.INSENSITIVE, *_IN_SAMPLES)


def _reasons(profile: ColumnProfile, found: Sequence[Screened]) -> Iterator[tuple[Role, str]]:
    if profile.is_constant:
        yield Role.DROP, "constant: carries no information"
        return
    for each in found:
        yield each.role, f"{each.kind}: {each.reason}"
    if profile.is_unique and profile.type == "text" and not any(each.by == "unique" for each in found):
        yield Role.IDENTIFIER, "unique: no two records share a value"
    words = words_of(profile.name)
    for role, (pattern, why) in _IN_SAMPLES.items():
        if (
            re.fullmatch(pattern, words)
            and not profile.missing
            and (role is not Role.WEIGHT or profile.type == "number")
        ):
            yield role, why
    if any(each.role is Role.IDENTIFIER and each.by != "inside text" for each in found):
        return
    if re.search(rf"\b(?:{_KNOWN_TO_OTHERS})\b", words):
        few = f", with {profile.distinct:,} distinct values" if profile.distinct <= _FEW_VALUES else ""
        yield Role.QUASI_IDENTIFIER, f"by its name others may know it{few}"
    if re.search(rf"\b(?:{_NOT_TO_BE_LEARNED})\b", words):
        yield Role.SENSITIVE, "by its name others must not learn it"
