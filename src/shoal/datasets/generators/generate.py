"""Synthetic data of any size, from a seed.

The same seed and sizes give the same data, whatever the memory or the number of cores; only a version of NumPy that
draws its numbers otherwise would change them.
"""

from shoal.data import Microdata, Ratings, Scale, Survey

from .basket_model import BasketModel
from .rating_model import RatingModel
from .sample_model import SampleModel
from .survey_model import SurveyModel
from .table_model import TableModel

__all__ = [
    "generate_baskets",
    "generate_customers",
    "generate_demographics",
    "generate_ratings",
    "generate_sample",
    "generate_survey",
    "generate_table",
]


def generate_baskets(
    people: int, items: int, purchases: int, seed: int, *, exponent: float = 1.0, hierarchy: bool = False
) -> Ratings:
    """Return sets of items, exactly ``purchases`` in all, of items whose popularity follows Zipf's law.

    See :class:`BasketModel` for the laws they follow.
    """
    return BasketModel.draw(people, items, purchases, seed, exponent=exponent, hierarchy=hierarchy).records()


def generate_customers(
    people: int, items: int, purchases: int, seed: int, *, exponent: float = 1.0, hierarchy: bool = False
) -> Survey:
    """Return the same sets of items together with the age, sex, town, education and income of those who have them.

    See :class:`BasketModel` for how they depend on each other.
    """
    settings = {"exponent": exponent, "hierarchy": hierarchy, "demographics": True}
    return BasketModel.draw(people, items, purchases, seed, **settings).survey()


def generate_ratings(
    users: int,
    items: int,
    ratings: int,
    seed: int,
    scale: Scale | None = None,
    *,
    activity: float = 1.25,
    popularity: float = 2.6,
) -> Ratings:
    """Return exactly ``ratings`` ratings, from 1 to 5 by default, heavy-tailed in users and items.

    See :class:`RatingModel` for the laws they follow.
    """
    return RatingModel.draw(users, items, ratings, seed, scale, activity=activity, popularity=popularity).records()


def generate_survey(
    respondents: int, issues: int, sensitive: int, seed: int, nulls: float = 0.05, scale: Scale | None = None
) -> Ratings:
    """Return a dense survey of many similar respondents in which the last issues are sensitive.

    See :class:`SurveyModel` for the laws it follows.
    """
    return SurveyModel.draw(respondents, issues, sensitive, seed, nulls, scale).records()


def generate_demographics(
    respondents: int, issues: int, sensitive: int, seed: int, nulls: float = 0.05, scale: Scale | None = None
) -> Survey:
    """Return the same survey together with the age, sex, town, education and income of its respondents.

    See :class:`DemographicsModel` for how answers depend on them.
    """
    return SurveyModel.draw(respondents, issues, sensitive, seed, nulls, scale, demographics=True).survey()


def generate_table(rows: int, seed: int) -> Microdata:
    """Return a table of people with eight quasi-identifiers, their hierarchies and a sensitive class of salary.

    See :class:`TableModel` for the laws it follows.
    """
    return TableModel.draw(rows, seed).records()


def generate_sample(rows: int, sample: int, strata: int, seed: int) -> Microdata:
    """Return a stratified sample of households, with weights, of a generated table of ``rows`` people.

    See :class:`SampleModel` for how it is drawn.
    """
    return SampleModel.draw(rows, sample, strata, seed).records()
