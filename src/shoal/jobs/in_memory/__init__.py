"""Releases without folders: a frame in, a frame out, by the same road.

:mod:`.release` is what leaves and :mod:`.owner_ledger` what stays; :mod:`.anonymize` makes both.
"""
