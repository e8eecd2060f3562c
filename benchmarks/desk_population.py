"""Ask a release desk for views of ten overlapping extracts of one register, on SQLite and on PostgreSQL.

A register of 20,000 people is cut into ten extracts of 5,000 to 10,000, each of neighbors in the register, so that
everybody is in several. Four requesters ask for a view of each, the least trusted first, and everybody may collude. All
extracts are one population: a view is judged together with all that was given of the others, whose data are handed in
with every request. Each view is made by the one road out, and what it publishes is judged again. In the end, what
everybody together knows is counted here, person by person, from the labels of all views. If the most trusted asks
first, small groups of one extract are out that others would split: how many extracts are then refused is counted on a
desk of its own.

Reported of a request: the seconds on the clock, those of the processor in this process, and by how many MiB its memory
rose; on average, at the most, and of those asked when views of all extracts had been given.
"""

import time
from fractions import Fraction
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import polars as pl

from desk_stores import desk_stores
from measuring import measured
from shoal import road
from shoal.data import Microdata
from shoal.datasets import generate_table
from shoal.desk import Desk, Policy, Purpose, Request
from shoal.desk.request import Reservation
from shoal.engines import LocalEngine, judge
from shoal.errors import RequestRefused
from shoal.randomness import Randomness

PEOPLE, EXTRACTS, K = 20_000, 10, 5
REQUESTERS = {"ann": Fraction(1, 10), "bob": Fraction(1, 5), "cid": Fraction(2, 5), "dot": Fraction(1)}
POLICY = Policy((f"k-anonymity:k={K}",), purpose="income", identifier="name")


def main(folder: Path) -> dict[str, Any]:
    """Measure all requests on each store."""
    extracts = _extracts()
    sizes = [len(each) for each in extracts.values()]
    found: dict[str, Any] = {"people": PEOPLE, "extracts": EXTRACTS, "smallest": min(sizes), "largest": max(sizes)}
    with desk_stores(folder) as stores:
        for name, where in stores.items():
            found |= {f"{name}_{key}": value for key, value in _asked(where, extracts, REQUESTERS).items()}
    alone = _asked(str(folder / "alone.sqlite"), extracts, {"dot": Fraction(1)})
    return found | {f"finest_first_{key}": alone[key] for key in ("requests", "refused", "groups_of_all_views")}


def _extracts() -> dict[str, Microdata]:
    """Return overlapping parts of the register."""
    register, drawn = generate_table(PEOPLE, 1), np.random.default_rng(1)
    register = register.take(np.argsort(register["age"].codes, kind="stable"))
    made = {}
    for number in range(EXTRACTS):
        size = int(drawn.integers(5_000, 10_001))
        begin = round(number * (PEOPLE - size) / (EXTRACTS - 1))
        made[f"extract {number}"] = register.take(np.arange(begin, begin + size))
    return made


def _asked(where: str, extracts: dict[str, Microdata], requesters: dict[str, Fraction]) -> dict[str, Any]:
    desk = Desk.create(where)
    desk.add_purpose("income", Purpose(target="salary-class"))
    for requester, trust in requesters.items():
        desk.set_requester(requester, trust)
    began = time.process_time()
    for name, table in extracts.items():
        desk.add_dataset(name, table, POLICY)
    registering = time.process_time() - began
    figures, groups, told = [], [], []
    refused = 0
    for requester in requesters:
        for name, table in extracts.items():
            others = tuple(each for other, each in extracts.items() if other != name)
            request = Request(name, requester, "income", table, "nowhere", others)
            worked = time.process_time()
            view, seconds, rise = measured(lambda request=request: _view(desk, request))
            figures.append((seconds, time.process_time() - worked, rise))
            if view is None:
                refused += 1
                continue
            groups.append(view[0])
            told.append((name, view[1]))
    began = time.perf_counter()
    assert desk.audit().holds
    audit = time.perf_counter() - began
    last = figures[-EXTRACTS:]
    return {
        "overlaps": sum(len(desk.overlaps(name)) for name in extracts) // 2,
        "registering_cpu_seconds": round(registering, 2),
        "requests": len(figures),
        "views_verified": len(told),
        "refused": refused,
        "groups_of_all_views": sum(groups),
        "smallest_joint_cell": _smallest_cell(extracts, told),
        **_summary("request", figures),
        **_summary("request_when_all_are_given", last),
        "audit_seconds": round(audit, 2),
    }


def _summary(what: str, figures: list[tuple[float, float, float]]) -> dict[str, float]:
    found = {}
    for place, unit in enumerate(("seconds", "cpu_seconds", "mib")):
        values = [each[place] for each in figures]
        found |= {f"{what}_mean_{unit}": round(fmean(values), 2), f"{what}_most_{unit}": round(max(values), 2)}
    return found


def _view(desk: Desk, request: Request) -> tuple[int, np.ndarray] | None:
    """Ask for a view, make and verify it; return the number of its groups and the group of each record, if given."""
    try:
        with desk.held() as token:
            reservation = desk.reserve(token, request)
            made, _ = road.publish(
                request.records, reservation.models, reservation.method, randomness=Randomness(), accept=(road.EMPTY,)
            )
            assert judge(made.records, reservation.models, LocalEngine()).holds
            desk.settle(reservation, "done", state="done", sha256="0" * 64)
    except RequestRefused:
        return None
    assert isinstance(request.records, Microdata)
    return made.certificate.groups, _groups(request.records, reservation)


def _groups(table: Microdata, reservation: Reservation) -> np.ndarray:
    made = reservation.method.recode(table, reservation.models, LocalEngine(), Randomness(1)).records
    assert isinstance(made, Microdata)
    labels = made.frame().select([column.name for column in table.quasi_identifiers])
    return labels.select(pl.struct(pl.all()).rank("dense")).to_series().to_numpy()


def _smallest_cell(extracts: dict[str, Microdata], told: list[tuple[str, np.ndarray]]) -> int:
    """Return among how few people of an extract somebody is for whoever has all views, counted person by person."""
    names = {name: table["name"].values.cast(pl.String) for name, table in extracts.items()}
    everybody = pl.DataFrame({"person": pl.concat(names.values()).unique()})
    for number, (name, groups) in enumerate(told):
        seen = pl.DataFrame({"person": names[name], f"view {number}": groups})
        everybody = everybody.join(seen, on="person", how="left")
    seen = everybody.drop("person").fill_null(0)
    seen = seen.filter(pl.any_horizontal(pl.all() > 0))  # of whom nothing was shown
    return seen.group_by(pl.all()).len(name="people")["people"].min()  # type: ignore[return-value]
