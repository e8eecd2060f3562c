"""Measures on ratings and tables alike: how many cells and records were published unchanged, and how far others moved.

Read :mod:`.kept` first (cells and records kept or withheld, and records that are still unique), then
:mod:`.distortion` (how far cells are from their originals).
"""
