"""How well is a salary predicted from views that were made for that? Thesis, Figures 4.7 and 4.8."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from experiments.data import ADULT, CENSUS
from experiments.experiment import Claim, Experiment, Panel, Point, Row, Size, grid
from experiments.purpose_and_trust._claims import Lines, better, between
from experiments.purpose_and_trust._views import (
    AS_PRINTED,
    DEC,
    K_KEPT,
    LINES,
    MONDRIAN,
    OURS,
    PARAMETERS,
    PRINTED,
    TARGETS,
    TDS,
    Request,
    table,
    view,
)
from experiments.recoded import Recoded
from shoal.desk import Purpose
from shoal.utility import Comparison, Prediction

_BAYES, _TREE = "naive Bayes accuracy", "decision tree accuracy"
_TRUST = {ADULT.name: 0.9, CENSUS.name: 0.2}
_UNCHANGED, _COMMONEST = "table as it is", "commonest salary"
_APART, _TOGETHER = "anonymized apart", "one release"
_NEGLIGIBLE = 0.001
"""Less than the standard deviation over seeds of any method: what lies within is no difference."""


def _points(size: Size) -> list[dict[str, int | float | str]]:
    return grid(
        data=[ADULT.name, CENSUS.name],
        k=size.pick([2, 5, 10, 20, 25, 50, 100], [5, 20, 100], [5]),
        seed=range(size.seeds),
    )


def _measure(point: Point) -> Iterator[Row]:
    records = table(point["data"], point.size)
    target = TARGETS[point["data"]]
    order = np.random.default_rng(point["seed"]).permutation(len(records))
    test, train = (records.take(np.sort(rows)) for rows in np.split(order, [len(order) // 3]))
    request = Request(_TRUST[point["data"]], Purpose(target=target), point["k"])
    asked = Prediction(target, trials=point.size.pick(2, 2, 1))
    tested: dict[str, Comparison | None] = {line: view(test, line, request).comparison for line in LINES}
    learned = {line: view(train, line, request, prediction=asked, seed=point["seed"]) for line in LINES}
    salaries = test[target].codes
    commonest = float(np.mean(salaries == np.bincount(train[target].codes).argmax()))
    for split in (_APART, _TOGETHER):
        if split == _TOGETHER:
            tested = dict.fromkeys(LINES)
        asking = {line: _tested_on(made, tested[line]) for line, made in learned.items()}
        for line, made in asking.items():
            yield {"split": split, "method": line, **made.measured(_BAYES, _TREE)}
        before = asking[MONDRIAN].measured(f"{_BAYES} before", f"{_TREE} before").values()
        yield {"split": split, "method": _UNCHANGED, **dict(zip((_BAYES, _TREE), before, strict=True))}
        yield {"split": split, "method": _COMMONEST, _BAYES: commonest, _TREE: commonest}


def _tested_on(made: Recoded, other: Comparison | None) -> Recoded:
    return replace(made, comparison=replace(made.comparison, tested_on=other))


def _accurate(measure: str, data: str) -> Lines:
    return Lines(measure, "k", {"data": data, "split": _APART}, show=".3f")


def _claims(line: str, name: str) -> Iterator[Claim]:
    """Yield the claims of the thesis, decided for one reading of its method."""
    shown = (_COMMONEST,) if line == PRINTED else (OURS, _COMMONEST)
    for measure, what in ((_BAYES, "naive Bayes"), (_TREE, "the decision tree")):
        yield Claim(
            f"On Adult with t = 0.9, {what} is more accurate on Dec than on the others (4.5.3, Figure 4.7). {name}.",
            better(_accurate(measure, ADULT.name), line, (MONDRIAN, TDS), beside=shown, most=True),
        )
    for measure, what in ((_BAYES, "naive Bayes"), (_TREE, "the decision tree")):
        yield Claim(
            f"On the census with t = 0.2, the accuracy of {what} on Dec lies between those on the others (4.5.3, "
            f"Figure 4.8), or outside by {_NEGLIGIBLE:g} at most. {name}.",
            between(_accurate(measure, CENSUS.name), line, (MONDRIAN, TDS), _NEGLIGIBLE, beside=shown),
        )


EXPERIMENT = Experiment(
    id="004-4.7",
    figures="Figures 4.7 and 4.8 (a–d)",
    asks="Is a salary predicted better from views that were made for that purpose?",
    data=(ADULT.name, CENSUS.name),
    points=_points,
    measure=_measure,
    panels=tuple(
        Panel(
            "k", measure, "method", "data", {"split": split}, "k", f"{measure},\n{split}", log_x=True, from_zero=False
        )
        for split in (_APART, _TOGETHER)
        for measure in (_BAYES, _TREE)
    ),
    claims=tuple(claim for line, name in ((PRINTED, AS_PRINTED), (DEC, K_KEPT)) for claim in _claims(line, name)),
    parameters="t = 0.9 on Adult and 0.2 on Census-Income, and priorities by information about the salary. Two thirds "
    "of the records are for training and one third for testing, anonymized apart as in the thesis; claims are decided "
    "on these. Below, records for training and testing are of one release. 5,000 of each are learned from and asked "
    "about, twice a seed. The thesis shows *classification* and *prediction* and does not say how they differ; its J48 "
    "prunes unless set otherwise, our tree does not. " + PARAMETERS,
    why="What is printed never looks at k, and predicts as well as the table as it is: that it predicts better than "
    "methods that keep k says little. With k kept, Dec is better than the others on Adult for large k, and for small k "
    "it is worse than Mondrian, with k = 10 even than always guessing the commonest salary. Which columns are left "
    "where k lifts a table further is decided by its degree, not by their use, and equation 4.11 generalizes the most "
    "useful ones most: the reading by purpose, within one release, does not have these gaps. Besides, training and "
    "test records are anonymized apart, and a method that recodes whole columns may put a column on one level in the "
    "one part and on another in the other. Then no label that is asked about was ever learned. This happens to Dec and "
    "to TDS, hence their wide bands, and not to Mondrian, few of whose labels are unseen; the lower plots, in which "
    "both parts are of one release, are free of it. On Census-Income more than nine in ten have the commonest salary, "
    "no method beats always guessing it on average, and to lie between Mondrian and TDS there means little.",
)
