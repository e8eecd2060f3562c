"""The error of random COUNT queries of several widths on a release: as we measure it and as the paper does."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from experiments.experiment import Row
from experiments.recoded import Recoded
from shoal.utility import Queries

__all__ = ["ERROR", "PAPERS_ERROR", "QUERIES", "WIDE", "WIDTHS", "query_errors"]

ERROR = "average query error"
PAPERS_ERROR = "error, of the answer alone"
"""Divided by the actual answer; queries whose answer is 0 have none, and are left out."""
WIDTHS = (1, 2, 3)
WIDE = {"width": 3}
"""The width that is shown and judged, unless said otherwise."""
QUERIES = (
    "100 random queries, as in the paper, of the given number of movies (3 unless said) and the income, which would "
    "select 10 % of the users if ratings and nulls were spread evenly; the paper says neither how many movies nor "
    "which selectivity it took. It also speaks of queries of the average rating, and the thesis of nothing else; the "
    "query that the paper prints counts, and so do ours. We divide the error by the actual answer or by a thousandth "
    "of the users, if that is more; the paper by the answer alone, which is not defined where the answer is 0: such "
    "queries are left out of the second panel."
)


def query_errors(made: Recoded, widths: Iterable[int]) -> Iterator[Row]:
    """Yield the errors of queries of each width."""
    kept = made.measured("ratings kept")
    for width in widths:
        bounded, alone = (
            made.asked(queries=queries).measured(ERROR)[ERROR]
            for queries in (Queries(width=width), Queries(width=width, sanity=Fraction(0)))
        )
        yield {"width": width, ERROR: bounded, PAPERS_ERROR: alone, **kept}
