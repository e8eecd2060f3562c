"""The methods that Figures 3.4 and 3.5 compare, and the promises that each keeps."""

from experiments.recoded import Recoded, recoded
from shoal.data import Microdata

from ._tables import MODELS, promised

__all__ = ["ABOUT_METHODS", "CLUSTERING", "LOCAL", "METHODS", "published"]

LOCAL = ("localpk2", "localpk3")
CLUSTERING = ("Clustering", "Clustering, sparing")
_TOP_DOWN = "top-down:numbers=hierarchy,search=0"
_OF = {
    "localpk2": (_TOP_DOWN, MODELS[1]),
    "localpk3": (_TOP_DOWN, MODELS[2]),
    "Clustering": ("greedy-clustering", MODELS[0]),
    "Clustering, sparing": ("greedy-clustering:fill=sparing", MODELS[0]),
}
METHODS = tuple(_OF)
ABOUT_METHODS = (
    f"*localpk2* and *localpk3* are the algorithm of the thesis, `{_TOP_DOWN}`, for Models 2 and 3; *Clustering* is "
    "`greedy-clustering` for Model 1, which is what it was made for, and *sparing* fills clusters without new "
    "sensitive values where it can. The thesis does not say which algorithm of the paper that it cites is meant."
)


def published(table: Microdata, method: str, k: int, alpha: int) -> Recoded:
    """Publish the table by one of the methods, with p = 2."""
    wording, model = _OF[method]
    return recoded(table, promised(model, k, 2, alpha), wording)
