"""The method ``item-generalization``.

Read :mod:`.item_generalization`; :mod:`.item_cut` is the cut through the hierarchy of items that it raises and lowers.
"""

from .item_generalization import ItemGeneralization

__all__ = ["ItemGeneralization"]
