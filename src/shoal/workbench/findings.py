"""What attackers found, in words and in people."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shoal.display import Picture
from shoal.pages.paired_bars import PairedBar, paired_bars

from .computed import Computed
from .lay_words import ATTACK_SETTINGS, ATTACKS

__all__ = ["Attacker", "attackers", "attackers_of_two", "attackers_picture", "not_run"]

_ACHIEVES = {
    "singling out": "finds the record",
    "linkability": "links two records",
    "inference": "learns a value",
}


@dataclass(frozen=True)
class Attacker:
    """One attacker against raw data, against a release, or against both."""

    wording: str
    name: str
    in_words: str
    """What it knows and does, with what sets it apart from other attackers on the page."""
    achieves: str
    """What a success is, after "of …"."""
    guessing: float
    raw: Mapping[str, Any] | None
    release: Mapping[str, Any] | None


_ON_RELEASES = ("downcoding", "minimality")
"""Attacks that undo what a method did; of raw data there is nothing to undo."""


def attackers(raw: Computed | None, release: Computed | None) -> list[Attacker]:
    """Return every attacker that tried; the same attacker on raw data and on a release is one."""
    before = {each: told for each, told in _by_wording(raw).items() if _name(each) not in _ON_RELEASES}
    return _attackers(before, _by_wording(release))


def attackers_of_two(one: Computed, other: Computed) -> list[Attacker]:
    """Return every attacker that tried one of two releases; what it found in the first stands in ``raw``."""
    return _attackers(_by_wording(one), _by_wording(other))


def _attackers(before: Mapping[str, Mapping[str, Any]], after: Mapping[str, Mapping[str, Any]]) -> list[Attacker]:
    wordings = list(dict.fromkeys((*before, *after)))
    found = []
    for wording in wordings:
        one = after.get(wording) or before[wording]
        words = _in_words(wording, wordings)
        achieves = _ACHIEVES[one["yardstick"]]
        both = (before.get(wording), after.get(wording))
        found.append(Attacker(wording, _name(wording), words, achieves, one["baseline"], *both))
    return found


def _name(wording: str) -> str:
    return wording.partition(":")[0]


def _in_words(wording: str, wordings: Sequence[str]) -> str:
    """Say what an attacker knows and does; where others of the same name try too, with what is different about it."""
    name = _name(wording)
    settings = [set(_settings(each)) for each in wordings if _name(each) == name]
    own = [each for each in _settings(wording) if not all(each in others for others in settings)]
    said = "; ".join(_setting_in_words(each) for each in own)
    return f"{ATTACKS.get(name, name)} ({said})" if said else ATTACKS.get(name, name)


def _settings(wording: str) -> list[str]:
    return [each for each in wording.partition(":")[2].split(",") if each]


def _setting_in_words(setting: str) -> str:
    key, _, value = setting.partition("=")
    words = ATTACK_SETTINGS.get(setting) or ATTACK_SETTINGS.get(key) or f"{key.replace('_', ' ')} {{}}"
    return words.format(value)


def attackers_picture(found: Sequence[Attacker]) -> Picture:
    """Draw how often each attacker succeeds, with guessing as a mark."""
    names = tuple(
        name if any(finding is not None for finding in findings) else ""
        for name, findings in (
            ("raw data", [each.raw for each in found]),
            ("release", [each.release for each in found]),
        )
    )
    bars = [PairedBar(each.in_words, _main(each.raw), _main(each.release), each.guessing) for each in found]
    about = f"How often each of {len(found)} attackers succeeds: {', '.join(filter(None, names))}."
    chart = paired_bars(bars, (names[0], names[1]), "guessing", about)
    note = "The share of people about whom each attacker is right. What is not above guessing tells nothing."
    return Picture("How often attackers succeed", note, chart)


def not_run(work: Computed | None) -> list[tuple[str, str]]:
    """Return the attacks that fit the kind of data and were not run, with the reason."""
    told = work.result["not_run"] if work is not None and work.is_done else {}
    return [(name, why) for name, why in told.items() if not why.startswith("It is an attack on")]


def _by_wording(work: Computed | None) -> dict[str, Mapping[str, Any]]:
    found: Iterable[Mapping[str, Any]] = work.result["attacks"] if work is not None and work.is_done else ()
    return {each["attack"]: each for each in found}


def _main(finding: Mapping[str, Any] | None) -> float | None:
    return None if finding is None else float(finding["main"])
