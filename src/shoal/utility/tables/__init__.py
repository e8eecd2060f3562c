"""Measures of tables alone: how much information about quasi-identifiers and sensitive columns was lost.

Read :mod:`.generalization_loss` first (how general published labels are), then :mod:`.distributions` (counts of values)
and :mod:`.numbers` (errors, correlations and slopes of numeric columns); :mod:`.key_attributes` measures the originals.
"""
