"""The lattice of generalizations gone through node by node, in plain Python."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

from shoal.data import Microdata


def labels_by_level(table: Microdata) -> list[list[list[object]]]:
    """Give, for each quasi-identifier and level, the label of each record."""
    published = []
    for column in table.quasi_identifiers:
        values = column.vocabulary.values.to_list()
        if column.hierarchy is None:
            published.append([[values[code] for code in column.codes], ["*"] * len(column)])
            continue
        levels = []
        for codes, labels in zip(column.hierarchy.maps, column.hierarchy.labels, strict=True):
            names = labels.values.to_list()
            levels.append([names[codes[code]] for code in column.codes])
        published.append(levels)
    return published


def all_nodes(table: Microdata) -> list[tuple[int, ...]]:
    return list(product(*(range(len(levels)) for levels in labels_by_level(table))))


def groups_at(table: Microdata, node: tuple[int, ...]) -> dict[tuple, list[int]]:
    """Return the records of each combination of labels."""
    published = labels_by_level(table)
    found: dict[tuple, list[int]] = {}
    for record in range(len(table)):
        key = tuple(published[i][level][record] for i, level in enumerate(node))
        found.setdefault(key, []).append(record)
    return found


def withheld_at(table: Microdata, node: tuple[int, ...], k: int, l: int) -> set[int]:  # noqa: E741
    """Return the records in groups of fewer than k, or with fewer than l values of a sensitive column."""
    gone: set[int] = set()
    for members in groups_at(table, node).values():
        few = any(len({column.codes[i] for i in members}) < l for column in table.sensitive)
        if len(members) < k or few:
            gone |= set(members)
    return gone


def loss_mean(table: Microdata, node: tuple[int, ...], gone: set[int]) -> Fraction:
    published = labels_by_level(table)
    total = Fraction(0)
    for i, (column, level) in enumerate(zip(table.quasi_identifiers, node, strict=True)):
        # every value of the vocabulary is a leaf, whether it occurs or not
        if column.hierarchy is None:
            n = len(column.vocabulary)
            under: Counter[object] = Counter(column.vocabulary.values.to_list() if level == 0 else ["*"] * n)
        else:
            names = column.hierarchy.labels[level].values.to_list()
            under = Counter(names[code] for code in column.hierarchy.maps[level])
            n = len(column.hierarchy.maps[0])
        for record in range(len(table)):
            total += 1 if record in gone else Fraction(under[published[i][level][record]] - 1, max(n - 1, 1))
    return total / len(table) / len(node)


def discernability(table: Microdata, node: tuple[int, ...], gone: set[int]) -> Fraction:
    sizes = [len(members) for members in groups_at(table, node).values() if not gone & set(members)]
    return Fraction(sum(size * size for size in sizes) + len(gone) * len(table))


def average_group_size(table: Microdata, node: tuple[int, ...], gone: set[int]) -> Fraction:
    kept = [members for members in groups_at(table, node).values() if not gone & set(members)]
    return Fraction(len(table), len(kept) + bool(gone))


def precision(table: Microdata, node: tuple[int, ...], gone: set[int]) -> Fraction:
    heights = [len(levels) - 1 for levels in labels_by_level(table)]
    steps = (Fraction(level, max(height, 1)) for level, height in zip(node, heights, strict=True))
    share = sum(steps, Fraction(0)) / len(node)
    return (share * (len(table) - len(gone)) + len(gone)) / len(table)


def height(table: Microdata, node: tuple[int, ...], gone: set[int]) -> Fraction:
    return Fraction(sum(node))


LOSSES: dict[str, Callable[[Microdata, tuple[int, ...], set[int]], Fraction]] = {
    "loss-mean": loss_mean,
    "discernability": discernability,
    "average-group-size": average_group_size,
    "precision": precision,
    "height": height,
}
