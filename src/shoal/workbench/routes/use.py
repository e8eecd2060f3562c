"""Attack and use: the raw data beside the release, for attackers and for whoever works with it."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from shoal.errors import WordingError
from shoal.jobs.catalog import measure_catalog
from shoal.server.access import service_of
from shoal.server.routes.models import ReleaseId
from shoal.server.store import Role
from shoal.server.work.asks import Ask, AttackAsk, CompareColumnsAsk, MeasureAsk
from shoal.wording.format import format_number, format_share
from shoal.workbench.computed import Computed, computed, started
from shoal.workbench.findings import attackers, attackers_picture, not_run
from shoal.workbench.lay_words import MEASURES
from shoal.workbench.page_weight import escaped_bytes, leading
from shoal.workbench.released import Released, released
from shoal.workbench.rendering import page, see_other
from shoal.workbench.same_elsewhere import Same, command, python_call
from shoal.workbench.visitors import Posted, Visitor, for_roles

__all__ = ["measured", "router"]

router = APIRouter()

_LONGEST = 1000
"""So many letters a name has at most."""
_BYTES_OF_NAMES = 12_000
"""So much of a page the list of names to choose from may take; others can be written."""
_BYTES_OF_PICTURES = 40_000
_MARKUP = 25
"""About so many bytes stand around a word."""


@router.get("/releases/{release}/use", **for_roles(Role.OWNER))
def use(
    request: Request,
    who: Visitor,
    release: ReleaseId,
    column: Annotated[list[str] | None, Query(max_length=12)] = None,
    pair: Annotated[list[str] | None, Query(max_length=2)] = None,
) -> Response:
    """Show attackers, columns and measures, as far as they were computed."""
    service = service_of(request)
    made = released(service, who, release)
    asks = _asks(made, column or [], pair or [])
    work = {name: None if ask is None else computed(service, who, ask) for name, ask in asks.items()}
    found = attackers(work["raw"], work["attack"])
    return page(
        request,
        "use.html",
        made=made,
        work=work,
        found=found,
        picture=attackers_picture(found) if found else None,
        not_run=not_run(work["attack"]),
        measures=measured(work["measure"]),
        columns=(drawn := _light(_drawn(work["columns"]))),
        n_more=len(_drawn(work["columns"])) - len(drawn),
        names=(names := _names(work["overview"], work["columns"])),
        listed=leading(names, _BYTES_OF_NAMES, lambda name: _MARKUP + escaped_bytes(name)),
        asked={"column": column or [], "pair": pair or []},
        steps=made.steps("use"),
        same=_same(column or [], pair or []),
    )


@router.post("/releases/{release}/use", **for_roles(Role.OWNER))
def compute(
    request: Request,
    who: Visitor,
    release: ReleaseId,
    form: Posted,
    column: Annotated[list[str] | None, Query(max_length=12)] = None,
    pair: Annotated[list[str] | None, Query(max_length=2)] = None,
) -> Response:
    """Have something computed: attackers, columns or measures."""
    service = service_of(request)
    asks = _asks(released(service, who, release), column or [], pair or [])
    wanted = {"attack": ("raw", "attack"), "columns": ("overview", "columns"), "measure": ("measure",)}
    for name in wanted.get(form.text("do"), ()):
        ask = asks[name]
        if ask is not None:
            started(service, who, ask)
    query = f"?{request.url.query}" if request.url.query else ""
    return see_other(f"/releases/{release}/use{query}#{form.text('do') or 'attack'}")


def _asks(made: Released, columns: list[str], pair: list[str]) -> dict[str, Ask | None]:
    columns, pair = [each for each in columns if each], [each for each in pair if each]
    release = made.row.id
    raw = None if made.dataset is None else AttackAsk(kind="attack", dataset=made.dataset.id)
    overview = CompareColumnsAsk(kind="compare-columns", release=release)
    if len(pair) == 1 or len(set(pair)) < len(pair):
        raise WordingError("Two different columns are compared together.", "Go back, and choose two.")
    if any(len(each) > _LONGEST for each in (*columns, *pair)):
        raise WordingError("No column is called that.", "Choose one of those on the page.")
    named = tuple(columns or pair)
    asked = CompareColumnsAsk(kind="compare-columns", release=release, columns=named, pair=tuple(pair))
    return {
        "raw": raw,
        "attack": AttackAsk(kind="attack", release=release),
        "overview": overview,
        "columns": asked,
        "measure": MeasureAsk(kind="measure", release=release),
    }


def _names(*works: Computed | None) -> list[str]:
    """Return what can be compared, as far as it is known."""
    return next((list(each.result["names"]) for each in works if each is not None and each.is_done), [])


def _drawn(work: Computed | None) -> Sequence[Any]:
    """Return the pictures of the columns that were compared."""
    return (work.shown or {}).get("pictures", ()) if work is not None and work.is_done else ()


def _light(pictures: Sequence[Any]) -> list[Any]:
    """Return the pictures that a page has room for."""

    def weight(picture: Any) -> int:
        cells = (cell for row in (picture.get("table") or {}).get("rows", ()) for cell in row)
        return len(picture["chart"] or "") + sum(_MARKUP + escaped_bytes(str(cell)) for cell in cells)

    return leading(pictures, _BYTES_OF_PICTURES, weight)


def measured(work: Computed | None) -> list[tuple[str, str, str, str]]:
    """Return measures as name, value, what it says and which way is better: shares first, then the others."""
    if work is None or not work.is_done:
        return []
    meanings = {each["name"]: (each["summary"], each["unit"]) for each in measure_catalog()}
    shares, others = [], []
    for name, value in work.result["measures"].items():
        plain = name.rpartition(": ")[2]  # of a survey, measures are named by their parts
        if plain in MEASURES:
            words, more = MEASURES[plain]
            shares.append((name, format_share(value), words, "more is better" if more else "less is better"))
        else:
            words, unit = meanings.get(plain, ("", ""))
            others.append((name, format_number(value), f"{words} ({unit})" if unit else words, ""))
    return [*shares, *others]


def _same(columns: list[str], pair: list[str]) -> Same:
    named = {"column": tuple(columns), "pair": None} if columns else {}
    compare = command("shoal", "compare", "release", ledger="ledger", **named)
    if pair:
        compare += " --pair " + command(*pair)
    lines = [
        command("shoal", "attack", "release", ledger="ledger"),
        command("shoal", "measure", "release", ledger="ledger"),
        compare,
    ]
    calls = [
        python_call("attack", "release", "ledger"),
        python_call("measure", "release", "ledger"),
        python_call("compare_columns", "release", "ledger", columns=tuple(columns), pair=tuple(pair)),
    ]
    return Same("\n".join(lines), "\n".join(["import shoal", "", *calls]))
