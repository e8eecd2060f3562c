"""The tables of the papers by name."""

from collections.abc import Callable, Mapping
from typing import Final

from shoal.data import Microdata, Ratings
from shoal.errors import WordingError

from . import paper_ratings, review_graph, thesis_tables

__all__ = ["TABLES", "load"]

TABLES: Final[Mapping[str, Callable[[], Ratings | Microdata]]] = {
    "survey-ratings-1": paper_ratings.survey_ratings_1,
    "survey-ratings-2": paper_ratings.survey_ratings_2,
    "survey-ratings-3": paper_ratings.survey_ratings_3,
    "interval-ratings-1": paper_ratings.interval_ratings_1,
    "interval-ratings-2": paper_ratings.interval_ratings_2,
    "interval-ratings-3": paper_ratings.interval_ratings_3,
    "review-graph-1a": review_graph.review_graph_1a,
    "review-graph-1b": review_graph.review_graph_1b,
    "thesis-2.1": thesis_tables.thesis_2_1,
    "thesis-2.2": thesis_tables.thesis_2_2,
    "thesis-2.8": thesis_tables.thesis_2_8,
    "thesis-3.1": thesis_tables.thesis_3_1,
    "thesis-3.2": thesis_tables.thesis_3_2,
    "thesis-3.4": thesis_tables.thesis_3_4,
    "thesis-3.5": thesis_tables.thesis_3_5,
    "thesis-3.6": thesis_tables.thesis_3_6,
    "thesis-4.1a": thesis_tables.thesis_4_1a,
    "thesis-4.1b": thesis_tables.thesis_4_1b,
    "thesis-4.1c": thesis_tables.thesis_4_1c,
    "thesis-5.1": thesis_tables.thesis_5_1,
    "thesis-5.2": thesis_tables.thesis_5_2,
    "thesis-6.1": paper_ratings.survey_ratings_1,
    "thesis-6.2": paper_ratings.survey_ratings_2,
    "thesis-6.3": paper_ratings.survey_ratings_3,
    "thesis-7.1": paper_ratings.survey_ratings_2,
}
"""Every table of the papers and the function that returns it."""


def load(name: str) -> Ratings | Microdata:
    """Return a table of the papers."""
    if name not in TABLES:
        raise WordingError(f"There is no data set {name!r}.", f"Known are: {', '.join(TABLES)}.")
    return TABLES[name]()
