"""The embedded tables against what the papers, recomputed, say of them."""

import itertools
import math
from collections import Counter

import pytest

from shoal import datasets
from shoal.data import Microdata, Ratings, Role
from shoal.errors import WordingError


def profiles(ratings: Ratings) -> list[list[int | None]]:
    """Return the observable ratings as printed."""
    return [[None if code < 0 else code + 1 for code in line] for line in ratings.observable.dense().tolist()]


def neighbors(ratings: Ratings, epsilon: int) -> list[int]:
    """Count by Definition 2, pair by pair: both null is 0, one null is r."""
    r, people = ratings.scale.points, profiles(ratings)

    def far(a: int | None, b: int | None) -> int:
        if a is None or b is None:
            return 0 if a is b else r
        return abs(a - b)

    near = [[max(far(a, b) for a, b in zip(one, other, strict=True)) <= epsilon for other in people] for one in people]
    return [sum(row) - 1 for row in near]


def groups(table: Microdata, levels: dict[str, int] | None = None) -> dict[tuple, list]:
    """Return the sensitive values by the quasi-identifiers, told at these levels."""
    told = []
    for column in table.quasi_identifiers:
        level = (levels or {}).get(column.name, 0)
        codes = column.codes if not level else column.hierarchy.maps[level][column.codes]  # type: ignore[union-attr]
        told.append(codes.tolist())
    values = table.sensitive[0].values.to_list() if table.has_sensitive else [None] * len(table)
    found: dict[tuple, list] = {}
    for key, value in zip(zip(*told, strict=True), values, strict=True):
        found.setdefault(key, []).append(value)
    return found


def load_ratings(name: str) -> Ratings:
    records = datasets.load(name)
    assert isinstance(records, Ratings)
    return records


def load_table(name: str) -> Microdata:
    records = datasets.load(name)
    assert isinstance(records, Microdata)
    return records


SAMPLE = [[3, 6, None], [2, 5, None], [4, 7, None], [5, 6, None], [1, None, 5], [2, None, 6]]


@pytest.mark.parametrize(
    ("name", "highest", "printed"),
    [
        ("survey-ratings-1", 6, [[6, 1, None], [1, 6, None], [2, 5, None], [1, None, 5], [2, None, 6]]),
        ("survey-ratings-2", 7, SAMPLE),
        ("survey-ratings-3", 7, [*SAMPLE, [6, None, 6], [5, None, 5]]),
        ("interval-ratings-1", 6, [[6, 1, None], [3, 6, None], [4, 5, None], [2, 5, None], [1, None, 5], [2, None, 6]]),
    ],
)
def test_survey_ratings_are_those_printed(name, highest, printed):
    assert load_ratings(name).scale.points == highest
    assert profiles(load_ratings(name)) == printed


def test_the_raw_tables_are_those_printed():
    first = load_table("thesis-2.1")
    assert first["Age"].values.to_list() == [25, 25, 22, 28, 28, 34]
    assert first["Zip"].values.to_list() == ["4370", "4370", "4352", "4373", "4373", "4350"]
    eight = load_table("thesis-2.8")
    assert eight["Age"].values.to_list() == [17, 19, 20, 24, 29, 34, 39, 45]
    assert eight["Salary"].values.to_list() == [1000, 1010, 1020, 50000, 16000, 24000, 33000, 31000]
    patients = load_table("thesis-3.1")
    assert patients["Age"].values.to_list() == [27, 28, 26, 25, 41, 48, 45, 42, 33, 37, 36, 35]
    zips = [14248, 14207, 14206, 14249, 13053, 13074, 13064, 13062, 14248, 14204, 14205, 14248]
    assert patients["Zip Code"].values.to_list() == list(map(str, zips))
    assert load_table("thesis-3.6")["Zip Code"].values.to_list() == ["14248", "14248", "14248", "14247"]


@pytest.mark.parametrize(
    ("name", "epsilon", "degrees"),
    [
        ("survey-ratings-1", 1, [0, 1, 1, 1, 1]),
        ("survey-ratings-2", 2, [3, 2, 3, 2, 1, 1]),
        ("survey-ratings-2", 6, [3, 3, 3, 3, 1, 1]),
        ("survey-ratings-3", 2, [3, 2, 3, 2, 1, 1, 1, 1]),
    ],
)
def test_survey_ratings_have_the_degrees_of_the_figures(name, epsilon, degrees):
    assert neighbors(load_ratings(name), epsilon) == degrees


@pytest.mark.parametrize(
    ("name", "largest"),
    [("survey-ratings-1", [1, 1, 1, 1, 2, 2, 5]), ("survey-ratings-2", [1, 2, 2, 2, 2, 2, 2, 6])],
)
def test_survey_ratings_reach_the_k_of_definition_2_for_every_epsilon(name, largest):
    ratings = load_ratings(name)
    assert [min(neighbors(ratings, epsilon)) + 1 for epsilon in range(ratings.scale.points + 1)] == largest


@pytest.mark.parametrize(
    ("name", "sensitive", "deviation"),
    [("thesis-6.1", [6, 1, 1, 1, 5], 2.227106), ("thesis-7.1", [6, 1, 4, 1, 1, 5], 2.081666)],
)
def test_sensitive_ratings_have_the_printed_deviation(name, sensitive, deviation):
    codes = load_ratings(name).sensitive.dense()[:, 0] + 1
    assert codes.tolist() == sensitive
    assert codes.std() == pytest.approx(deviation, abs=1e-6)


def clamp_cost(ratings: list[int], start: int, epsilon: int) -> int:
    return sum(max(start - rating, 0, rating - start - epsilon) for rating in ratings)


def test_interval_ratings_cost_what_tables_2_and_3_print():
    column = [line[0] for line in profiles(load_ratings("interval-ratings-2"))]
    assert [clamp_cost(column, start, 2) for start in range(3, 7)] == [11, 7, 5, 6]  # type: ignore[arg-type]
    issue_1, issue_2, issue_3 = map(list, zip(*profiles(load_ratings("interval-ratings-3")), strict=True))
    assert [clamp_cost(issue_1, start, 1) for start in range(2, 6)] == [4, 3, 4, 6]
    assert [clamp_cost(issue_2, start, 1) for start in range(1, 6)] == [10, 8, 6, 4, 4]
    assert issue_3 == [None] * 4
    assert profiles(load_ratings("interval-ratings-1"))[:4] == profiles(load_ratings("interval-ratings-3"))


def test_table_2_1_has_the_lattice_of_gender_and_zip():
    table = load_table("thesis-2.1")
    pair = Microdata((table["Gender"], table["Zip"]))
    assert [table[name].hierarchy.height for name in ("Gender", "Zip")] == [1, 2]  # type: ignore[union-attr]
    k = {
        (g, z): min(map(len, groups(pair, {"Gender": g, "Zip": z}).values()))
        for g, z in itertools.product(range(2), range(3))
    }
    assert k == {(0, 0): 1, (0, 1): 1, (0, 2): 3, (1, 0): 1, (1, 1): 2, (1, 2): 6}


def test_table_2_2_is_3_anonymous_and_its_men_have_one_disease():
    found = sorted(groups(load_table("thesis-2.2")).values(), key=len)
    assert sorted(map(len, found)) == [3, 3]
    assert ["Cancer"] * 3 in found


def test_table_2_8_at_level_one_is_table_2_10():
    found = groups(load_table("thesis-2.8"), {"Age": 1, "Zip": 1})
    assert sorted(map(len, found.values())) == [2, 2, 4]
    assert sorted(len(set(salaries)) for salaries in found.values()) == [2, 2, 4]


@pytest.mark.parametrize(
    ("name", "levels"),
    [("thesis-3.2", (4, 2, 1, 0)), ("thesis-3.4", (4, 3, 2, 2)), ("thesis-3.5", (4, 3, 2, 1))],
)
def test_releases_of_table_3_1_reach_their_levels(name, levels):
    table = load_table(name)
    category = {value: at for at, values in enumerate(table["Disease"].categories) for value in values}
    found = groups(table).values()
    k, p = min(map(len, found)), min(len(set(diseases)) for diseases in found)
    plus = min(len({category[disease] for disease in diseases}) for diseases in found)
    alpha = min(sum(category[disease] / 3 for disease in diseases) for diseases in found)
    assert (k, p, plus, pytest.approx(alpha)) == levels


@pytest.mark.parametrize("name", ["thesis-3.2", "thesis-3.4", "thesis-3.5"])
def test_a_release_of_table_3_1_has_its_diseases(name):
    published, raw = load_table(name)["Disease"].values, load_table("thesis-3.1")["Disease"].values
    if name == "thesis-3.2":
        assert published.to_list() == raw.to_list()
    assert Counter(published) == Counter(raw)


def test_table_3_1_generalizes_to_table_3_2():
    raw, published = load_table("thesis-3.1"), load_table("thesis-3.2")
    for name, level in (("Age", 1), ("Country", 1), ("Zip Code", 2)):
        hierarchy = raw[name].hierarchy
        assert hierarchy is not None
        told = hierarchy.labels[level].take(hierarchy.generalized(raw[name].codes, level))
        assert told.to_list() == published[name].values.to_list()


def entropy(*columns: list) -> float:
    counts = Counter(zip(*columns, strict=True)).values()
    return -sum(n / sum(counts) * math.log2(n / sum(counts)) for n in counts)


def variation(one: list, other: list) -> float:
    return 2 * entropy(one, other) - entropy(one) - entropy(other)


def test_table_4_1_has_the_recomputed_dependencies():
    gender, age, code = (column.values.to_list() for column in load_table("thesis-4.1a").columns)
    assert [variation(gender, age), variation(gender, code), variation(age, code)] == pytest.approx(
        [1.251629, 0.918296, 0.333333], abs=1e-6
    )


def test_the_releases_of_table_4_1_are_2_anonymous():
    for name in ("thesis-4.1b", "thesis-4.1c"):
        assert min(map(len, groups(load_table(name)).values())) == 2
    raw, changed = load_table("thesis-4.1a").frame(), load_table("thesis-4.1b").frame()
    assert [at for at in range(6) if raw.row(at) != changed.row(at)] == [2, 3]


def test_table_5_1_has_the_printed_chances_and_dependencies():
    table = load_table("thesis-5.1")
    columns = [table[f"A{number}"].values.to_list() for number in range(1, 7)]
    assert (sum(columns[0]), columns[2].count(0)) == (4, 2)
    first = [variation(columns[0], other) for other in columns[1:]]
    assert first == pytest.approx([1.379596, 1.533878, 1.877672, 1.877672, 1.812612], abs=1e-6)


def test_table_5_2_is_table_4_1_with_a_problem():
    table = load_table("thesis-5.2")
    assert table.frame().drop("Problem").equals(load_table("thesis-4.1a").frame())
    assert Counter(table["Problem"].values) == {"stress": 3, "obesity": 3}


@pytest.mark.parametrize("name", datasets.TABLES)
def test_every_table_loads_by_its_name_with_roles_set(name):
    records = datasets.load(name)
    assert len(records) >= 4
    if isinstance(records, Microdata):
        assert records.quasi_identifiers
        assert not records.with_role(Role.DROP)


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(WordingError, match=r"survey-ratings-1.*thesis-2\.1"):
        datasets.load("survey-ratings-9")
