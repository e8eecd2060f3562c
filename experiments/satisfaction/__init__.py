"""Whether ratings are (k,ε,l)-anonymous already, and what deciding it takes: paper 003 and chapter 7 of the thesis.

:mod:`._searches` has the ways to decide that are compared, :mod:`._sweeps` what is varied, and the data.
"""
