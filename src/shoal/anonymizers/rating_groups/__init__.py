"""What the methods for ratings share: what promises demand of groups, and the cheapest way to make a group alike.

Read ``rating_costs`` first (:class:`.RatingCosts`: the price of moving, inventing and dropping a rating), then
``aligned_groups``, which brings the ratings of a group within the radius at least cost.
"""

from .rating_costs import GroupDemand, RatingCosts

__all__ = ["GroupDemand", "RatingCosts"]
