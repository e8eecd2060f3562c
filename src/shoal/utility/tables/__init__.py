"""Measures of tables alone: how much information about quasi-identifiers and sensitive columns was lost.

Read :mod:`.generalization_loss` first (how general published labels are), then :mod:`.distributions` (counts of
values), :mod:`.means` (means of numeric columns) and :mod:`.numbers` (errors, correlations and slopes of those);
:mod:`.key_attributes` measures the originals.
"""
