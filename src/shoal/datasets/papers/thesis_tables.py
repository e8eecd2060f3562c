"""The tables of Sun, *Privacy preserving data sharing in data mining environment* (PhD thesis, 2010), chapters 2 to 5.

The tables of chapters 6 and 7 are those of :mod:`shoal.datasets.papers.paper_ratings`.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl

from shoal.data import Column, Hierarchy, Microdata, Role, Vocabulary

__all__ = [
    "DISEASE_CATEGORIES",
    "Levels",
    "microdata_of",
    "thesis_2_1",
    "thesis_2_2",
    "thesis_2_8",
    "thesis_3_1",
    "thesis_3_2",
    "thesis_3_4",
    "thesis_3_5",
    "thesis_3_6",
    "thesis_4_1a",
    "thesis_4_1b",
    "thesis_4_1c",
    "thesis_5_1",
    "thesis_5_2",
]


Levels = Mapping[str | int, Sequence[str]] | str
"""The labels of each value from level 1 to the root; or ``mask``, or ``root`` for a root and nothing in between."""


def microdata_of(
    header: Mapping[str, Role],
    rows: Sequence[Sequence[str | int]],
    levels: Mapping[str, Levels] | None = None,
    categories: Mapping[str, tuple[tuple[str, ...], ...]] | None = None,
) -> Microdata:
    """Return the rows under their header, with the hierarchies and categories of some columns."""
    columns = []
    for at, (name, role) in enumerate(header.items()):
        values = pl.Series([row[at] for row in rows])
        column = Column.encode(name, role, values, (categories or {}).get(name, ()))
        if levels and name in levels:
            column = column.with_hierarchy(_hierarchy(column.vocabulary, levels[name]))
        columns.append(column)
    return Microdata(tuple(columns))


def _hierarchy(vocabulary: Vocabulary, levels: Levels) -> Hierarchy:
    if levels == "mask":
        return Hierarchy.from_masks(vocabulary)
    if isinstance(levels, str):
        return Hierarchy.from_columns([vocabulary.values, pl.Series(["*"] * len(vocabulary))])
    above = zip(*(levels[value] for value in vocabulary.values), strict=True)
    return Hierarchy.from_columns([vocabulary.values, *(pl.Series(labels) for labels in above)])


DISEASE_CATEGORIES: Final = (
    ("HIV", "Cancer"),
    ("Phthisis", "Hepatitis"),
    ("Obesity", "Asthma"),
    ("Flu", "Indigestion"),
)
"""Table 3.3: from top secret to not secret."""

_ID, _QI, _SENSITIVE = Role.IDENTIFIER, Role.QUASI_IDENTIFIER, Role.SENSITIVE
_CHAPTER_2: Final = {"Gender": _QI, "Age": _QI, "Zip": _QI, "Disease": _SENSITIVE}
_CHAPTER_3: Final = {"Age": _QI, "Country": _QI, "Zip Code": _QI, "Disease": _SENSITIVE}
_CHAPTER_4: Final = {"Gender": _QI, "Age": _QI, "Postcode": _QI}


def thesis_2_1() -> Microdata:
    """Return Table 2.1: six patients, of whom single ones stand out by gender, age and zip code.

    Hierarchies as Example 2.1 and Figure 2.1 have them: zip codes lose one digit, then two, and ages become two
    intervals, then one.
    """
    rows = (
        ("Male", 25, "4370", "Cancer"),
        ("Male", 25, "4370", "Cancer"),
        ("Male", 22, "4352", "Cancer"),
        ("Female", 28, "4373", "Chest Pain"),
        ("Female", 28, "4373", "Obesity"),
        ("Female", 34, "4350", "Flu"),
    )
    zips: Levels = {code: (code[:3] + "*", "43**") for code in ("4350", "4352", "4370", "4373")}
    ages: Levels = {age: ("[22-25]" if age < 26 else "[28-34]", "[22-34]") for age in (22, 25, 28, 34)}
    return microdata_of(_CHAPTER_2, rows, {"Gender": "root", "Age": ages, "Zip": zips})


def thesis_2_2() -> Microdata:
    """Return Table 2.2: Table 2.1 as published, 3-anonymous; all the men have the same disease."""
    rows = [("Male", "[22-25]", "43**", "Cancer")] * 3
    rows += [("Female", "[28-34]", "43**", disease) for disease in ("Chest Pain", "Obesity", "Flu")]
    return microdata_of(_CHAPTER_2, rows)


def thesis_2_8() -> Microdata:
    """Return Table 2.8: eight people with their salaries.

    The hierarchies are those that Table 2.10 shows. That table prints the first zip interval as [12K-21K], which
    overlaps the second; it must be [12K-16K].
    """
    rows = (
        *((17, "12K", 1000), (19, "13K", 1010), (20, "14K", 1020), (24, "16K", 50000)),
        *((29, "21K", 16000), (34, "24K", 24000), (39, "36K", 33000), (45, "39K", 31000)),
    )
    ages: Levels = {**_alike("[17-24]", 17, 19, 20, 24), **_alike("[29-34]", 29, 34), **_alike("[39-45]", 39, 45)}
    zips: Levels = {
        **_alike("[12K-16K]", "12K", "13K", "14K", "16K"),
        **_alike("[21K-24K]", "21K", "24K"),
        **_alike("[36K-39K]", "36K", "39K"),
    }
    return microdata_of({"Age": _QI, "Zip": _QI, "Salary": _SENSITIVE}, rows, {"Age": ages, "Zip": zips})


def thesis_3_1() -> Microdata:
    """Return Table 3.1: twelve patients, whose diseases fall into the categories of Table 3.3.

    Hierarchies as Tables 3.2, 3.4 and 3.5 use them. Record 4 has the zip code 14249 here and 14247 in Table 3.6(a);
    both keep Table 3.4 valid.
    """
    rows = (
        (1, 27, "USA", "14248", "HIV"),
        (2, 28, "Canada", "14207", "HIV"),
        (3, 26, "USA", "14206", "Cancer"),
        (4, 25, "Canada", "14249", "Cancer"),
        (5, 41, "China", "13053", "Hepatitis"),
        (6, 48, "Japan", "13074", "Phthisis"),
        (7, 45, "India", "13064", "Asthma"),
        (8, 42, "India", "13062", "Obesity"),
        (9, 33, "USA", "14248", "Flu"),
        (10, 37, "Canada", "14204", "Flu"),
        (11, 36, "Canada", "14205", "Flu"),
        (12, 35, "USA", "14248", "Indigestion"),
    )
    ages: Levels = {row[1]: _age_labels(row[1]) for row in rows}
    countries: Levels = {**_alike("America", "USA", "Canada"), **_alike("Asia", "China", "Japan", "India")}
    levels = {"Age": ages, "Country": countries, "Zip Code": "mask"}
    return microdata_of({"ID": _ID, **_CHAPTER_3}, rows, levels, {"Disease": DISEASE_CATEGORIES})


def thesis_3_2() -> Microdata:
    """Return Table 3.2: Table 3.1 as published, 2-sensitive and 4-anonymous; one group is top secret throughout."""
    diseases = "HIV HIV Cancer Cancer Hepatitis Phthisis Asthma Obesity Flu Flu Flu Indigestion"
    return _published([("<30", "America", "142**"), (">40", "Asia", "130**"), ("3*", "America", "142**")], diseases)


def thesis_3_4() -> Microdata:
    """Return Table 3.4: another release of Table 3.1, 2⁺-sensitive and 4-anonymous."""
    diseases = "HIV Cancer Flu Indigestion Hepatitis Phthisis Asthma Obesity HIV Cancer Flu Flu"
    return _published([("<40", "America", "1424*"), (">40", "Asia", "130**"), ("<40", "America", "1420*")], diseases)


def thesis_3_5() -> Microdata:
    """Return Table 3.5: another release of Table 3.1, (3,1)-sensitive and 4-anonymous.

    Its first group is published as 142** and its last as 14***, which is wider and holds the first.
    """
    diseases = "HIV HIV Cancer Flu Hepatitis Phthisis Asthma Obesity Cancer Flu Flu Indigestion"
    return _published([("<40", "America", "142**"), (">40", "Asia", "130**"), ("<40", "America", "14***")], diseases)


def thesis_3_6() -> Microdata:
    """Return Table 3.6(a), projected on the zip code as in (b): the example of top-down local recoding.

    The text speaks of two sensitive values; there are four. Record 4 has the zip code 14247, and 14249 in Table 3.1.
    """
    rows = (("14248", "HIV"), ("14248", "Indigestion"), ("14248", "Flu"), ("14247", "Cancer"))
    header = {"Zip Code": _QI, "Disease": _SENSITIVE}
    return microdata_of(header, rows, {"Zip Code": "mask"}, {"Disease": DISEASE_CATEGORIES})


def thesis_4_1a() -> Microdata:
    """Return Table 4.1(a): six people by gender, age and postcode; nothing is sensitive.

    Gender and postcode have the hierarchies of Figure 4.2. That of age, of which the text gives only the height of
    three levels, is ours.
    """
    return microdata_of(_CHAPTER_4, _PEOPLE, _PEOPLE_LEVELS)


def thesis_4_1b() -> Microdata:
    """Return Table 4.1(b): Table 4.1(a) made 2-anonymous by local recoding."""
    rows = [("*", age, "435*") if age == "young" else (gender, age, code) for gender, age, code in _PEOPLE]
    return microdata_of(_CHAPTER_4, rows)


def thesis_4_1c() -> Microdata:
    """Return Table 4.1(c): Table 4.1(a) made 2-anonymous by global recoding."""
    return microdata_of(_CHAPTER_4, [("*", age, "435*") for _, age, _ in _PEOPLE])


def thesis_5_1() -> Microdata:
    """Return Table 5.1: twelve records of six binary attributes.

    The text's dependency tree of it takes the edge A2-A5 in place of the cheaper A3-A5; the table itself is right.
    """
    bits = (0b000111, 0b011010, 0b110100, 0b001111, 0b011100, 0b001001, 0b111001, 0b011000, 0b111011)
    bits += (0b011101, 0b011100, 0b111111)
    rows = [(f"r{number}", *map(int, f"{line:06b}")) for number, line in enumerate(bits, start=1)]
    return microdata_of({"ID": _ID, **{f"A{number}": _QI for number in range(1, 7)}}, rows)


def thesis_5_2() -> Microdata:
    """Return Table 5.2: the people of Table 4.1(a), each with a sensitive problem."""
    rows = [(*person, ("stress", "obesity")[number % 2]) for number, person in enumerate(_PEOPLE)]
    return microdata_of({**_CHAPTER_4, "Problem": _SENSITIVE}, rows, _PEOPLE_LEVELS)


_PEOPLE: Final = (
    ("male", "middle", "4350"),
    ("male", "middle", "4350"),
    ("male", "young", "4351"),
    ("female", "young", "4352"),
    ("female", "old", "4353"),
    ("female", "old", "4353"),
)
_PEOPLE_LEVELS: Final[dict[str, Levels]] = {
    "Gender": "root",
    "Age": {"young": ("not old", "*"), "middle": ("not old", "*"), "old": ("old", "*")},
    "Postcode": "mask",
}


def _alike(label: str, *values: str | int) -> dict[str | int, tuple[str, str]]:
    """Return the levels of values that share one label, then the root."""
    return dict.fromkeys(values, (label, "*"))


def _age_labels(age: int) -> tuple[str, str, str]:
    if age > 40:
        return (">40", ">40", "*")
    return ("<30" if age < 30 else "3*", "<40", "*")


def _published(groups: list[tuple[str, str, str]], diseases: str) -> Microdata:
    """Return a release of Table 3.1 in three groups of four."""
    rows = [(*groups[at // 4], disease) for at, disease in enumerate(diseases.split())]
    return microdata_of(_CHAPTER_3, rows, categories={"Disease": DISEASE_CATEGORIES})
