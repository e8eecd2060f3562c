"""Records that fit background knowledge: how many there are, which, and how well each of them fits.

Read :mod:`.matching_records` first; :mod:`.item_sets` and :mod:`.rarest_subsets` search for the knowledge that the
fewest records fit, :mod:`.smallest_rare_sets` for the few items by which a record is rare, and :mod:`.scoreboard` ranks
records where none fits exactly.
"""
