"""Strata of a sample in a table that is not in memory: each is recoded by itself, so that no group crosses them.

What is done, and why, is defined for tables in memory in :mod:`shoal.anonymizers.strata`: strata with too few people
are withheld as far as that is allowed, what may be withheld beyond is divided among the others, and groups are compared
with the records of all strata. :mod:`.division` divides a table. Strata are generalized (:mod:`.generalized`), or
recoded locally and put together again (:mod:`.put_together`); :mod:`.joined_labels` are those of all of them.
"""
