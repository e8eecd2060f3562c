"""Measures of ratings alone: what became of each rating, of the items and of the people who rated alike.

Read :mod:`.changes` first (ratings kept, dropped and invented), then :mod:`.items` (means, popularity and histograms of
items), :mod:`.clustering` (clusters and the proximity graph), :mod:`.link_confidence` (how sure an attacker may be that
a person rated an item) and :mod:`.profile_ranks` (how well published profiles fit and rank for the people behind them).
"""
