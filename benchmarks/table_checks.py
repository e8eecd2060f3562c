"""How long each promise on a table of 1 million records takes to check: grouping, counting and judging, warm.

Two tables: the generated one, eight quasi-identifiers and a sensitive class of salary; and the same people with their
occupation sensitive too, in the categories and the hierarchy that generated tables have. pycanon, measured on a like
machine on a like table, takes 11.5 s for l-diversity and 45 s for t-closeness.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

import shoal
from measuring import measured
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.datasets import write_generated
from shoal.engines import LocalEngine, judge
from shoal.models import PrivacyModel, promises

ROWS = 1_000_000
PROMISES = {
    "k_anonymity": "k-anonymity:k=5",
    "l_distinct": "l-diversity:l=2",
    "l_entropy": "l-diversity:l=2,kind=entropy",
    "l_recursive": "l-diversity:l=2,kind=recursive,c=3",
    "p_sensitive": "p-sensitive:p=2,k=5",
    "t_equal": "t-closeness:t=0.2",
}
DECLARED = {
    "p_plus": "p-plus-sensitive:p=2,k=5",
    "p_plus_alpha": "p-plus-alpha-sensitive:p=2,k=5,alpha=1",
    "t_ordered": "t-closeness:t=0.2,distance=ordered",
    "t_hierarchical": "t-closeness:t=0.2,distance=hierarchical",
}


def main(folder: Path) -> dict[str, float]:
    """Time each promise on its own, and tell the number of groups."""
    schema = write_generated("table", folder / "people.parquet", rows=ROWS, seed=1)
    table = shoal.read(folder / "people.parquet", schema).records
    assert isinstance(table, Microdata)
    jobs = Microdata(tuple(_declared(column) for column in table.columns))
    found: dict[str, float] = {}
    for name, data, wordings in (("", table, PROMISES), ("_jobs", jobs, {**PROMISES, **DECLARED})):
        found[f"groups{name}"] = LocalEngine().group(data).n_groups
        for key, wording in wordings.items():
            found[f"seconds_{key}{name}"] = _seconds(data, promises.read(wording))
    return found


def _seconds(table: Microdata, model: PrivacyModel) -> float:
    judge(table.take(np.arange(1000)), [model], LocalEngine())
    return measured(lambda: judge(table, [model], LocalEngine()), repeat=3)[1]


def _declared(column: Column) -> Column:
    """Make occupations sensitive, and give sensitive columns categories and a hierarchy."""
    if column.name not in ("occupation", "salary-class"):
        return column
    words = column.vocabulary.values
    tree = column.hierarchy or Hierarchy.from_columns([words, pl.Series(["*"] * len(words))])
    labels = tree.maps[-2].tolist()
    categories = tuple(
        tuple(word for word, label in zip(words, labels, strict=True) if label == each) for each in sorted(set(labels))
    )
    return replace(column, role=Role.SENSITIVE, hierarchy=tree, categories=categories)
