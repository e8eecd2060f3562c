"""The policy of a data set as a form: what an owner allows, field by field, and back."""

from collections.abc import Mapping
from typing import Any

from shoal.desk import Policy
from shoal.server.fitted import fitted
from shoal.server.routes.desk import PolicySettings

from .visitors import Form

__all__ = ["changes", "entered", "fields_of", "policy_in_words", "settings_of"]


def fields_of(policy: dict[str, Any] | None) -> dict[str, Any]:
    """Return what the fields of the form say for a policy as it is kept; None: as usual."""
    said = policy or {"promises": ["k-anonymity:k=5"], "recoding": "local"}
    coalitions = said.get("coalitions")
    return {
        "promises": "\n".join(said["promises"]),
        "projection": said.get("projection", "linear"),
        "views": said.get("views", "nested"),
        "recoding": said.get("recoding", "levels"),
        "beta": said.get("beta", ""),
        "withhold": said.get("withhold", ""),
        "purpose": said.get("purpose") or "",
        "collude": "all" if coalitions is None else "some",
        "coalitions": "\n".join(", ".join(each) for each in coalitions or ()),
        "identifier": said.get("identifier") or "",
        "population": said.get("population", ""),
        "accept": "\n".join(said.get("accept", ())),
        "apart_from": list(said.get("apart_from", ())),
        "approval": "yes" if said.get("approval") else "",
        "approval_days": str(said.get("approval_days", 0)),
        "release_days": str(said.get("release_days", 0)),
        "two_person": "yes" if said.get("two_person") else "",
    }


def entered(form: Form) -> dict[str, Any]:
    """Return the fields as they were sent."""
    texts = (
        "promises",
        "projection",
        "views",
        "recoding",
        "beta",
        "withhold",
        "purpose",
        "collude",
        "coalitions",
        "identifier",
        "population",
        "accept",
    )
    more = ("approval", "approval_days", "release_days", "two_person")
    return {**{name: form.text(name) for name in (*texts, *more)}, "apart_from": form.all("apart_from")}


def settings_of(form: Form) -> dict[str, Any]:
    """Return the settings of a whole policy, as the operation to register data takes them, or raise."""
    said = entered(form)
    coalitions = [_names(line) for line in _lines(said["coalitions"])] if said["collude"] == "some" else None
    asked: dict[str, Any] = {
        "promises": _lines(said["promises"]),
        "projection": said["projection"] or "linear",
        "views": said["views"] or "nested",
        "recoding": said["recoding"] or None,
        "beta": said["beta"],
        "withhold": said["withhold"],
        "purpose": said["purpose"] or None,
        "coalitions": coalitions,
        "identifier": said["identifier"] or None,
        "population": said["population"],
        "accept": _lines(said["accept"]),
        "apart_from": said["apart_from"],
        "approval": bool(said["approval"]),
        "approval_days": _whole(said["approval_days"]),
        "release_days": _whole(said["release_days"]),
        "two_person": bool(said["two_person"]),
    }
    settings = fitted(PolicySettings, asked).given()
    Policy.of_settings(settings)  # a policy that cannot be is refused at once
    return settings


def changes(form: Form, policy: dict[str, Any]) -> PolicySettings:
    """Return the parts of a policy that the form changes: the log says which they were.

    The purpose of the chain is none of them: it stays as it was registered.
    """
    said = settings_of(form)
    parts = (said.keys() | policy.keys()) - {"purpose"}
    changed = {part: said.get(part) for part in parts if _plain(part, said) != _plain(part, policy)}
    return fitted(PolicySettings, changed)


def policy_in_words(policy: dict[str, Any]) -> list[str]:
    """Say what a policy allows."""
    promises = ", ".join(policy["promises"])
    is_nested = policy["views"] == "nested"
    said = [
        f"Every view keeps {promises}, and so does everything that those who may work together know from their views.",
        _NESTED[policy.get("recoding", "levels")] if is_nested else _CHECKED,
        _coalitions_in_words(policy["coalitions"]),
        f"Trust becomes detail by the projection {policy['projection']}.",
    ]
    more = {
        "beta": "Steps near the top of a hierarchy count more in degrees, by the exponent {}.",
        "withhold": "Up to {} of the records are withheld, the same from every view.",
        "identifier": "People are recognized in other versions by {}.",
        "population": "The data are an extract of {}: what is released of all its data sets is judged together.",
        "accept": "Published although the audit finds it revealing: {}.",
        "apart_from": "Judged apart from {}, in spite of people who seem to be in both.",
        "approval": "Each request waits until an officer has approved it.",
        "approval_days": "What waits, or was approved and not used, expires after {} days.",
        "release_days": "A release is no longer to be used after {} days.",
        "two_person": "A change of this policy needs two people.",
    }
    for part, sentence in more.items():
        value = policy.get(part)
        if value:
            said.append(sentence.format(", ".join(value) if isinstance(value, list | tuple) else value))
    return said


_NESTED = {
    "local": "Views are nested: they generalize group by group, and several tell no more than the finest of them.",
    "levels": "Views are nested: they generalize by levels, and several tell no more than the finest of them.",
}
_CHECKED = "Each purpose has views of its own; what coalitions would know from several is checked each time."


def _coalitions_in_words(coalitions: list[list[str]] | None) -> str:
    if coalitions is None:
        return "All requesters may work together."
    if not coalitions:
        return "No requesters work together."
    return f"These may work together: {'; '.join(' and '.join(each) for each in coalitions)}."


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _names(line: str) -> list[str]:
    return [name.strip() for name in line.split(",") if name.strip()]


def _whole(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else (text or 0)


def _plain(part: str, policy: Mapping[str, Any]) -> Any:
    """Return a part of a policy so that it can be compared: of coalitions alone, none of them is not nothing."""
    value = policy.get(part, "levels" if part == "recoding" else None)  # policies from before name no recoding
    if part == "coalitions":
        return None if value is None else [list(each) for each in value]
    return (list(value) if isinstance(value, tuple) else value) or None
