"""Whether labels and groups are as narrow as they can be, which some attacks conclude from."""

from typing import Final

from shoal.anonymizers import Decomposition, Lattice, Microaggregation, TopDown

from .exposure import Exposure

__all__ = ["cuts_in_order", "why_labels_are_not_narrow"]

_ONE_LEVEL: Final = "tells each column at one level for everybody, so a label may be wider than its group needs."
_MIDDLES: Final = "publishes means, medians and most common values, which are no labels of what is behind them."
_OTHERWISE: Final = {Lattice.name: _ONE_LEVEL, Decomposition.name: _ONE_LEVEL, Microaggregation.name: _MIDDLES}
"""What other methods do than to tell every group on its own, as exactly as the promises allow."""


def why_labels_are_not_narrow(exposure: Exposure) -> str | None:
    """Say in a sentence why the method that was used does not tell every group as exactly as it can; None if it may.

    Raw data are told as exactly as can be, and a method that is not known is supposed to do its best.
    """
    method = (exposure.method or "").partition(":")[0]
    return f"The method {method!r} {_OTHERWISE[method]}" if method in _OTHERWISE else None


def cuts_in_order(exposure: Exposure) -> bool:
    """Tell whether values without a hierarchy are cut in their order: ``*`` is then the range of all of them.

    ``top-down`` tells such values as they are or not at all. A method that is not known is taken for the usual one.
    """
    return (exposure.method or "").partition(":")[0] != TopDown.name
