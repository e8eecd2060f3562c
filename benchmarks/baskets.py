"""k^m-anonymity of a million baskets of a Zipf vocabulary: the check for m = 1, 2, 3, and the methods that keep it.

The people are 1,000,000, the items 20,000, a basket has 10 items on average and the longest some hundreds. Items are
drawn independently of each other, which is the hardest case: in real baskets pairs repeat more often. Their hierarchy
has ten items a shelf, ten shelves an aisle and ten aisles a department, and says nothing of what is bought together.
Seconds are of the clock and, beside them, of the processors: the latter do not depend on what else they are doing.
"""

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from measuring import measured
from shoal.anonymizers import Anonymizer, ItemGeneralization, ItemSuppression
from shoal.data import ItemTree, Ratings
from shoal.datasets import generate_baskets
from shoal.engines import LocalEngine, judge
from shoal.models import KmAnonymity
from shoal.randomness import Randomness

K = 5
PEOPLE, ITEMS, PURCHASES = 1_000_000, 20_000, 10_000_000
METHODS: tuple[Anonymizer, ...] = (ItemSuppression(), ItemGeneralization())


def main(_folder: Path) -> dict[str, Any]:
    """Check the baskets, keep the promise by each method, and check what it made."""
    engine = LocalEngine()
    baskets = generate_baskets(PEOPLE, ITEMS, PURCHASES, 1, hierarchy=True)
    found = {"purchases": baskets.n_ratings, "longest_basket": int(np.diff(baskets.observable.indptr).max())}
    for m in (1, 2, 3):
        _warm(m, engine)
        for point in chain([_checked(baskets, m, engine)], _kept(baskets, m, engine)):
            print(point, file=sys.stderr, flush=True)  # the whole takes a while
            found |= point
    return found


def _kept(baskets: Ratings, m: int, engine: LocalEngine) -> Iterator[dict[str, float]]:
    """Keep the promise by each method: what it took, what it left, and that it does keep it."""
    for method in METHODS:
        name = f"{method.name.replace('-', '_')}_m{m}"
        asked = baskets, [KmAnonymity(K, m)], engine, Randomness(1)
        made, spent = _spent(partial(method.recode, *asked), name)
        assert isinstance(made.records, Ratings)
        checked = _checked(made.records, m, engine)
        assert checked[f"broken_m{m}"] == 0
        yield {
            **spent,
            f"{name}_rounds": made.notes["rounds"],
            f"{name}_items": len(np.unique(made.records.observable.indices)),
            f"{name}_information_kept": round(1 - _loss(baskets, made.records), 4),
            f"{name}_check_processor_seconds": checked[f"check_m{m}_processor_seconds"],
        }


def _loss(baskets: Ratings, published: Ratings) -> float:
    """Return the share of the purchases that is lost: deleted, or the normalized certainty penalty of their labels."""
    if published.hierarchy is not None:
        return 1 - published.n_ratings / baskets.n_ratings
    assert baskets.hierarchy is not None
    tree, times = ItemTree.of(baskets.hierarchy), baskets.observable.raters
    nodes = tree.named(published.observable.items.values)
    return float(tree.penalties[nodes] @ times / times.sum())


def _checked(baskets: Ratings, m: int, engine: LocalEngine) -> dict[str, float]:
    """Check the promise: how long it took, and the share of the people who break it."""
    verdict, spent = _spent(lambda: judge(baskets, [KmAnonymity(K, m)], engine).verdicts[0], f"check_m{m}")
    return {**spent, f"broken_m{m}": round(verdict.violations / len(baskets), 4)}


def _spent(action: Callable[[], Any], name: str) -> tuple[Any, dict[str, float]]:
    """Return the result of an action, and what it took in time and memory."""
    began = time.process_time()
    result, seconds, mib = measured(action)
    processor = round(time.process_time() - began, 2)
    return result, {f"{name}_seconds": seconds, f"{name}_processor_seconds": processor, f"{name}_mib": mib}


def _warm(m: int, engine: LocalEngine) -> None:
    """Compile everything before anything is timed."""
    few = generate_baskets(20_000, 200, 200_000, 1, hierarchy=True)
    judge(few, [KmAnonymity(K, m)], engine)
    for method in METHODS:
        method.recode(few, [KmAnonymity(K, m)], engine, Randomness(1))
