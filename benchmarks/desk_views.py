"""Nested views of the release desk by trust: cuts of one tree beside one chain of levels, and what others publish.

With k = 10, for the purpose of predicting an income: Adult with seven quasi-identifiers (30,162 records), and
Census-Income (299,285) with seven. For each trust, with the linear projection: the discernability of the view,
its loss-mean, and the accuracy of naive Bayes and of a decision tree that predict the income from it. Beside them:
Mondrian, top-down (both know no trust), and the decomposition of the thesis for each trust, which does not nest. Needs
the data sets beside the project.
"""

import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from adult import SALARY_SENSITIVE, adult
from census import census_columns, census_frame
from shoal.anonymizers import methods
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.data import Column, Microdata, Role
from shoal.desk import LinearProjection, Policy, Purpose, view_method
from shoal.desk.request import FixedChain
from shoal.desk.views.cut_views import CutViews
from shoal.desk.views.trees_of_versions import new_views
from shoal.engines import LocalEngine, judge
from shoal.randomness import Randomness
from shoal.utility import Comparison
from shoal.utility.prediction.accuracy import decision_tree_accuracy, naive_bayes_accuracy
from shoal.utility.prediction_settings import Prediction
from shoal.utility.tables.generalization_loss import loss_mean

K = 10
POLICY = Policy((f"k-anonymity:k={K}",))
MODELS = POLICY.models
TRUSTS = [Fraction(tenths, 10) for tenths in (2, 4, 6, 8, 10)]
CENSUS = {"age": 0, "sex": 12, "race": 10, "marital": 7, "education": 4, "class": 1, "weeks": 39}
INCOME = 41


def main(folder: Path) -> dict[str, Any]:
    """Measure every view of both tables."""
    found: dict[str, Any] = {"k": K}
    target, quasi_identifiers = SALARY_SENSITIVE
    table = adult(folder, sensitive=target, quasi_identifiers=quasi_identifiers[:7])
    for name, each, income in (("adult", table, target), ("census", _census(), "income")):
        if each is None:
            return {"skipped_for_want_of_data": 1}
        found[f"{name}_records"] = len(each)
        for what, published in _views(each, Purpose(target=income), found, name):
            found |= {f"{name}_{what}_{key}": value for key, value in _measured(each, published, income).items()}
    return found


def _views(table: Microdata, purpose: Purpose, found: dict[str, Any], name: str) -> Iterator[tuple[str, Microdata]]:
    """Return what is published in each way, and note how long the desk takes to prepare it."""
    for wording in ("mondrian", "top-down"):
        made = methods.read(wording).recode(table, MODELS, LocalEngine(), Randomness(1)).records
        yield wording.replace("-", "_"), made  # type: ignore[misc]
    lattice, projection = TableLattice(table, LocalEngine()), LinearProjection()
    began = time.perf_counter()
    kept = view_method(purpose, projection, 1).kept_chain(lattice, MODELS)
    assert kept is not None
    chain = FixedChain.of(kept)
    found[f"{name}_chain_seconds"] = round(time.perf_counter() - began, 2)
    for what, asked in (("local", purpose), ("local_no_purpose", Purpose())):
        began = time.perf_counter()
        views = new_views(table, table, POLICY, asked, b"")
        assert isinstance(views, CutViews)
        found[f"{name}_{what}_views"] = len(views.degrees)
        found[f"{name}_{what}_seconds"] = round(time.perf_counter() - began, 2)
        for trust in TRUSTS:
            yield f"{what}_{float(trust)}", views.published(views.cuts(views.place(projection.degree(trust))))
    for trust in TRUSTS:
        yield f"levels_{float(trust)}", lattice.generalized(chain.nodes[chain.place(projection.degree(trust))])
        thesis = f"decomposition:degree={1 - trust},reading=thesis,target={purpose.target}"
        made = methods.read(thesis).recode(table, MODELS, LocalEngine(), Randomness(1)).records
        yield f"thesis_{float(trust)}", made  # type: ignore[misc]


def _measured(table: Microdata, published: Microdata, income: str) -> dict[str, Any]:
    judgment = judge(published, MODELS, LocalEngine())
    assert judgment.holds
    sizes = judgment.groups.counts.sizes
    everybody = np.arange(len(table))
    compared = Comparison(
        table, everybody, published, np.bincount(judgment.groups.grouping.labels), k=K, prediction=Prediction(income)
    )
    return {
        "groups": judgment.n_groups,
        "discernability": int((sizes.astype(np.int64) ** 2).sum()),
        "loss_mean": round(float(loss_mean(compared)), 4),
        "naive_bayes": round(float(naive_bayes_accuracy(compared)), 4),
        "decision_tree": round(float(decision_tree_accuracy(compared)), 4),
    }


def _census() -> Microdata | None:
    frame = census_frame()
    if frame is None:
        return None
    income = Column.encode("income", Role.SENSITIVE, frame[:, INCOME])
    return Microdata((*census_columns(frame, CENSUS, ("age", "weeks")), income))
