"""Attackers who know some or all of the items a person rated, and look for the record that agrees.

Read :mod:`.background_knowledge` first: how the known items of each target are drawn, and how they are perturbed. Then
:mod:`.matching`, the search that the attacks ``structure`` and ``label`` have in common; ``profile-homogeneity``, which
learns from what the candidates share (:mod:`.candidate_profiles`); ``scoreboard`` with the scores of
:mod:`.scored_candidates`; ``nearest``; and ``exact-knowledge``, which knows the whole record. Each attack is
registered by the module that bears its name.
"""
