"""What the columns of a generated table may hold, and how it is told less exactly.

The trees are nested categories whose leaves are the values; their order is the order of the chances in the model.
"""

from collections.abc import Mapping, Sequence
from typing import Final

__all__ = ["AGES", "AGE_WIDTHS", "FAMILY_NAMES", "GIVEN_NAMES", "SALARY_CLASSES", "TREES", "leaves"]

Tree = Mapping[str, "Tree | Sequence[str]"]

AGES: Final = (17, 90)
AGE_WIDTHS: Final = (5, 10, 20)
SALARY_CLASSES: Final = ("<=50K", ">50K")

TREES: Final[Mapping[str, Tree | Sequence[str]]] = {
    "sex": ("Female", "Male"),
    "race": {
        "Majority": ("White",),
        "Minority": ("Black", "Asian or Pacific Islander", "American Indian", "Other"),
    },
    "marital-status": {
        "Alone": {"Never married": ("Never married",), "Once married": ("Separated", "Divorced", "Widowed")},
        "With a spouse": {"In marriage": ("Married", "Married, spouse away")},
    },
    "education": {
        "Without a diploma": {
            "Primary": ("Unschooled", "Grades 1 to 6"),
            "Secondary begun": ("Grades 7 to 9", "Grades 10 to 12"),
        },
        "With a diploma": {
            "Secondary": ("High school", "Vocational school"),
            "College begun": ("Some college", "Associate degree"),
        },
        "With a degree": {"Undergraduate": ("Bachelor",), "Graduate": ("Master", "Professional school", "Doctorate")},
    },
    "native-country": {
        "America": {
            "North America": ("United States", "Canada", "Mexico"),
            "Central America": ("Cuba", "Dominican Republic", "El Salvador", "Guatemala", "Haiti", "Jamaica"),
            "South America": ("Brazil", "Colombia", "Ecuador", "Peru"),
        },
        "Asia": {
            "East Asia": ("China", "Japan", "South Korea", "Taiwan"),
            "South and South-East Asia": ("India", "Iran", "Philippines", "Thailand", "Vietnam"),
        },
        "Europe": {
            "Western Europe": ("England", "France", "Germany", "Ireland", "Italy", "Portugal"),
            "Eastern Europe": ("Greece", "Hungary", "Poland"),
        },
        "Africa": {"West Africa": ("Ghana", "Nigeria"), "East Africa": ("Ethiopia", "Kenya")},
    },
    "workclass": {
        "Employed": {
            "Private": ("Private",),
            "Government": ("Federal government", "State government", "Local government"),
        },
        "Own account": {"For oneself": ("Self-employed", "Self-employed, incorporated"), "Unpaid": ("Unpaid",)},
    },
    "occupation": {
        "Office": {
            "Leading": ("Executive", "Professional speciality"),
            "Supporting": ("Administration", "Sales", "Technical support"),
        },
        "Hands": {
            "Skilled": ("Craft and repair", "Machine operation", "Transport"),
            "Unskilled": ("Cleaning", "Farming and fishing"),
        },
        "Service": {"Public service": ("Protective service", "Other service"), "Home": ("Household service",)},
    },
}

GIVEN_NAMES: Final = (
    *("Ada", "Bela", "Chidi", "Dora", "Emil", "Farah", "Goran", "Hana", "Ivo", "Jun", "Kaya", "Lior", "Mara"),
    *("Nils", "Olga", "Pia", "Quentin", "Rosa", "Sami", "Tove", "Uma", "Vera", "Wim", "Yara", "Zeno"),
)
FAMILY_NAMES: Final = (
    *("Abbott", "Bauer", "Costa", "Diaz", "Eriksen", "Farkas", "Gupta", "Haddad", "Ito", "Jansen", "Kowalski"),
    *("Lopez", "Mensah", "Nguyen", "Okafor", "Petit", "Quinn", "Rossi", "Silva", "Tanaka", "Usman", "Varga", "Weber"),
)


def leaves(tree: Tree | Sequence[str]) -> tuple[str, ...]:
    """Give the values of a tree in order."""
    if not isinstance(tree, Mapping):
        return tuple(tree)
    return tuple(leaf for branch in tree.values() for leaf in leaves(branch))
