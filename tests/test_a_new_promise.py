"""A promise that nobody has written yet works everywhere; no room outside ``models`` knows which promises there are.

The promise is (α,k)-anonymity of Wong et al. 2006: every group has at least k people, and no sensitive value is that of
more than a share α of them.
"""

import ast
import csv
import importlib
import inspect
import pkgutil
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
import shoal.models
from shoal.data import Microdata, Records
from shoal.engines import LocalEngine, judge
from shoal.errors import WordingError
from shoal.evidence import Evidence, GroupCounts, NeedGroups
from shoal.models import PrivacyModel, Shortfall, Verdict, promises
from shoal.testing import check_model
from shoal.testing.strategies import tables


@dataclass(frozen=True)
class AlphaK(PrivacyModel):
    """Nothing but what a promise must have."""

    name: ClassVar[str] = "alpha-k"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    merge_safe: ClassVar[bool] = True
    less_is_better: ClassVar[frozenset[str]] = frozenset({"alpha"})

    k: int
    alpha: Fraction

    def __post_init__(self) -> None:
        if not 0 < self.alpha <= 1 or self.k < 1:
            raise WordingError("alpha-k needs an alpha above 0 and at most 1, and a k of at least 1.")

    @property
    def need(self) -> NeedGroups:
        return NeedGroups(sensitive=True, amounts=True)

    @property
    def fewest_records(self) -> int:
        return self.k

    @property
    def meaning(self) -> str:
        return f"No sensitive value is shared by more than {float(self.alpha):g} of at least {self.k} people."

    def judge(self, evidence: Evidence) -> Verdict:
        assert isinstance(evidence, GroupCounts)
        alpha, broken, largest = self.alpha, evidence.sizes < self.k, [Fraction(0)]
        for counts in evidence.sensitive:
            sizes = evidence.sizes[counts.groups]
            broken[counts.groups[counts.counts * alpha.denominator > sizes * alpha.numerator]] = True
            largest += [Fraction(int(n), int(size)) for n, size in zip(counts.counts, sizes, strict=True)]
        level = {"k": int(evidence.sizes.min(initial=evidence.sizes.sum())), "alpha": _rounded_up(max(largest))}
        return Verdict(str(self), not broken.any(), level, int(evidence.sizes[broken].sum()), broken)


@dataclass(frozen=True)
class MeasuredAlphaK(AlphaK):
    """The same, and it says by how much it is missed."""

    name: ClassVar[str] = "measured-alpha-k"

    def shortfall(self, evidence: Evidence) -> Shortfall | None:
        assert isinstance(evidence, GroupCounts)
        found = Shortfall.nowhere(len(evidence))
        shares = [
            np.maximum.reduceat(counts.counts, counts.indptr[:-1]) / evidence.sizes for counts in evidence.sensitive
        ]
        found.measure(np.stack(shares) > float(self.alpha), np.stack(shares), float(self.alpha), at_most=True)
        return found


def _rounded_up(share: Fraction) -> float:
    return -(-share.numerator * 10**6 // share.denominator) / 10**6


def oracle(data: Records, model: PrivacyModel) -> int:
    """Count by hand who is in a group that is too small or too uniform."""
    assert isinstance(data, Microdata)
    assert isinstance(model, AlphaK)
    rows = range(len(data))
    keys = [tuple(int(column.codes[row]) for column in data.quasi_identifiers) for row in rows]
    broken = 0
    for row in rows:
        mine = [other for other in rows if keys[other] == keys[row]]
        shares = [
            Fraction(sum(column.codes[other] == column.codes[one] for other in mine), len(mine))
            for column in data.sensitive
            for one in mine
        ]
        broken += len(mine) < model.k or any(share > model.alpha for share in shares)
    return broken


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    for promise in (AlphaK, MeasuredAlphaK):
        monkeypatch.setitem(promises._classes._things, promise.name, promise)


DISEASES = ("flu", "cancer", "flu", "asthma", "flu", "gout")
PROMISE = "alpha-k:k=3,alpha=0.5"


@pytest.fixture
def people(tmp_path: Path) -> Path:
    with (tmp_path / "people.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["age", "town", "disease"])
        for i in range(48):
            writer.writerow([20 + i // 2, ("Ulm", "Bonn", "Kiel")[i % 3], DISEASES[i % len(DISEASES)]])
    (tmp_path / "people.toml").write_text(
        "kind = 'table'\n[columns.age]\nrole = 'quasi-identifier'\n"
        "hierarchy = {kind = 'interval', widths = [5, 10, 40]}\n"
        '[columns.town]\nrole = "quasi-identifier"\n[columns.disease]\nrole = "sensitive"\n',
        encoding="utf-8",
    )
    return tmp_path


def test_it_keeps_the_laws_of_promises():
    for model in (AlphaK(2, Fraction(1, 2)), AlphaK(3, Fraction(2, 3))):
        check_model(model, oracle=oracle, examples=30)


@settings(max_examples=40)
@given(table=tables(min_records=2, others=False), k=st.integers(1, 3), alpha=st.sampled_from(["1/3", "1/2", "3/4"]))
def test_explain_names_the_attribute_to_blame_in_groups_of_enough_people(table, k, alpha):
    model = AlphaK(k, Fraction(alpha))
    if not table.has_sensitive or not table.has_observable or len(table) < k:
        return
    judgment = judge(table, [model], LocalEngine())
    found = model.shortfall(judgment.groups.counts)
    assert found is not None
    labels = judgment.groups.grouping.labels
    for group in range(judgment.n_groups):
        rows = [row for row in range(len(table)) if labels[row] == group]
        alone = []
        for column in table.sensitive:
            codes = [int(column.codes[row]) for row in rows]
            alone.append(max(codes.count(code) for code in codes) > model.alpha * len(rows))
        expected = alone.index(True) if any(alone) and len(rows) >= k else -1
        assert found.worst[group] == expected


@pytest.mark.parametrize("name", ["alpha-k", "measured-alpha-k"])
def test_check_explains_it(people: Path, name: str):
    file = people / "why.parquet"
    wording = f"{name}:k=1,alpha=0.5"
    result = shoal.check(people / "people.csv", [wording], people / "people.toml", explain=file)
    frame = pl.read_parquet(file)
    assert not result.holds
    assert len(frame) == result.verdicts[0].violations > 0
    assert set(frame["sensitive"]) == {"disease"}
    assert set(frame["others_needed"]) == {0}
    numbers = frame.select("spread", "spread_needed").unique().rows()
    assert numbers == ([(None, None)] if name == "alpha-k" else [(1.0, 0.5)])


@pytest.mark.parametrize(
    "method", ["mondrian", "top-down", "specialization", "lattice", "microaggregation", "decomposition:degree=0.3"]
)
def test_methods_keep_it_and_every_command_reads_the_release(people: Path, method: str):
    out, ledger = people / "release", people / "ledger"
    schema = people / "people.toml"
    made = shoal.publish(
        people / "people.csv", schema=str(schema), models=[PROMISE], method=method, out=str(out), ledger=str(ledger)
    )
    assert made.release == str(out)
    assert shoal.verify(out, ledger).holds
    assert shoal.measure(out, ledger).k == 3
    (people / "me.csv").write_text("age,town\n25,Ulm\n", encoding="utf-8")
    found = shoal.lookup(out, people / "me.csv", schema=schema)
    assert found.k == 3
    assert found.promises == (promises.read(PROMISE).meaning,)
    shoal.report(out, ledger, people / "report")
    assert shoal.attack(out, ledger, ["homogeneity"]).findings


CLASSES = {
    cls.__name__
    for module in pkgutil.iter_modules(shoal.models.__path__)
    for _, cls in inspect.getmembers(importlib.import_module(f"shoal.models.{module.name}"), inspect.isclass)
    if issubclass(cls, PrivacyModel) and cls is not PrivacyModel
}


def test_no_room_outside_models_names_a_promise():
    root = Path(shoal.__file__).parent
    named = [
        f"{path.relative_to(root)} names {name}"
        for path in sorted(root.rglob("*.py"))
        if path.relative_to(root).parts[0] != "models"
        for name in sorted(_names(ast.parse(path.read_text(encoding="utf-8"))) & CLASSES)
    ]
    assert len(CLASSES) >= 10
    assert named == []


def _names(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.ImportFrom | ast.Import):
            found.update(alias.name.rpartition(".")[2] for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            found.add(node.value)
    return found
