"""Promises, settings, attacks and measures in sentences that need no study.

A promise, an attack or a measure of an installed package has none here; then its own summary is shown.
"""

from collections.abc import Mapping
from typing import Final

__all__ = ["ATTACKS", "ATTACK_SETTINGS", "MEASURES", "PROMISES", "SETTINGS"]

PROMISES: Final[Mapping[str, str]] = {
    "k-anonymity": "Whoever looks for you by what others may know finds at least k people who look exactly alike, and "
    "cannot tell which of them is you.",
    "k-epsilon": "At least k people gave nearly the same ratings as you, none further away than epsilon on any item. "
    "With l, what is sensitive about them differs widely, so that looking alike does not give it away.",
    "km-anonymity": "Whoever knows up to m of the things you rated or bought finds at least k people who have all of "
    "them.",
    "b-l-diversity": "Whoever knows up to b of the things you rated finds at least l different profiles that fit.",
    "l-diversity": "Among the people who look like you there are at least l different values of what is sensitive, so "
    "that finding your group does not tell yours.",
    "t-closeness": "What is sensitive is spread among the people who look like you as it is among everybody, up to a "
    "distance of t. Finding your group tells hardly anything new.",
    "p-sensitive": "Among the people who look like you there are at least p different values of what is sensitive, and "
    "at least k people.",
    "p-plus-sensitive": "Among the people who look like you there are values of at least p different categories of "
    "what is sensitive: two names of one illness count once.",
    "p-alpha-sensitive": "Among the people who look like you there are at least p different values of what is "
    "sensitive, which together weigh at least alpha: rare values count for more.",
    "p-plus-alpha-sensitive": "Among the people who look like you there are values of at least p categories of what is "
    "sensitive, which together weigh at least alpha.",
}
"""What each promise means to a person in the data."""

SETTINGS: Final[Mapping[str, tuple[str, str]]] = {
    "k": ("How many people look alike (k)", "At least 2. With 5, a guess is right one time in five at best."),
    "m": ("How many items an attacker knows (m)", "Such as 2."),
    "b": ("How many items an attacker knows (b)", "Such as 2."),
    "l": ("How different what is sensitive must be (l)", "The larger, the stronger the promise."),
    "p": ("How many different sensitive values (p)", "At least 2."),
    "t": ("Largest distance (t)", "Between 0 and 1; the smaller, the stronger the promise. Such as 0.2."),
    "c": ("How much the most frequent value may prevail (c)", "Only for the kind “recursive”. Such as 2."),
    "alpha": ("Least weight (alpha)", "Such as 1."),
    "epsilon": (
        "Largest difference on an item (epsilon)",
        "In points of the scale; 0 means equal. The smaller, the stronger the promise.",
    ),
    "semantics": (
        "Who has to be near",
        "neighborhood: everybody has k − 1 others near; partition: everybody is in a group in which all are near.",
    ),
    "spread": ("How missing ratings count in l", "Only with l."),
    "all_null": ("Groups in which nobody gave a sensitive rating", "Only with l."),
    "part": ("Of which part of the survey", "Left open, of answers and demographics together."),
    "kind": (
        "How values are counted",
        "distinct: different values; entropy: values that are about equally frequent; recursive: no value prevails.",
    ),
    "distance": (
        "How far apart two values are",
        "equal: all alike; ordered: as numbers; hierarchical: by their hierarchy.",
    ),
    "levels": (
        "Levels that you choose yourself",
        "One for each column that others may know, such as age:1;zip:2; 0 is as it is. Left empty, the best are found.",
    ),
    "time": ("Longest time, in seconds", "The method stops improving then."),
}
"""What settings are called, and what to write."""

ATTACKS: Final[Mapping[str, str]] = {
    "risk": "Knows everything that others may know of a person, and looks for records that fit",
    "risky-columns": "Knows the few columns that single out most people",
    "homogeneity": "Finds the records that fit a person, and takes the most frequent sensitive value among them",
    "skewness": "Finds the records that fit a person, and learns how likely each sensitive value is",
    "similarity": "Finds the records that fit a person, and learns roughly what the sensitive value is",
    "linkability": "Has two lists about the same people, and links them through the data",
    "downcoding": "Tries to undo the generalization",
    "minimality": "Knows how the method works, and reasons backward from what it did",
    "sample-risk": "Looks a record up in the population that the data were drawn from",
    "exact-knowledge": "Knows all ratings of a person",
    "label": "Knows a few ratings of a person",
    "nearest": "Knows the ratings of a person roughly, and picks the nearest record",
    "profile-homogeneity": "Knows a few items of a person, and learns what all matching records have in common",
    "rare-rater": "Knows that a person rated something that hardly anybody rated",
    "rare-rating": "Knows that a person rated something rare, and reads how",
    "scoreboard": "Knows a few ratings roughly, and scores every record by them",
    "single-rater": "Knows which profile stands for a person, and reads their ratings in it",
    "structure": "Knows which items a person rated, but not how",
    "unicity": "Knows the few items of a person that fewest others share",
    "known-answers": "Knows some demographics and some answers of a person",
}
"""What each attacker knows and does."""

ATTACK_SETTINGS: Final[Mapping[str, str]] = {
    "tolerance=0": "exactly",
    "tolerance": "to within {}",
    "error=0": "exactly",
    "error": "to within {}",
    "items=all": "all of them",
    "items": "{} of them",
    "learns=profile": "learns all ratings",
    "learns=rating": "learns one rating",
    "by=items": "by which items they are",
    "by=ratings": "by how they are rated",
    "model=prosecutor": "looks for one person",
    "model=marketer": "looks for as many people as possible",
    "model=journalist": "looks for anybody in a population",
    "of": "of {}",
    "neighbors": "looks at {} nearest records",
    "fewest": "rated by at most {}",
    "most": "at most {}",
}
"""What settings of attacks mean, by name, or by name and value; shown where they tell two attackers apart."""

MEASURES: Final[Mapping[str, tuple[str, bool]]] = {
    "cells kept": ("Values that are published exactly as they were", True),
    "ratings kept": ("Ratings that are still there, changed or not", True),
    "ratings covered": ("Ratings in whose place something is published, even if only a prediction", True),
    "loss-mean": ("How much less exact values are: 0 % as they were, 100 % nothing told", False),
    "rating loss": ("How far ratings moved, as a share of the scale; a dropped one counts as 100 %", False),
    "normalized certainty penalty": ("How wide published ranges are, as a share of the whole range", False),
    "precision": ("How low in their hierarchies values stayed: 100 % as they were", True),
    "entropy loss": ("How much of the information in what others may know is gone", False),
    "attribute distribution distance": ("How far the shares of values moved, column by column", False),
    "original and unique": ("Records that are published unchanged and look like nobody else", False),
}
"""Measures that are shares: what each says, and whether more is better."""
