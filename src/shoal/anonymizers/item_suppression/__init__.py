"""The method ``item-suppression``.

Read :mod:`.item_suppression`; it asks :mod:`.frequent_sets` which sets of items enough people hold.
"""

from .item_suppression import ItemSuppression

__all__ = ["ItemSuppression"]
