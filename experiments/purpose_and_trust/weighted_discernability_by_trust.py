"""Do views for a purpose keep apart what it needs? Thesis, Figure 4.6."""

from collections.abc import Iterator

from experiments.data import ADULT, CENSUS
from experiments.experiment import Claim, Experiment, Panel, Point, Row, Size, grid
from experiments.purpose_and_trust._claims import Lines, better
from experiments.purpose_and_trust._views import (
    AS_PRINTED,
    DEC,
    K_KEPT,
    LINES,
    MONDRIAN,
    OURS,
    PARAMETERS,
    PRINTED,
    TDS,
    Request,
    table,
    view,
)
from shoal.desk import Purpose

_DM = "weighted discernability"
_K = 20
_CASES = {
    f"{ADULT.name}, age": (ADULT.name, Purpose(most="age", least="workclass")),
    f"{ADULT.name}, country": (ADULT.name, Purpose(most="native-country", least="workclass")),
    f"{CENSUS.name}, age": (CENSUS.name, Purpose(most="age", least="weeks")),
    f"{CENSUS.name}, birthplace": (CENSUS.name, Purpose(most="birthplace", least="weeks")),
}
"""What is most useful, and where."""


def _points(size: Size) -> list[dict[str, int | float | str]]:
    return grid(case=list(_CASES), method=size.pick(LINES, LINES, (PRINTED, DEC, MONDRIAN, TDS)))


def _measure(point: Point) -> Iterator[Row]:
    trusts = point.size.pick([tenth / 10 for tenth in range(11)], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [1.0])
    data, purpose = _CASES[point["case"]]
    records = table(data, point.size)
    names = [column.name for column in records.quasi_identifiers]
    priorities = dict(zip(names, purpose.of(records), strict=True))
    found: Row = {}
    for trust in trusts:
        if not found or point["method"] not in (MONDRIAN, TDS):  # these two do not know trust
            made = view(records, point["method"], Request(trust, purpose, _K), priorities=priorities)
            found = made.measured(_DM)
        yield {"data": data, "trust": trust, **found}


def _least(case: str) -> Lines:
    return Lines(_DM, "trust", {"case": case}, lambda trust: trust > 0.5, across="case")


_SAYS = (
    "On Adult with age most useful, Dec has the least weighted discernability for large trust (4.5.3, a); looked at "
    "above 0.5.",
    "So it has with the country most useful (4.5.3, b).",
    "So it has on the census with age most useful (4.5.3, c).",
    "So it has on the census with the region most useful (4.5.3, d).",
)
EXPERIMENT = Experiment(
    id="004-4.6",
    figures="Figure 4.6 (a–d)",
    asks="Does decomposition for a purpose keep apart the records that the purpose needs apart?",
    data=(ADULT.name, CENSUS.name),
    points=_points,
    measure=_measure,
    panels=tuple(
        Panel("trust", _DM, "method", "case", {"data": data}, "trust t", "weighted discernability, pairs", log_y=True)
        for data in (ADULT.name, CENSUS.name)
    ),
    claims=tuple(
        Claim(f"{says} {name}.", better(_least(case), line, (MONDRIAN, TDS), beside=beside))
        for line, name, beside in ((PRINTED, AS_PRINTED, ()), (DEC, K_KEPT, (OURS,)))
        for case, says in zip(_CASES, _SAYS, strict=True)
    ),
    parameters=f"k = {_K}. Priority 1 for age, or the country (birthplace), and 0 for workclass, or weeks worked where "
    "the thesis has the salary; those of the others follow from their independence (Definition 4.3). Weighted "
    "discernability is drawn in the thesis and not defined; ours counts pairs of records that are published alike, "
    "each by the priority of what they differ in. " + PARAMETERS,
    why="Priorities cannot make up for one level for everybody: Mondrian, which knows no purpose, has far fewer pairs"
    " alike in all four cases. Only as printed and at full trust does Dec have the least, none: the table"
    " is published as it is. What is most useful is generalized most by equation 4.11; the reading that keeps it "
    "is not better throughout, because it does what it is asked to and anonymizes further where trust is small. "
    "On Census-Income Dec is below TDS for some trusts; TDS, which looks at the salary alone, has few groups there.",
)
