"""Attackers of surveys: who knows something of the demographics and of the answers of a person.

:mod:`.known_answers` is the one. Attacks on ratings or on tables alone are run on the part that they are about.
"""
