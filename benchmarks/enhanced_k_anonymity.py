"""The experiments of chapter 3 of the thesis: similarity attacks, disclosures, time and distortion.

The thesis adds a random *health condition* to Adult, eight values in four categories. It reports 13 of 21 minimal
2-sensitive 2-anonymous tables with a group whose values are of one category, and 4 of 30 minimal (2,1)-sensitive ones;
its hierarchies are not given, so the number of minimal tables differs. Values of one category are what p⁺ counts, so
that a p⁺-sensitive table with such a group, as its Table 3.8 has, cannot be.
"""

import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from adult import QUASI_IDENTIFIERS, adult
from measuring import SHARED
from shoal.anonymizers import Anonymizer, Lattice, TopDown, methods
from shoal.anonymizers.table_lattice import TableLattice
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.engines import LocalEngine
from shoal.models import PrivacyModel, promises
from shoal.randomness import Randomness
from shoal.utility import MEASURES, Comparison, measured

CONDITIONS = (("HIV", "Cancer"), ("Phthisis", "Hepatitis"), ("Obesity", "Asthma"), ("Flu", "Indigestion"))
SEVEN = QUASI_IDENTIFIERS[:7]
PRINTED = {"p-sensitive:p=2": (21, 13), "p-alpha-sensitive:p=2,alpha=1": (30, 4)}
ENGINE = LocalEngine()
CENSUS_ROWS = 50_000


def main(folder: Path) -> dict[str, Any]:
    """Run both sets of experiments; the second on Census-Income."""
    people = adult(folder)
    if people is None:
        return {"skipped_for_want_of_data": 1}
    table = _with_condition(people)
    attacks = [_similarity(table, wording) for wording in _four(2, 1)]
    sizes = [_curve(_of(table, SEVEN[:n]), 3, 2, 1) for n in (2, 3, 5, 7)]
    ps = [_curve(_of(table, SEVEN), 5, p, 1) for p in (2, 4)]
    alphas = [_curve(_of(table, SEVEN), 5, 2, alpha) for alpha in (1, 4)]
    census = _census()
    ks = [] if census is None else [_local(census, k) for k in (3, 20)]
    found = {f"{each['promise'].partition(':')[0].replace('-', '_')}_attacked": each["attacked"] for each in attacks}
    return {
        **found,
        "similarity_attacks": attacks,
        "by_quasi_identifiers": sizes,
        "by_p": ps,
        "by_alpha": alphas,
        "census_by_k": ks,
    }


def _four(p: int, alpha: int) -> list[str]:
    return [
        f"p-sensitive:p={p}",
        f"p-plus-sensitive:p={p}",
        f"p-alpha-sensitive:p={p},alpha={alpha}",
        f"p-plus-alpha-sensitive:p={p},alpha={alpha}",
    ]


def _with_condition(people: Microdata) -> Microdata:
    names = [name for category in CONDITIONS for name in category]
    drawn = np.random.default_rng(1).integers(0, len(names), len(people))
    condition = Column.encode("condition", Role.SENSITIVE, pl.Series([names[i] for i in drawn]), CONDITIONS)
    return Microdata((*people.quasi_identifiers, condition))


def _of(table: Microdata, names: tuple[str, ...]) -> Microdata:
    return Microdata((*(table[name] for name in names), *table.sensitive))


def _models(k: int, wording: str) -> list[PrivacyModel]:
    return [promises.read(f"k-anonymity:k={k}"), promises.read(wording)]


def _similarity(table: Microdata, wording: str) -> dict[str, Any]:
    """Count the minimal tables with a group whose values are of one category, and the records of the worst."""
    seven = _of(table, SEVEN)
    lattice = TableLattice(seven, ENGINE)
    outcome = Lattice(loss="height").searched(lattice, _models(2, wording), 0, minimal=True)
    assert outcome.minimal is not None
    disclosed = [_disclosed(lattice.generalised(node)) for node in outcome.minimal]
    printed = PRINTED.get(wording)
    point = {
        "promise": wording,
        "minimal": len(disclosed),
        "attacked": int(sum(records > 0 for records in disclosed)),
        "most_records": int(max(disclosed, default=0)),
        "printed": None if printed is None else f"{printed[1]} of {printed[0]}",
    }
    print(point, flush=True)
    return point


def _disclosed(table: Microdata) -> int:
    """Count the records of groups whose sensitive values are all of one category."""
    condition = table["condition"]
    category = {name: number for number, names in enumerate(CONDITIONS) for name in names}
    of_code = np.array([category[name] for name in condition.vocabulary.values.to_list()])
    labels = ENGINE.group(table).labels
    order = np.lexsort((of_code[condition.codes], labels))
    groups, categories = labels[order], of_code[condition.codes][order]
    begins = np.flatnonzero(np.diff(groups, prepend=-1))
    ends = [*begins[1:], len(groups)]
    return sum(end - begin for begin, end in zip(begins, ends, strict=True) if categories[begin] == categories[end - 1])


def _curve(table: Microdata, k: int, p: int, alpha: int) -> dict[str, Any]:
    """Time each of the models, and its distortion, by the best node and by local recoding."""
    point: dict[str, Any] = {"quasi_identifiers": len(table.quasi_identifiers), "k": k, "p": p, "alpha": alpha}
    for wording in _four(p, alpha)[:3]:
        name = wording.partition(":")[0].replace("-", "_")
        for method in (Lattice(), TopDown(looked_ahead=0)):
            seconds, ratio = _published(table, _models(k, wording), method)
            point[f"{name}_{method.name.replace('-', '_')}_seconds"] = seconds
            point[f"{name}_{method.name.replace('-', '_')}_distortion_ratio"] = ratio
    print(point, flush=True)
    return point


def _published(table: Microdata, models: list[PrivacyModel], method: Anonymizer) -> tuple[float, float]:
    began = time.perf_counter()
    made = method.recode(table, models, ENGINE, Randomness(1), spare=0).records
    seconds = time.perf_counter() - began
    sizes = ENGINE.count(made, ENGINE.group(made), sensitive=False).sizes
    comparison = Comparison(table, np.arange(len(table)), made, sizes)
    return round(seconds, 3), round(measured(comparison, [MEASURES["distortion ratio"]]).values["distortion ratio"], 4)


def _census() -> Microdata | None:
    """Census-Income: age, occupation and country of birth; education, in four categories, is sensitive."""
    file = SHARED / "tables" / "census-income-kdd" / "census_income_1994_1995_train.csv.gz"
    if not file.exists():
        return None
    frame = pl.read_csv(file, has_header=False, infer_schema=False).sample(CENSUS_ROWS, seed=1)
    columns = []
    for place, name in ((0, "age"), (3, "occupation"), (34, "birthplace")):
        values = frame[:, place].str.strip_chars()
        values = values.cast(pl.Int64) if name in ("age", "occupation") else values
        column = Column.encode(name, Role.QUASI_IDENTIFIER, values)
        columns.append(column.with_hierarchy(Hierarchy.suggest(column.vocabulary)))
    education = Column.encode("education", Role.SENSITIVE, frame[:, 4].str.strip_chars())
    names = education.vocabulary.values.to_list()
    borders = np.linspace(0, len(names), 5).astype(int)
    categories = tuple(tuple(names[begin:end]) for begin, end in pairwise(borders))
    return Microdata((*columns, Column.encode("education", Role.SENSITIVE, education.values, categories)))


def _local(table: Microdata, k: int) -> dict[str, Any]:
    """Figures 3.4 and 3.5: recodings of Census-Income by k."""
    point: dict[str, Any] = {"k": k, "records": len(table)}
    for wording in ("p-plus-sensitive:p=2", "p-alpha-sensitive:p=2,alpha=1"):
        name = wording.partition(":")[0].replace("-", "_")
        for method in ("mondrian", "lattice"):
            how = methods.read(method)
            seconds, ratio = _published(table, _models(k, wording), how)
            point[f"{name}_{how.name.replace('-', '_')}_seconds"] = seconds
            point[f"{name}_{how.name.replace('-', '_')}_distortion_ratio"] = ratio
    print(point, flush=True)
    return point
