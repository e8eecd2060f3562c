"""Greedy clustering as it is defined, each candidate looked at anew. It shares no code with the library."""

from oracles import attribute_keeps, category
from shoal.data import Column, Microdata
from shoal.models import KAnonymity, LDiversity, PrivacyModel, PSensitive


def reach(column: Column, rows: list[int]) -> float:
    """What each of these records loses in a quasi-identifier."""
    values = column.values.to_list()
    held = {values[row] for row in rows}
    if len(held) == 1:
        return 0.0
    if column.vocabulary.is_ordered:
        if None in held:
            return 1.0
        numbers = dict(zip(column.vocabulary.values.to_list(), column.vocabulary.numbers.tolist(), strict=True))
        present = [numbers[value] for value in values if value is not None]
        own = [numbers[value] for value in held]
        return (max(own) - min(own)) / (max(present) - min(present))
    if column.hierarchy is None:
        return 1.0
    codes = {int(column.codes[row]) for row in rows}
    maps = column.hierarchy.maps
    level = next(level for level in range(len(maps)) if len({int(maps[level][code]) for code in codes}) == 1)
    return level / max(len(maps) - 1, 1)


class Clustering:
    """One run, with the records in the order in which they win ties."""

    def __init__(self, table: Microdata, model: PrivacyModel, order: list[int], *, sparing: bool) -> None:
        self.table, self.model, self.sparing = table, model, sparing
        self.left = list(order)
        self.by_category = "categor" in model.meaning or hasattr(model, "alpha")
        hidden = table.sensitive if model.needs_sensitive else ()
        self.things = [[self._thing(c, v) for v in c.values.to_list()] for c in hidden]

    def _thing(self, column: Column, value: object) -> object:
        return category(column, value) if self.by_category else value

    @property
    def different(self) -> int:
        """How many values of each sensitive attribute a cluster looks for first."""
        if isinstance(self.model, PSensitive):
            return self.model.p
        return int(self.model.l) if isinstance(self.model, LDiversity) and self.model.kind == "distinct" else 0

    def alike(self, row: int, other: int) -> bool:
        """Whether two records cannot be told apart by anything that counts here."""
        columns = [column.values.to_list() for column in self.table.quasi_identifiers]
        return all(each[row] == each[other] for each in [*columns, *self.things])

    def cost(self, rows: list[int]) -> float:
        return sum((reach(column, rows) for column in self.table.quasi_identifiers), 0.0)

    def keeps(self, rows: list[int]) -> bool:
        if len(rows) < self.model.fewest_records:
            return False
        if isinstance(self.model, KAnonymity):
            return True
        return all(attribute_keeps(column, rows, self.model) for column in self.table.sensitive)

    def take(self, cluster: list[int], key) -> int:
        """Move the best record of those left into a cluster; the first of several that are as good."""
        best = min(self.left, key=lambda row: (*key(row), self.cost([*cluster, row])))
        self.left.remove(best)
        cluster.append(best)
        return best

    def news(self, cluster: list[int], row: int) -> list[bool]:
        return [things[row] not in {things[other] for other in cluster} for things in self.things]

    def lacking(self, cluster: list[int]) -> list[bool]:
        return [len({things[row] for row in cluster}) < self.different for things in self.things]

    def grow(self, seed: int) -> list[int] | None:
        """The cluster of a seed, or None where it cannot keep the promise."""
        self.left.remove(seed)
        cluster = [seed]
        while any(lacking := self.lacking(cluster)):

            def new(row: int) -> int:
                return -sum(a and b for a, b in zip(lacking, self.news(cluster, row), strict=True))

            if not any(new(row) for row in self.left):
                return None
            self.take(cluster, lambda row: (new(row),))
        while len(cluster) < self.model.fewest_records:
            if not self.left:
                return None
            self.take(cluster, lambda row: (sum(self.news(cluster, row)) if self.sparing else 0,))
        return self.completed(cluster)

    def completed(self, cluster: list[int]) -> list[int] | None:
        """The cluster with the rarest things that it has too few of, until it keeps the promise."""
        tried = 0
        while not self.keeps(cluster):
            if not self.left or (tried == 8 and not self.keeps([*cluster, *self.left])):
                return None
            self.take(cluster, lambda row: (self.represented(cluster, row),))
            tried += 1
        return cluster

    def represented(self, cluster: list[int], row: int) -> float:
        shares = 0.0
        for things in self.things:
            shares += sum(things[other] == things[row] for other in cluster) / things.count(things[row])
        return shares

    def run(self, first: int) -> list[list[int]]:
        found: list[list[int]] = []
        seed = first
        while (cluster := self.grow(seed)) is not None:
            found.append(cluster)
            if not self.left:
                break
            seed = max(self.left, key=lambda row: self.cost([*found[-1], row]))
        return found


def dispersed(run: Clustering, clusters: list[list[int]], left: list[int]) -> list[list[int]]:
    """Every record that is left joins the cluster whose total cost grows least by it."""
    clusters = [list(cluster) for cluster in clusters]
    for row in left:
        growths = [
            (len(cluster) + 1) * run.cost([*cluster, row]) - len(cluster) * run.cost(cluster) for cluster in clusters
        ]
        clusters[growths.index(min(growths))].append(row)
    return clusters
