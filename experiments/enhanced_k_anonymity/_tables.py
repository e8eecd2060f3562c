"""The two tables of chapter 3 of the thesis, and its three models."""

import numpy as np
import polars as pl

from experiments.data import ADULT, CENSUS, load
from experiments.data.tables import with_roles
from experiments.experiment import Size
from shoal.data import Column, Microdata, Role

__all__ = ["ABOUT_ADULT", "ABOUT_CENSUS", "MODELS", "adult", "census", "promised"]

ATTRIBUTES = ("age", "workclass", "education", "native-country", "marital-status", "race", "sex")
"""The quasi-identifiers of Adult, in the order of Table 3.7."""
CONDITIONS = (("HIV", "Cancer"), ("Phthisis", "Hepatitis"), ("Obesity", "Asthma"), ("Flu", "Indigestion"))
"""Table 3.3: the most sensitive category first."""
MODELS = ("Model 1: p-sensitive", "Model 2: p⁺-sensitive", "Model 3: (p,α)-sensitive")
_DEGREES = (
    (
        *("Children", "Less than 1st grade", "1st 2nd 3rd or 4th grade", "5th or 6th grade", "7th and 8th grade"),
        *("9th grade", "10th grade", "11th grade", "12th grade no diploma", "education 0"),
    ),
    ("High school graduate", "education 1"),
    (
        *("Some college but no degree", "Associates degree-occup /vocational"),
        *("Associates degree-academic program", "education 2"),
    ),
    (
        *("Bachelors degree(BA AB BS)", "Masters degree(MA MS MEng MEd MSW MBA)"),
        *("Prof school degree (MD DDS DVM LLB JD)", "Doctorate degree(PhD EdD)", "education 3"),
    ),
)
"""Four categories of education, the lowest first, as Table 3.9 has of income; generated data have the last of each."""
_YOUNGEST = 16

ABOUT_ADULT = (
    "Each record gets one of eight health conditions at random, of four categories, as in the thesis; another seed "
    "is another draw. Hierarchies have as many levels as those of its Table 3.7, but for race (two here, three "
    "there)."
)
ABOUT_CENSUS = (
    "Of Census-Income those aged 16 and more (224,036), as the thesis has them from 16 to 93; its quasi-identifiers"
    " age, place of birth and occupation, and education in place of income as the sensitive attribute, whose 16 "
    "values are of four categories (the income of Census-Income has two values)."
)


def promised(model: str, k: int, p: int, alpha: int) -> list[str]:
    """Return the promises of a model."""
    values = {
        MODELS[0]: f"p-sensitive:p={p}",
        MODELS[1]: f"p-plus-sensitive:p={p}",
        MODELS[2]: f"p-alpha-sensitive:p={p},alpha={alpha}",
    }
    return [f"k-anonymity:k={k}", values[model]]


def adult(size: Size, records: int | None, attributes: int = 7, seed: int = 0) -> Microdata:
    """Return Adult with the first attributes of Table 3.7 and a health condition that is drawn by the seed."""
    table = with_roles(load(ADULT, size, records), ATTRIBUTES[:attributes])
    names = [name for category in CONDITIONS for name in category]
    drawn = np.random.default_rng(seed).integers(0, len(names), len(table))
    condition = Column.encode("condition", Role.SENSITIVE, pl.Series([names[i] for i in drawn]), CONDITIONS)
    return Microdata((*table.columns, condition))


def census(size: Size, records: int | None) -> Microdata:
    """Return age, place of birth and occupation of the adults of Census-Income, and their education as sensitive."""
    whole = load(CENSUS, size)
    assert isinstance(whole, Microdata)
    rows = np.flatnonzero(whole["age"].vocabulary.numbers[whole["age"].codes] >= _YOUNGEST)
    if records is not None and records < len(rows):
        rows = np.sort(np.random.default_rng(0).choice(rows, records, replace=False))
    table = with_roles(whole.take(rows), ("age", "birthplace", "occupation"))
    education = Column.encode("education", Role.SENSITIVE, whole["education"].values.gather(rows), _DEGREES)
    return Microdata((*table.columns, education))
