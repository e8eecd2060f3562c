"""The experiments of the five papers, repeated on real data: ours beside theirs.

``python -m experiments`` runs them (see :mod:`.__main__`). Read :mod:`.experiment` first: what an experiment is. Each
folder holds those of one part of the papers, one file an experiment, named by what it asks. :mod:`.catalog` finds them,
:mod:`.run` measures them point by point, :mod:`.results` keeps what was measured, and :mod:`.figure` and :mod:`.pages`
show it. :mod:`.data` has the data sets of the papers, :mod:`.recoded` measures what a method made of them, and
:mod:`.claims` decides what was claimed, from a :mod:`.series` of means.

``benchmarks/`` measures how fast Shoal is; here it is asked whether the papers are right.
"""
