"""k^m-anonymity of a million baskets of a Zipf vocabulary: the check for m = 1, 2, 3, and the methods that keep it.

The people are 1,000,000, the items 20,000, a basket has 10 items on average and the longest some hundreds. Items are
drawn independently of each other, which is the hardest case: in real baskets pairs repeat more often. Their hierarchy
has ten items a shelf, ten shelves an aisle and ten aisles a department, and says nothing of what is bought together.
"""

import time
from pathlib import Path

import numpy as np

from shoal.anonymizers import ItemGeneralization, ItemSuppression
from shoal.data import ItemTree, Ratings
from shoal.datasets import generate_baskets
from shoal.engines import LocalEngine, judge
from shoal.models import KmAnonymity
from shoal.randomness import Randomness

K = 5
PEOPLE, ITEMS, PURCHASES = 1_000_000, 20_000, 10_000_000


def main(_folder: Path) -> dict[str, float]:
    """Check, suppress and check again."""
    engine = LocalEngine()
    baskets = generate_baskets(PEOPLE, ITEMS, PURCHASES, 1, hierarchy=True)
    sizes = np.diff(baskets.observable.indptr)
    found = {"purchases": baskets.n_ratings, "longest basket": int(sizes.max())}
    _warm(engine)
    for m in (1, 2, 3):
        seconds, share = _checked(baskets, m, engine)
        found |= {f"check m={m} (s)": seconds, f"people who break k={K}, m={m}": share}
    for m in (2, 3):
        began = time.perf_counter()
        made = ItemSuppression().recode(baskets, [KmAnonymity(K, m)], engine, Randomness(1))
        found[f"item-suppression m={m} (s)"] = time.perf_counter() - began
        assert isinstance(made.records, Ratings)
        found[f"items kept m={m}"] = made.records.n_ratings / baskets.n_ratings
        found[f"rounds m={m}"] = made.notes["rounds"]
        seconds, share = _checked(made.records, m, engine)
        found[f"check of the release m={m} (s)"] = seconds
        assert share == 0
    return found | _generalized(baskets, engine)


def _generalized(baskets: Ratings, engine: LocalEngine) -> dict[str, float]:
    """Generalize the items, and say in processor time how long it took, and what it cost."""
    began = time.process_time()
    made = ItemGeneralization().recode(baskets, [KmAnonymity(K, 2)], engine, Randomness(1))
    found = {"item-generalization m=2 (s of processor time)": time.process_time() - began}
    assert isinstance(made.records, Ratings)
    assert baskets.hierarchy is not None
    tree = ItemTree.of(baskets.hierarchy)
    penalties = tree.penalties[tree.named(made.records.observable.items.values)]
    times = baskets.observable.raters
    found["normalized certainty penalty m=2"] = float(penalties @ times / times.sum())
    assert _checked(made.records, 2, engine)[1] == 0
    return found | {f"{name} of item-generalization m=2": number for name, number in made.notes.items()}


def _checked(baskets: Ratings, m: int, engine: LocalEngine) -> tuple[float, float]:
    """Return the seconds of a check, and the share of the people who break the promise."""
    began = time.perf_counter()
    verdict = judge(baskets, [KmAnonymity(K, m)], engine).verdicts[0]
    return time.perf_counter() - began, verdict.violations / len(baskets)


def _warm(engine: LocalEngine) -> None:
    """Compile everything before anything is timed."""
    few = generate_baskets(20_000, 200, 200_000, 1, hierarchy=True)
    for m in (1, 2, 3):
        judge(few, [KmAnonymity(K, m)], engine)
        ItemSuppression().recode(few, [KmAnonymity(K, m)], engine, Randomness(1))
    ItemGeneralization().recode(few, [KmAnonymity(K, 2)], engine, Randomness(1))
