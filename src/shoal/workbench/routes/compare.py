"""Compare two: releases side by side, as far as they were measured and attacked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from shoal.display import Picture
from shoal.pages.paired_bars import PairedBar, paired_bars
from shoal.server.access import service_of
from shoal.server.service import Service
from shoal.server.store import Identity, Role
from shoal.server.work.asks import AttackAsk, MeasureAsk
from shoal.wording.format import format_level, format_number, format_share
from shoal.workbench.computed import Computed, computed, started
from shoal.workbench.findings import Attacker, attackers_of_two
from shoal.workbench.lay_words import MEASURES
from shoal.workbench.released import Released, released, releases_of
from shoal.workbench.rendering import page, see_other
from shoal.workbench.same_elsewhere import Same, command, python_call
from shoal.workbench.visitors import Posted, Visitor, for_roles

__all__ = ["router"]

router = APIRouter()

Chosen = Annotated[str, Query(pattern=r"^([0-9a-f]{24})?$")]


@dataclass(frozen=True)
class _Side:
    """One of the two releases, and what was computed of it."""

    letter: str
    made: Released
    attack: Computed
    measure: Computed

    @property
    def reached(self) -> dict[str, str]:
        """What each promise of it reaches, in words."""
        return {each["promise"]: format_level(each["level"]) for each in self.made.certificate["promises"]}


@router.get("/compare", **for_roles(Role.OWNER))
def compare(request: Request, who: Visitor, a: Chosen = "", b: Chosen = "") -> Response:
    """Show two releases side by side; where fewer are named, ask for them."""
    service = service_of(request)
    sides = [_side(service, who, letter, each) for letter, each in (("A", a), ("B", b)) if each]
    both = sides if len(sides) == 2 else []
    found = attackers_of_two(both[0].attack, both[1].attack) if both else []
    shares = _shares(*both) if both else []
    return page(
        request,
        "compare.html",
        a=a,
        b=b,
        releases=releases_of(service, who, 50),
        sides=both,
        found=found,
        attack_picture=_attack_picture(found),
        shares=shares,
        share_picture=_share_picture(shares),
        numbers=_numbers(*both) if both else [],
        same=_same(),
    )


@router.post("/compare", **for_roles(Role.OWNER))
def compute(request: Request, who: Visitor, form: Posted, a: Chosen = "", b: Chosen = "") -> Response:
    """Have both attacked or measured."""
    service = service_of(request)
    for each in filter(None, (a, b)):
        released(service, who, each)
        ask = AttackAsk if form.text("do") == "attack" else MeasureAsk
        started(service, who, ask(kind="attack" if ask is AttackAsk else "measure", release=each))  # type: ignore[arg-type]
    return see_other(f"/compare?a={a}&b={b}#{'attack' if form.text('do') == 'attack' else 'measure'}")


def _side(service: Service, who: Identity, letter: str, release: str) -> _Side:
    return _Side(
        letter,
        released(service, who, release),
        computed(service, who, AttackAsk(kind="attack", release=release)),
        computed(service, who, MeasureAsk(kind="measure", release=release)),
    )


def _attack_picture(found: list[Attacker]) -> Picture:
    bars = [PairedBar(each.in_words, _main(each.raw), _main(each.release), each.guessing) for each in found]
    about = "How often attackers succeed on either release."
    return Picture("How often attackers succeed", "Less is better.", paired_bars(bars, ("A", "B"), "guessing", about))


def _main(finding: Mapping[str, Any] | None) -> float | None:
    return None if finding is None else float(finding["main"])


def _share_picture(shares: list[tuple[str, str, float | None, float | None, str]]) -> Picture:
    bars = [PairedBar(f"{words} ({way} is better)", one, other) for _, words, one, other, way in shares]
    about = "What each release has kept and lost."
    return Picture("What was kept and lost", "In shares.", paired_bars(bars, ("A", "B"), about=about))


def _measures(side: _Side) -> dict[str, float]:
    return side.measure.result["measures"] if side.measure.is_done else {}


def _shares(one: _Side, other: _Side) -> list[tuple[str, str, float | None, float | None, str]]:
    """Return the measures that are shares: name, words, both values, and which way is better."""
    first, second = _measures(one), _measures(other)
    names = [each for each in dict.fromkeys((*first, *second)) if each.rpartition(": ")[2] in MEASURES]
    found = []
    for name in names:
        words, more = MEASURES[name.rpartition(": ")[2]]
        found.append((name, words, first.get(name), second.get(name), "more" if more else "less"))
    return found


def _numbers(one: _Side, other: _Side) -> list[tuple[str, str, str]]:
    """Return what is told of both as numbers."""
    rows = []
    for name, key in (("records published", "records"), ("groups that look alike", "groups")):
        pair = (each.made.certificate[key] for each in (one, other))
        rows.append((name, *map(format_number, pair)))
    kept = [None if each.made.result is None else each.made.result["cells_kept"] for each in (one, other)]
    rows.append(("values exactly as they were", *("–" if each is None else format_share(each) for each in kept)))
    rows.append(("method", *(each.made.certificate["method"].partition(":")[0] for each in (one, other))))
    return rows


def _same() -> Same:
    lines = [
        "shoal measure release-a release-b --ledger ledger-a --ledger ledger-b",
        command("shoal", "attack", "release-a", ledger="ledger-a"),
        command("shoal", "attack", "release-b", ledger="ledger-b"),
    ]
    calls = [
        python_call(what, f"release-{letter}", f"ledger-{letter}") for what in ("measure", "attack") for letter in "ab"
    ]
    return Same("\n".join(lines), "\n".join(["import shoal", "", *calls]))
