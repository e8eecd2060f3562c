"""What attackers found, in words and in people."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shoal.display import Picture
from shoal.pages.paired_bars import PairedBar, paired_bars

from .computed import Computed
from .lay_words import ATTACKS

__all__ = ["Attacker", "attackers", "attackers_picture", "not_run"]

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
    achieves: str
    """What a success is, after "of …"."""
    guessing: float
    raw: Mapping[str, Any] | None
    release: Mapping[str, Any] | None


def attackers(raw: Computed | None, release: Computed | None) -> list[Attacker]:
    """Return every attacker that tried; the same attacker on raw data and on a release is one."""
    before, after = (_by_wording(each) for each in (raw, release))
    found = []
    for wording in dict.fromkeys((*before, *after)):
        one = after.get(wording) or before[wording]
        name = wording.partition(":")[0]
        found.append(
            Attacker(
                wording,
                name,
                ATTACKS.get(name, name),
                _ACHIEVES[one["yardstick"]],
                one["baseline"],
                before.get(wording),
                after.get(wording),
            )
        )
    return found


def attackers_picture(found: Sequence[Attacker]) -> Picture:
    """Draw how often each attacker succeeds, with guessing as a mark."""
    names = tuple(
        name if any(finding is not None for finding in findings) else ""
        for name, findings in (
            ("raw data", [each.raw for each in found]),
            ("release", [each.release for each in found]),
        )
    )
    bars = [PairedBar(each.wording, _main(each.raw), _main(each.release), each.guessing) for each in found]
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
