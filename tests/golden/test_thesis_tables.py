"""The examples of chapters 2 and 3 of the thesis, recomputed and copied here."""

from collections import Counter
from fractions import Fraction

import polars as pl
import pytest

from shoal.data import Column, Hierarchy, Microdata, Role, Vocabulary
from shoal.datasets.papers import thesis_tables
from shoal.engines import LocalEngine, judge
from shoal.models import KAnonymity, LDiversity, PAlphaSensitive, PPlusAlphaSensitive, PPlusSensitive, PSensitive


def table(**columns: list) -> Microdata:
    """A table of quasi-identifiers; a column named disease or salary is sensitive."""
    return Microdata(
        tuple(
            Column.encode(
                name,
                Role.SENSITIVE if name in ("disease", "salary") else Role.QUASI_IDENTIFIER,
                pl.Series(values),
            )
            for name, values in columns.items()
        )
    )


def level(records: Microdata) -> dict:
    models = [KAnonymity(2), *([LDiversity(2)] if records.has_sensitive else [])]
    published: dict = {}
    for verdict in judge(records, models, LocalEngine()).verdicts:
        published |= verdict.level
    return published


def test_two_records_in_one_hash_bucket_are_two_groups():
    """Age and zip code add up to the same hash; the thesis would count a bucket of two, and publish."""
    records = table(age=[22, 26], zip=[4352, 4348])
    assert len({(age - 20 + code - 4350) % 4 for age, code in [(22, 4352), (26, 4348)]}) == 1
    assert level(records) == {"k": 1}


def test_the_hash_table_of_table_2_3_is_1_anonymous():
    assert level(table(age=[22, 25, 25, 34, 28, 28], zip=[4352, 4370, 4370, 4350, 4373, 4373])) == {"k": 1}


@pytest.mark.parametrize(
    ("node", "k"), [((0, 0), 1), ((0, 1), 1), ((0, 2), 3), ((1, 0), 1), ((1, 1), 2), ((1, 2), 6)], ids=str
)
def test_the_lattice_of_gender_and_zip_code_has_these_k(node, k):
    records = table(gender=["Male"] * 3 + ["Female"] * 3, zip=["4370", "4370", "4352", "4373", "4373", "4350"])
    gender, code = records.columns
    levels = (
        Hierarchy.from_columns([gender.vocabulary.values, pl.Series(["person"] * 2)]),
        Hierarchy.from_masks(code.vocabulary),
    )
    recoded = tuple(
        column.recoded(hierarchy.labels[height], hierarchy.generalized(column.codes, height))
        for column, hierarchy, height in zip((gender, code), levels, node, strict=True)
    )
    assert level(records.replaced(recoded)) == {"k": k}


def test_table_2_8_generalized_once_has_these_classes():
    records = table(
        age=[17, 19, 20, 24, 29, 34, 39, 45],
        zip=[12, 13, 14, 16, 21, 24, 36, 39],
        salary=[1000, 1010, 1020, 50000, 16000, 24000, 33000, 31000],
    )
    ages = {17: "[17, 24]", 19: "[17, 24]", 20: "[17, 24]", 24: "[17, 24]", 29: "[29, 34]", 34: "[29, 34]"}
    codes = {12: "[12, 16]", 13: "[12, 16]", 14: "[12, 16]", 16: "[12, 16]", 21: "[21, 24]", 24: "[21, 24]"}
    recoded = []
    for column, labels, rest in ((records["age"], ages, "[39, 45]"), (records["zip"], codes, "[36, 39]")):
        vocabulary, published = Vocabulary.encode(pl.Series([labels.get(value, rest) for value in column.values]))
        recoded.append(column.recoded(vocabulary, published))
    general = records.replaced(tuple(recoded))
    engine = LocalEngine()
    counts = engine.count(general, engine.group(general), sensitive=True)
    assert counts.sizes.tolist() == [4, 2, 2]
    assert counts.sensitive[0].n_distinct.tolist() == [4, 2, 2]
    assert judge(general, [KAnonymity(2), LDiversity(2)], engine).holds


@pytest.mark.parametrize(
    ("groups", "k", "p"),
    [
        (["HIV HIV Cancer Cancer", "Hepatitis Phthisis Asthma Obesity", "Flu Flu Flu Indigestion"], 4, 2),
        (["HIV Cancer Flu Indigestion", "Hepatitis Phthisis Asthma Obesity", "HIV Cancer Flu Flu"], 4, 3),
        (["HIV HIV Cancer Flu", "Hepatitis Phthisis Asthma Obesity", "Cancer Flu Flu Indigestion"], 4, 3),
    ],
    ids=["Table 3.2", "Table 3.4", "Table 3.5"],
)
def test_the_releases_of_chapter_3_reach_these_levels(groups, k, p):
    """p-sensitivity is distinct l-diversity under another name."""
    diseases = [disease for group in groups for disease in group.split()]
    assert Counter(diseases).total() == 12
    assert level(table(group=[0] * 4 + [1] * 4 + [2] * 4, disease=diseases)) == {"k": k, "l": p}


@pytest.mark.parametrize(
    ("release", "k", "p", "p_plus", "alpha"),
    [("thesis_3_2", 4, 2, 1, 0), ("thesis_3_4", 4, 3, 2, 2), ("thesis_3_5", 4, 3, 2, 1)],
)
def test_the_releases_of_chapter_3_are_sensitive_to_these_levels(release, k, p, p_plus, alpha):
    records = getattr(thesis_tables, release)()
    weight = Fraction(1)
    models = [
        PSensitive(2, 4),
        PPlusSensitive(2, 4),
        PAlphaSensitive(2, 4, alpha=weight),
        PPlusAlphaSensitive(2, 4, alpha=weight),
    ]
    judgment = judge(records, models, LocalEngine())
    assert [dict(verdict.level) for verdict in judgment.verdicts] == [
        {"p": p, "k": k},
        {"p": p_plus, "k": k},
        {"p": p, "k": k, "alpha": alpha},
        {"p": p_plus, "k": k, "alpha": alpha},
    ]
    assert [verdict.holds for verdict in judgment.verdicts] == [True, p_plus > 1, alpha > 0, alpha > 0]
