"""Do views by trust have smaller groups than other methods? Thesis, Figure 4.4."""

from collections.abc import Iterator

from experiments.data import ADULT, CENSUS
from experiments.experiment import Claim, Experiment, Panel, Point, Row, Size, grid
from experiments.purpose_and_trust._claims import Lines, better, never_worse_to_the_right, similar
from experiments.purpose_and_trust._views import (
    AS_PRINTED,
    DEC,
    K_KEPT,
    LINES,
    MONDRIAN,
    PARAMETERS,
    PRINTED,
    TDS,
    Request,
    table,
    view,
)
from shoal.desk import Purpose

_DM, _CAVG, _BELOW = "discernability", "normalized average group size", "people in groups below k"
_K = 20
_DATA = (ADULT.name, CENSUS.name)


def _points(size: Size) -> list[dict[str, int | float | str]]:
    return grid(data=size.pick(_DATA, _DATA, _DATA[:1]), method=LINES)


def _measure(point: Point) -> Iterator[Row]:
    trusts = point.size.pick([tenth / 10 for tenth in range(11)], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.0, 1.0])
    records = table(point["data"], point.size)
    found: Row = {}
    for trust in trusts:
        if not found or point["method"] not in (MONDRIAN, TDS):  # these two do not know trust
            made = view(records, point["method"], Request(trust, Purpose(), _K))
            sizes = made.comparison.sizes
            below = float(sizes[sizes < _K].sum() / len(records))
            found = {**made.measured(_DM, _CAVG), _BELOW: below, "degree reached": made.notes.get("degree reached")}
        yield {"trust": trust, **found}


_LITTLE, _MUCH = (lambda trust: trust < 0.5), (lambda trust: trust > 0.5)
_READINGS = {PRINTED: AS_PRINTED, DEC: K_KEPT}


def _claims(line: str, name: str) -> Iterator[Claim]:
    """Yield the claims of the thesis, decided for one reading of its method."""
    yield Claim(
        "With a trust below 0.5, Dec has a discernability similar to Mondrian and TDS (4.5.2): between the two, or "
        f"outside of them by a factor of 2 at most. {name}.",
        similar(Lines(_DM, "trust", part=_LITTLE), line, (MONDRIAN, TDS), 2),
    )
    yield Claim(
        f"With a trust above 0.5, Dec has a lower discernability than both (4.5.2). {name}.",
        better(Lines(_DM, "trust", part=_MUCH), line, (MONDRIAN, TDS)),
    )
    yield Claim(
        f"Dec has smaller groups on average than both (4.5.2); looked at for a trust above 0.5. {name}.",
        better(Lines(_CAVG, "trust", part=_MUCH), line, (MONDRIAN, TDS)),
    )
    yield Claim(
        f"Whoever is trusted more gets data of better use (4.5.2): discernability never rises with trust. {name}.",
        never_worse_to_the_right(Lines(_DM, "trust", part=lambda trust: trust >= 0), line),
    )


EXPERIMENT = Experiment(
    id="004-4.4",
    figures="Figure 4.4 (a–d)",
    asks="Does a requester who is trusted more get data with smaller groups than methods give that know no trust?",
    data=_DATA,
    points=_points,
    measure=_measure,
    panels=(
        Panel("trust", _DM, x_label="trust t", y_label="discernability, pairs", log_y=True),
        Panel("trust", _CAVG, x_label="trust t", y_label="average group size / k", log_y=True),
        Panel("trust", _BELOW, x_label="trust t", y_label="share of people in groups below k"),
    ),
    claims=tuple(claim for reading in _READINGS.items() for claim in _claims(*reading)),
    parameters=f"k = {_K}, no priorities. " + PARAMETERS + " The thesis draws five trusts at random, ten times; here "
    "they are evenly spaced, and nothing else is random.",
    why="Dec puts each column on one level for all records. With k kept, one rare combination then lifts everybody: "
    "even the full-domain table of least discernability (`lattice:loss=discernability`) is far from Mondrian, which "
    "generalizes group by group, so no full-domain method can be better. As printed, Dec never looks at k, as the "
    "share of people in groups below k shows; groups that are smaller than k on average cannot be had otherwise. Even "
    "so its discernability is below that of Mondrian only where the table is published as it is. Trust has little say: "
    "equation 4.11 divides the degree by the number of attributes and rounds up to a step, so most trusts give the "
    "same table, and where k lifts it further a larger trust may end with a worse one. The tables for a trust of 0.6 "
    "and 0.8 are the same, and are so with a linear projection or every step weighing 1 too. TDS stops early: after a "
    "few steps its smallest group is near k.",
)
