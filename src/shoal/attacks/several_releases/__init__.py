"""Attackers who hold several releases about the same people and combine them.

Read ``intersection`` first: the candidates for a person's record are those who share the person's group in every
release. ``intersection-values`` then infers the sensitive value from what these groups have in common.
"""
