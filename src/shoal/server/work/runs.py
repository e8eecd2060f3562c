"""What a worker calls for each kind of job, and what of the result leaves the process."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from shoal.errors import WordingError

from .asks import (
    LONGEST_HIERARCHY,
    Ask,
    AttackAsk,
    CheckAsk,
    CheckHierarchyAsk,
    CompareColumnsAsk,
    DescribeAsk,
    DrawHierarchyAsk,
    DryRunAsk,
    KeepAsk,
    LatticeAsk,
    LimitsAsk,
    MeasureAsk,
    PublishAsk,
    RegisterAsk,
    ReportAsk,
    RequestAsk,
    SuggestHierarchyAsk,
    SweepAsk,
    VerifyAsk,
)
from .desk_runs import run_dry_run, run_keep, run_register, run_request
from .folder import JobFolder, Order
from .places import Places

__all__ = ["ASKS", "run"]

Result = dict[str, Any]


def run(order: Order, folder: Path) -> Result:
    """Do what an order asks for, and return what is told of it."""
    cls, work = ASKS[order.ask["kind"]]
    return work(cls.model_validate(order.ask), Places(order, folder))


def _describe(ask: DescribeAsk, places: Places) -> Result:
    from shoal.jobs.describe import describe

    data = places.dataset(ask.dataset)
    made = describe(data.path, data.schema_file, duplicates=ask.duplicates)
    JobFolder(places.folder).write_shown(made.shown()[0], tuple(made.drawings()))
    return made.to_json()


def _check(ask: CheckAsk, places: Places) -> Result:
    from shoal.jobs.check import check

    data = places.dataset(ask.dataset)
    settings = ask.model_dump(include={"duplicates", "search", "engine"})
    made = check(data.path, ask.models, data.schema_file, memory=places.memory, **settings)
    return places.shown(made).to_json()


def _limits(ask: LimitsAsk, places: Places) -> Result:
    from shoal.jobs.limits import limits

    data = places.dataset(ask.dataset)
    settings = ask.model_dump(include={"semantics", "spread", "all_null", "part", "duplicates", "engine"})
    given = {key: str(value) for key, value in ask.given.items()} or None
    return places.shown(limits(data.path, given, data.schema_file, memory=places.memory, **settings)).to_json()


def _publish(ask: PublishAsk, places: Places) -> Result:
    from shoal.jobs.publish import publish

    data = places.dataset(ask.dataset)
    places.out.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = publish(
        data.path,
        data.schema_file,
        out=str(places.out / "release"),
        ledger=str(places.out / "ledger"),
        memory=places.memory,
        **ask.settings(),
    )
    return {**places.shown(made).to_json(), "release": places.order.job}


def _verify(ask: VerifyAsk, places: Places) -> Result:
    from shoal.jobs.verify import verify

    place = places.release(ask.release)
    ledger = place.ledger if ask.ledger else None
    return places.shown(verify(place.path, ledger, engine=ask.engine, memory=places.memory)).to_json()


def _attack(ask: AttackAsk, places: Places) -> Result:
    from shoal.jobs.attack import attack

    if (ask.dataset is None) == (ask.release is None):
        raise WordingError("An attack is on a data set or on a release.", "Name one of them.")
    if ask.release is not None:
        place = places.release(ask.release)
        return places.shown(attack(place.path, place.ledger, ask.attacks, seed=ask.seed)).to_json()
    data = places.dataset(ask.dataset)
    made = attack(data.path, None, ask.attacks, schema=data.schema_file, seed=ask.seed)
    return places.shown(made).to_json()


def _measure(ask: MeasureAsk, places: Places) -> Result:
    from shoal.jobs.measure import measure

    place = places.release(ask.release)
    assert place.ledger is not None
    settings = ask.model_dump(exclude={"kind", "release"}, exclude_none=True)
    return places.shown(measure(place.path, place.ledger, **settings)).to_json()


def _compare_columns(ask: CompareColumnsAsk, places: Places) -> Result:
    from shoal.jobs.compare_columns import compare_columns

    place = places.release(ask.release)
    assert place.ledger is not None
    return places.shown(compare_columns(place.path, place.ledger, columns=ask.columns, pair=ask.pair)).to_json()


def _report(ask: ReportAsk, places: Places) -> Result:
    from shoal.jobs.report import report

    place = places.release(ask.release)
    assert place.ledger is not None
    page = places.folder / "report.html"
    made = report(
        place.path,
        place.ledger,
        page,
        wordings=ask.attacks,
        everything=ask.everything,
        seed=ask.seed,
        force=True,
    )
    return {**places.shown(made).to_json(), "report": "report.html"}


def _sweep(ask: SweepAsk, places: Places) -> Result:
    from shoal.jobs.sweep import sweep

    data = places.dataset(ask.dataset)
    settings = ask.model_dump(exclude={"kind", "dataset"}, exclude_none=True)
    for letter in ("k", "epsilon", "m"):
        settings[letter] = tuple(map(str, settings[letter]))
    made = sweep(data.path, schema=data.schema_file, out=str(places.folder / "sweep"), jobs=1, **settings)
    told = places.shown(made).to_json()
    return {key: value for key, value in told.items() if key not in ("table", "plots", "out")}


def _lattice(ask: LatticeAsk, places: Places) -> Result:
    from shoal.jobs.lattice import lattice

    data = places.dataset(ask.dataset)
    settings = ask.model_dump(include={"method", "withhold", "minimal"})
    return places.shown(lattice(data.path, ask.models, data.schema_file, **settings)).to_json()


def _suggest_hierarchy(ask: SuggestHierarchyAsk, places: Places) -> Result:
    from shoal.jobs.hierarchy import suggest_hierarchy

    data = places.dataset(ask.dataset)
    settings: dict[str, Any] = ask.model_dump(include={"column", "widths", "parts", "shares"})
    file = places.folder / "suggested.csv"
    made = suggest_hierarchy(data.path, data.schema_file, kind=ask.hierarchy, out=file, **settings)  # type: ignore[arg-type]
    content = file.read_text(encoding="utf-8-sig")
    told = {key: value for key, value in places.shown(made).to_json().items() if key != "out"}
    return {**told, "content": content if len(content) <= LONGEST_HIERARCHY else None}


def _check_hierarchy(ask: CheckHierarchyAsk, places: Places) -> Result:
    from shoal.jobs.hierarchy import check_hierarchy

    file = _written(ask.content, places)
    if ask.dataset is None:
        return places.shown(check_hierarchy(file)).to_json()
    data = places.dataset(ask.dataset)
    return places.shown(check_hierarchy(file, data=data.path, schema=data.schema_file, column=ask.column)).to_json()


def _draw_hierarchy(ask: DrawHierarchyAsk, places: Places) -> Result:
    from shoal.jobs.hierarchy import draw_hierarchy

    file = None if ask.content is None else _written(ask.content, places)
    if ask.dataset is None:
        return places.shown(draw_hierarchy(file, most=ask.most)).to_json()
    data = places.dataset(ask.dataset)
    place: dict[str, Any] = {"data": data.path, "schema": data.schema_file, "column": ask.column}
    drawn = draw_hierarchy(file, most=ask.most, **place)
    content = drawn.text if file is None and len(drawn.text) <= LONGEST_HIERARCHY else None
    return {**places.shown(drawn).to_json(), "content": content}


def _written(content: str, places: Places) -> Path:
    """Return a private file with the hierarchy that came with the order."""
    file = places.folder / "hierarchy.csv"
    file.touch(mode=0o600)
    file.write_text(content, encoding="utf-8")
    return file


ASKS: Mapping[str, tuple[type[Ask], Callable[[Any, Places], Result]]] = {
    "describe": (DescribeAsk, _describe),
    "check": (CheckAsk, _check),
    "limits": (LimitsAsk, _limits),
    "publish": (PublishAsk, _publish),
    "verify": (VerifyAsk, _verify),
    "attack": (AttackAsk, _attack),
    "measure": (MeasureAsk, _measure),
    "compare-columns": (CompareColumnsAsk, _compare_columns),
    "report": (ReportAsk, _report),
    "sweep": (SweepAsk, _sweep),
    "lattice": (LatticeAsk, _lattice),
    "suggest-hierarchy": (SuggestHierarchyAsk, _suggest_hierarchy),
    "check-hierarchy": (CheckHierarchyAsk, _check_hierarchy),
    "draw-hierarchy": (DrawHierarchyAsk, _draw_hierarchy),
    "desk-register": (RegisterAsk, run_register),
    "desk-keep": (KeepAsk, run_keep),
    "desk-request": (RequestAsk, run_request),
    "desk-dry-run": (DryRunAsk, run_dry_run),
}
"""The model and the work of each kind of job."""
