"""Explore: what promises would cost, as points to choose from, and which generalizations there are."""

import re
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.datastructures import QueryParams

from shoal.display import Picture
from shoal.errors import WordingError
from shoal.jobs.catalog import read_wording
from shoal.pages.points_chart import ChoicePoint, points_chart
from shoal.server.access import service_of
from shoal.server.problems import problem_of
from shoal.server.routes.models import DatasetId
from shoal.server.store import Role
from shoal.server.work.asks import LatticeAsk, SweepAsk
from shoal.workbench.choices import Choices, Chosen
from shoal.workbench.computed import Computed, computed, started
from shoal.workbench.described import Described, described
from shoal.workbench.editors import editors_for
from shoal.workbench.lattice_choices import LatticeChoices
from shoal.workbench.lay_words import MEASURES
from shoal.workbench.rendering import page, see_other
from shoal.workbench.same_elsewhere import Same, command, python_call
from shoal.workbench.steps import steps
from shoal.workbench.visitors import Posted, Visitor, for_roles

__all__ = ["router"]

router = APIRouter()

_GRID_PROMISES = ("k-anonymity", "k-epsilon", "km-anonymity")
"""The promises of which a grid is made; others are kept beside it."""
_USUAL = "k-anonymity:k=5"
"""Under what the lattice is searched where nothing was promised yet."""
_KS = "2,3,5,10"
_MOST_POINTS = 60
_DENSE = 0.75


@dataclass(frozen=True)
class _Grid:
    """What is to be tried, as it stands in the address."""

    ks: str
    epsilons: str
    ms: str
    methods: tuple[str, ...]

    @classmethod
    def of(cls, query: QueryParams, data: Described, chosen: Choices) -> "_Grid":
        """Return the grid of an address; where that has none, the promise that was made with some more k."""
        methods = tuple(query.getlist("try")) or (_usual_method(data),)
        if {"ks", "epsilons", "ms"} & query.keys():
            ks, epsilons, ms = (query.get(name, "").strip() for name in ("ks", "epsilons", "ms"))
            return cls(ks or _KS, epsilons, ms, methods)
        promised = [read_wording("promises", each).settings for each in _in_grid(chosen)]
        own = [each["k"] for each in promised if each.get("k", "").isdecimal()]
        epsilons, ms = (",".join(each[name] for each in promised if each.get(name)) for name in ("epsilon", "m"))
        ks = sorted({*_KS.split(","), *own}, key=int)
        return cls(",".join(ks), epsilons, "" if epsilons else ms, methods)

    @property
    def promise(self) -> str:
        """The promise that is tried."""
        return "k-epsilon" if self.epsilons else "km-anonymity" if self.ms else "k-anonymity"

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The same as the fields of a form."""
        found = [("ks", self.ks), ("epsilons", self.epsilons), ("ms", self.ms)]
        return [*(pair for pair in found if pair[1]), *(("try", each) for each in self.methods)]

    def ask(self, data: Described, chosen: Choices) -> SweepAsk:
        """Return the order, or say what is wrong with the grid."""
        k, epsilon, m = (_numbers(each) for each in (self.ks, self.epsilons, self.ms))
        count = len(k) * max(len(epsilon) + len(m), 1) * len(self.methods)
        if count > _MOST_POINTS:
            raise WordingError(f"These are {count:,} points, and at most {_MOST_POINTS} are tried here.", "Take fewer.")
        for each in self.methods:
            if len(each) > 1000:
                raise WordingError("No method is called that.", "Choose one of those on the page.")
            read_wording("methods", each)
        return SweepAsk(
            kind="sweep",
            dataset=data.row.id,
            k=k,
            epsilon=epsilon,
            m=m,
            method=self.methods,
            models=_beside(chosen),
            withhold=chosen.get("withhold", "0"),
            accept=chosen.accept,
        )


def _usual_method(data: Described) -> str:
    if data.kind == "ratings":
        return "align" if data.about.get("density", 0) >= _DENSE else "predictive"
    return "mondrian" if data.kind == "table" else "joined"


def _numbers(text: str) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(each.strip() for each in text.split(",") if each.strip()))
    if len(found) > _MOST_POINTS or any(len(each) > 20 for each in found):
        raise WordingError("These are too many numbers, or too long ones.", "Write some, such as 2,5,10.")
    if not all(re.fullmatch(r"\d+(\.\d+)?", each, re.ASCII) for each in found):
        raise WordingError(
            "What is to be tried is not a list of numbers.", "Write numbers with commas between, such as 2,5,10."
        )
    return found


def _in_grid(chosen: Choices) -> tuple[str, ...]:
    """Return the promises in whose place those of the grid are tried, as far as they can be read."""
    named = (each for each in chosen.models if each.partition(":")[0] in _GRID_PROMISES)
    return tuple(each for each in named if _is_readable(each))


def _is_readable(promise: str) -> bool:
    try:
        read_wording("promises", promise)
    except WordingError:
        return False
    return True


def _beside(chosen: Choices) -> tuple[str, ...]:
    """Return the promises that are kept beside those of the grid."""
    return tuple(each for each in chosen.models if each.partition(":")[0] not in _GRID_PROMISES)


@router.get("/data/{dataset}/explore", **for_roles(Role.OWNER))
def explore(request: Request, who: Visitor, dataset: DatasetId, chosen: Chosen) -> Response:
    """Show the points of a grid, and two of them side by side."""
    service = service_of(request)
    data = described(service, who, dataset)
    base: dict[str, Any] = {
        "data": data,
        "chosen": chosen,
        "there": f"/data/{dataset}/explore",
        "steps": steps("explore", dataset, query=chosen.query, ready=data.has_schema),
    }
    if not data.is_known:
        return page(request, "explore.html", **base, same=Same("shoal sweep --help", "help(shoal.sweep)"))
    grid = _Grid.of(request.query_params, data, chosen)
    problem, work = None, None
    try:
        work = computed(service, who, grid.ask(data, chosen))
    except WordingError as error:
        problem = problem_of(error)
    points = _points(work, data, chosen) if work is not None and work.is_done else []
    two = _two(request.query_params, points)
    lattice = computed(service, who, _lattice_ask(data, chosen)) if data.kind == "table" else None
    return page(
        request,
        "explore.html",
        status=200 if problem is None else 400,
        **base,
        grid=grid,
        problem=problem,
        work=work,
        points=points,
        picture=_picture(points),
        two=two,
        shares=_shares_of(two),
        asked=(request.query_params.get("one", ""), request.query_params.get("two", "")),
        methods=[each.name for each in editors_for("methods", data.kind) if each.name != "none"],
        beside=_beside(chosen),
        instead_of=_in_grid(chosen),
        lattice=lattice,
        nodes=_nodes(lattice, data, chosen),
        same=_same(data, grid, chosen),
    )


@router.post("/data/{dataset}/explore", **for_roles(Role.OWNER))
def compute(request: Request, who: Visitor, dataset: DatasetId, chosen: Chosen, form: Posted) -> Response:
    """Have the points tried, or the lattice searched."""
    service = service_of(request)
    data = described(service, who, dataset)
    if data.is_known:
        is_lattice = form.text("do") == "lattice" and data.kind == "table"
        grid = _Grid.of(request.query_params, data, chosen)
        started(service, who, _lattice_ask(data, chosen) if is_lattice else grid.ask(data, chosen))
    query = f"?{request.url.query}" if request.url.query else ""
    return see_other(f"/data/{dataset}/explore{query}#{'lattice' if form.text('do') == 'lattice' else 'points'}")


def _nodes(lattice: Computed | None, data: Described, chosen: Choices) -> LatticeChoices | None:
    """Return the nodes to choose from, as soon as the lattice was searched."""
    if lattice is None or not lattice.is_done:
        return None
    searched = chosen if chosen.models else chosen.with_models(_USUAL)
    return LatticeChoices.of(lattice.result, searched, f"/data/{data.row.id}/promise")


def _lattice_ask(data: Described, chosen: Choices) -> LatticeAsk:
    withhold = chosen.get("withhold", "0")
    return LatticeAsk(
        kind="lattice",
        dataset=data.row.id,
        models=chosen.models or (_USUAL,),
        withhold=withhold,
    )


@dataclass(frozen=True)
class _Point:
    """One point of the grid, and where taking it leads."""

    number: int
    promise: str
    method: str
    k: float
    holds: bool
    refused: str
    kept: float | None
    withheld: int
    records: int
    measures: dict[str, Any]
    take: str


def _points(work: Computed, data: Described, chosen: Choices) -> list[_Point]:
    return [_point(number, each, data, chosen) for number, each in enumerate(work.result["points"])]


def _point(number: int, told: dict[str, Any], data: Described, chosen: Choices) -> _Point:
    name = told["method"].partition(":")[0]
    taken = chosen.with_models(*_beside(chosen), told["promise"]).with_(method=name)
    measures = told.get("measures") or {}
    return _Point(
        number=number,
        promise=told["promise"],
        method=name,
        k=float(told["k"]),
        holds=told["holds"],
        refused=told.get("refused") or "",
        kept=_kept(measures) if told["holds"] else None,
        withheld=int(measures.get("records withheld", measures.get("answers: records withheld", 0))),
        records=data.records,
        measures=measures,
        take=f"/data/{data.row.id}/promise{taken.query}#chosen",
    )


def _kept(measures: dict[str, Any]) -> float:
    """Return how much is kept, a share: what the measures of loss leave, of a survey the mean of both parts."""
    losses = [
        float(value) for name, value in measures.items() if name.rpartition(": ")[2] in ("loss-mean", "rating loss")
    ]
    return 1 - sum(losses) / len(losses) if losses else 0.0


def _picture(points: list[_Point]) -> Picture | None:
    shown = [each for each in points if each.kept is not None]
    if not shown:
        return None
    drawn = [
        ChoicePoint(each.k, each.kept or 0.0, _series(each), f"{each.promise} with {each.method}", each.take)
        for each in shown
    ]
    about = "What is kept by each promise; every point is a link that takes it."
    note = (
        "Further right, more people look alike; further up, more of the data is kept (100 % minus the loss). "
        "Every point is a link: follow it to take it."
    )
    return Picture("What is kept under each promise", note, points_chart(drawn, across="k", about=about))


def _series(point: _Point) -> str:
    """Return the curve that a point belongs to: its method, and what its promise has beside k."""
    settings = read_wording("promises", point.promise).settings
    beside = [f"{letter} = {settings[letter]}" for letter in ("epsilon", "m") if letter in settings]
    return ", ".join([point.method, *beside])


def _two(query: QueryParams, points: list[_Point]) -> list[_Point]:
    """Return the two points that were chosen to be compared."""
    asked = [query.get(name, "") for name in ("one", "two")]
    chosen = [int(each) for each in asked if each.isdecimal()]
    found = [points[each] for each in chosen if each < len(points) and points[each].holds]
    return found if len(found) == 2 else []


def _shares_of(points: list[_Point]) -> list[tuple[str, str]]:
    """Return the measures of some points that are shares, each with what it says."""
    names = dict.fromkeys(name for each in points for name in each.measures)
    plain = ((name, name.rpartition(": ")[2]) for name in names)
    return [(name, MEASURES[of_part][0]) for name, of_part in plain if of_part in MEASURES]


def _same(data: Described, grid: _Grid, chosen: Choices) -> Same:
    name, schema = data.row.name, data.schema_file
    options = {"k": grid.ks, "epsilon": grid.epsilons or None, "m": grid.ms or None}
    beside, withhold = _beside(chosen), chosen.get("withhold") or None
    lines = [
        command(
            "shoal",
            "sweep",
            name,
            **options,
            method=grid.methods,
            model=beside,
            withhold=withhold,
            schema=schema,
            out="sweep",
        )
    ]
    calls = [
        python_call(
            "sweep", name, **options, method=grid.methods, models=beside, withhold=withhold, schema=schema, out="sweep"
        )
    ]
    if data.kind == "table":
        models = chosen.models or (_USUAL,)
        lines.append(command("shoal", "lattice", name, model=models, withhold=withhold, schema=schema))
        calls.append(python_call("lattice", name, models=models, withhold=withhold, schema=schema))
    return Same("\n".join(lines), "\n".join(["import shoal", "", *calls]))
