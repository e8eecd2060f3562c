"""Attackers who find a person's equivalence class and infer the sensitive value from those of its records.

This is attribute disclosure: nobody's record need be re-identified. Read :mod:`.value_inference` first: who the
candidates are and how their values are counted. Then ``homogeneity`` (the most frequent value), ``similarity`` (its
category) and ``skewness`` (the distribution).
"""
