"""The method ``graph``: the proximity graph of the survey-rating papers, modified until it falls into cliques.

Read ``graph`` first, then ``clique_plan`` (who shall be in a clique with whom) and ``centroid_rules`` (how the papers
move the ratings of a clique).
"""

from .graph import Graph

__all__ = ["Graph"]
