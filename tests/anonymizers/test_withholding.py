"""Withholding while grouping: within the budget, with the promises kept, and never at a loss."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
import people_oracle
from shoal import road
from shoal.anonymizers import Allowance, Anonymizer, Microaggregation, Mondrian
from shoal.anonymizers.generalization.cuts import Segments, attribute
from shoal.anonymizers.microaggregation.record_groups import outlier_removals
from shoal.anonymizers.mondrian.withholding import CostlyRecords
from shoal.anonymizers.withholding import Removal, chosen_removals
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.engines import LocalEngine
from shoal.errors import AuditRefused, GuaranteeError, InputError
from shoal.labels.label_loss import published_loss
from shoal.models import KAnonymity, LDiversity, PrivacyModel, TCloseness
from shoal.randomness import Randomness
from shoal.release import Ledger, PublishedRecords
from shoal.testing import tables
from shoal.testing.check_anonymizer import covers
from shoal.utility import MEASURES, Comparison

QI, SENSITIVE = Role.QUASI_IDENTIFIER, Role.SENSITIVE
CUTS = [Mondrian(), Mondrian(labels="tight"), Mondrian(mode="relaxed"), Mondrian(numbers="hierarchy")]
MIDDLES = [Microaggregation(method="mdav"), Microaggregation(passes=1), Microaggregation(method="v-mdav")]
MODELS: list[list[PrivacyModel]] = [
    [KAnonymity(2)],
    [KAnonymity(3)],
    [KAnonymity(2), LDiversity(2)],
    [KAnonymity(2), TCloseness(Fraction(2, 5))],
]


def quasi(name: str, values: list) -> Column:
    return Column.encode(name, QI, pl.Series(values))


def outliers() -> Microdata:
    """A thousand people of two towns, but for eight: each is of a place of its own, and far out in both numbers."""
    rng = np.random.default_rng(7)
    towns = [("Lund", "Ystad")[each] for each in rng.integers(0, 2, 1000)]
    ages, weights = rng.integers(20, 80, (2, 1000))
    for number, row in enumerate(range(0, 1000, 125)):
        towns[row], ages[row], weights[row] = f"place {number}", 100 + 3 * number, 400 - 20 * number
    known = sorted(set(towns))
    tree = Hierarchy.from_columns([pl.Series(known), pl.Series(["*"] * len(known))])
    return Microdata(
        (quasi("age", ages.tolist()), quasi("weight", weights.tolist()), quasi("town", towns).with_hierarchy(tree))
    )


def loss(table: Microdata, told: Microdata, rows: np.ndarray) -> float:
    """What loss-mean counts, summed up: of each cell the share of the other values that its label covers as well."""
    total = float((len(table) - len(rows)) * len(table.quasi_identifiers))
    for column in table.quasi_identifiers:
        values = [code for code, count in enumerate(column.counts) if count]
        labels = told[column.name].values.cast(pl.String).to_list()
        covered = {label: sum(covers(label, column, code) for code in values) for label in set(labels)}
        total += sum((covered[label] - 1) / max(len(values) - 1, 1) for label in labels)
    return total


@pytest.mark.parametrize("method", CUTS[:3], ids=str)
def test_outliers_are_withheld_where_the_others_gain_more(method):
    table = outliers()
    whole, fewer = (
        road.publish(table, [KAnonymity(20)], method, randomness=Randomness(1), withhold=share)
        for share in (Fraction(0), Fraction(1, 50))
    )
    assert whole[1].report["records withheld"] == 0
    withheld = set(range(1000)) - set(fewer[1].origins.tolist())
    assert set(range(0, 1000, 125)) <= withheld
    assert len(withheld) <= 20
    assert fewer[1].report["loss-mean"] < Fraction(9, 10) * Fraction(whole[1].report["loss-mean"])


def test_points_far_out_are_withheld_where_the_others_gain_more():
    table = Microdata(outliers().columns[:2])
    lost = []
    for share in (Fraction(0), Fraction(1, 50)):
        release, ledger = road.publish(table, [KAnonymity(20)], MIDDLES[0], randomness=Randomness(1), withhold=share)
        lost.append(information_loss(table, release, ledger))
    assert ledger.report["records withheld"] in range(1, 21)
    assert lost[1] < 0.8 * lost[0]


def information_loss(table: Microdata, release: PublishedRecords, ledger: Ledger) -> float:
    comparison = Comparison(table, ledger.origins, release.records, np.array([len(ledger.origins)]))
    found = MEASURES["information loss"](comparison)
    return float(found)


def published(table: Microdata, models: list[PrivacyModel], method: Anonymizer, share: Fraction):
    insensitive = [column.name for column in table.columns if column.role is Role.INSENSITIVE]
    accept = [*insensitive, road.EMPTY]
    return road.publish(table, models, method, randomness=Randomness(1), withhold=share, accept=accept)


@given(
    table=tables(min_records=4), method=st.sampled_from(CUTS), models=st.sampled_from(MODELS), parts=st.integers(2, 6)
)
@settings(max_examples=60, deadline=None)
def test_what_is_withheld_pays_and_the_promises_hold_on_what_is_left(table, method, models, parts):
    try:
        _, before = published(table, models, method, Fraction(0))
    except (InputError, GuaranteeError):
        return
    try:
        release, after = published(table, models, method, Fraction(1, parts))
    except AuditRefused:
        return  # columns are judged on those who are left
    assert len(after.origins) >= len(table) - len(table) // parts
    assert after.report["loss-mean"] <= before.report["loss-mean"] + 1e-12
    assert all(oracles.holds(release.records, model) for model in models)


NUMBERS_MISSING = [
    (0, 0, 0),
    (95, None, None),
    (95, None, 95),
    (60, None, 70),
    (50, None, 90),
    (95, 60, None),
    (50, 60, 70),
    (None, None, 80),
    (95, 95, 60),
    (70, 80, 70),
    (50, 95, None),
    (None, 60, None),
    (None, 60, None),
    (90, 70, 90),
    (95, 95, None),
    (50, None, 70),
]


@pytest.mark.parametrize("method", CUTS[:3], ids=str)
def test_where_the_lowest_number_is_withheld_a_range_after_missing_loses_all_that_it_covers(method):
    table = Microdata(tuple(quasi(f"q{i}", list(each)) for i, each in enumerate(zip(*NUMBERS_MISSING, strict=True))))
    whole, fewer = (published(table, [KAnonymity(4)], method, share) for share in (Fraction(0), Fraction(1, 5)))
    for release, ledger in (whole, fewer):
        assert isinstance(release.records, Microdata)
        assert ledger.report["loss-mean"] == pytest.approx(loss(table, release.records, ledger.origins) / 3 / 16)
    assert fewer[1].report["loss-mean"] <= whole[1].report["loss-mean"] + 1e-12


@given(
    rows=st.lists(
        st.tuples(
            *[st.none() | st.integers(0, 9) | st.sampled_from([50, 90])] * 2, st.sampled_from([None, "a", "c", "d"])
        ),
        min_size=4,
        max_size=14,
    ),
    method=st.sampled_from(CUTS),
    k=st.integers(2, 4),
    parts=st.integers(2, 6),
)
@settings(max_examples=60, deadline=None)
def test_with_missing_values_too_the_loss_is_true_and_never_more_than_without(rows, method, k, parts):
    columns = zip("abc", zip(*rows, strict=True), (pl.Int64, pl.Int64, pl.String), strict=True)
    table = Microdata(tuple(Column.encode(name, QI, pl.Series(each, dtype=kind)) for name, each, kind in columns))
    lost = []
    for share in (Fraction(0), Fraction(1, parts)):
        release, ledger = published(table, [KAnonymity(k)], method, share)
        assert isinstance(release.records, Microdata)
        lost.append(ledger.report["loss-mean"])
        assert lost[-1] == pytest.approx(loss(table, release.records, ledger.origins) / 3 / len(rows), abs=1e-9)
    assert lost[1] <= lost[0] + 1e-12


@given(
    rows=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 3)), min_size=4, max_size=14),
    method=st.sampled_from(MIDDLES),
    k=st.integers(2, 3),
    parts=st.integers(2, 6),
)
@settings(max_examples=40, deadline=None)
def test_points_that_are_withheld_pay(rows, method, k, parts):
    columns = [list(values) for values in zip(*rows, strict=True)]
    table = Microdata(tuple(quasi(name, values) for name, values in zip("ab", columns, strict=True)))
    if all(len(set(values)) == 1 for values in columns):
        return
    whole, fewer = (published(table, [KAnonymity(k)], method, share) for share in (Fraction(0), Fraction(1, parts)))
    assert len(fewer[1].origins) >= len(rows) - len(rows) // parts
    assert oracles.holds(fewer[0].records, KAnonymity(k))
    assert information_loss(table, *fewer) <= information_loss(table, *whole) + 1e-9


def test_what_only_seemed_to_pay_is_published_all_the_same(monkeypatch):
    """Of two groups of three that are alike nobody is far out; without one of them all six would be told alike."""
    monkeypatch.setattr(Microaggregation, "_outliers", lambda *_: np.array([0]))
    table = Microdata((quasi("age", [0, 0, 0, 9, 9, 9]),))
    made = MIDDLES[0].recode(
        table, [KAnonymity(3)], LocalEngine(), Randomness(1), max_withheld=Allowance.of_records(table, 1)
    )
    assert made.withheld is None
    assert oracles.tuples(made.records) == [(0.0,)] * 3 + [(9.0,)] * 3  # pyright: ignore[reportArgumentType]


@given(data=st.data(), method=st.sampled_from([*CUTS, *MIDDLES]), parts=st.integers(2, 5))
@settings(max_examples=40, deadline=None)
def test_no_more_people_lose_a_record_than_allowed(data, method, parts):
    rows = data.draw(st.lists(st.tuples(st.integers(0, 9), st.sampled_from([0, 1, 2, 60])), min_size=6, max_size=18))
    persons = data.draw(people_oracle.person_lists(len(rows)))
    columns = zip("ab", zip(*rows, strict=True), strict=True)
    table = Microdata(tuple(quasi(name, list(values)) for name, values in columns), persons=np.array(persons))
    spare = len(rows) // parts
    try:
        recoding = method.recode(
            table, [KAnonymity(2)], LocalEngine(), Randomness(1), max_withheld=Allowance.of_records(table, spare)
        )
        release, ledger = published(table, [KAnonymity(2)], method, Fraction(1, parts))
    except (InputError, GuaranteeError):
        return
    if recoding.withheld is not None:
        losing = {persons[row] for row in np.flatnonzero(recoding.withheld)}
        assert recoding.withheld.sum() <= spare
        assert len(losing) * len(rows) <= spare * len(set(persons))
    assert isinstance(release.records, Microdata)
    assert people_oracle.reached_k(release.records, [persons[row] for row in ledger.origins]) >= 2


@given(table=tables(min_records=3), data=st.data())
@settings(max_examples=40, deadline=None)
def test_what_is_told_loses_as_much_as_loss_mean_says(table, data):
    rows = np.array(sorted(data.draw(st.sets(st.integers(0, len(table) - 1), min_size=2))))
    try:
        told = Mondrian().recode(table.take(rows), [KAnonymity(2)], LocalEngine(), Randomness(1)).records
    except InputError:
        return
    assert isinstance(told, Microdata)
    n_cells = len(table) * len(table.quasi_identifiers)
    comparison = Comparison(table, rows, told, np.array([len(rows)]))
    assert published_loss(table, told, rows) / n_cells == pytest.approx(MEASURES["loss-mean"](comparison))


# ── which records ─────────────────────────────────────────────────────────────────────────────────────────────────


@given(table=tables(min_records=4, max_records=12), data=st.data())
@settings(max_examples=60, deadline=None)
def test_what_is_said_to_be_saved_is_saved(table, data):
    plain = [Column(c.name, c.role, c.vocabulary, c.codes) for c in table.quasi_identifiers]
    table = Microdata(tuple(column.compacted() for column in plain))
    cut = data.draw(st.integers(1, len(table) - 1))
    segments = Segments(np.arange(len(table)), np.array([0, cut, len(table)]))
    attributes = [attribute(column, by_hierarchy=False) for column in table.columns]
    costly = CostlyRecords(segments, attributes, len(table), widened=False)
    leaving = costly.chosen(Allowance(len(table), len(table)), None)
    groups = [set(range(cut)), set(range(cut, len(table)))]
    before = sum(_ranges(table, group) for group in groups)
    after = sum(_ranges(table, group - set(leaving.tolist())) for group in groups)
    claimed = sum(removal.saved for removals in costly.removals for removal in removals)
    assert before - after - len(leaving) * len(table.columns) == pytest.approx(claimed)
    assert claimed > 0 or not len(leaving)


def _ranges(table: Microdata, group: set[int]) -> float:
    """What a group loses: each of its records, in each column, the share of the other values within its range."""
    total = 0.0
    for column in table.columns:
        values = column.vocabulary.values
        codes = {int(column.codes[row]) for row in group}
        there = [code for code in codes if values[code] is not None]
        covered = max(there) - min(there) + 1 if there else 0
        total += len(group) * (covered + (len(there) < len(codes)) - 1) / max(len(values) - 1, 1)
    return total


@given(
    points=st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 4)), min_size=2, max_size=9),
    cost=st.sampled_from([0.5, 2.0, 20.0]),
    data=st.data(),
)
def test_points_are_left_out_one_by_one_for_as_long_as_it_pays(points, cost, data):
    units = np.array(data.draw(st.lists(st.integers(0, len(points) - 1), min_size=len(points), max_size=len(points))))
    units = np.unique(units, return_inverse=True)[1].ravel()
    n_units = int(units.max()) + 1
    groups = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n_units, max_size=n_units)))
    labels = np.unique(groups, return_inverse=True)[1].ravel()[units]
    lines = np.array(points, float)
    for group, removals in enumerate(outlier_removals(lines, labels, units, cost)):
        left = set(np.flatnonzero(labels == group).tolist())
        for removal in removals:
            gains = {unit: _gain(lines, left, units, unit, cost) for unit in {int(units[row]) for row in left}}
            unit = int(units[removal.rows[0]])
            assert set(removal.rows.tolist()) == {row for row in left if units[row] == unit}
            assert removal.rate == pytest.approx(max(gains.values()))
            assert gains[unit] == pytest.approx(max(gains.values()))
            left -= set(removal.rows.tolist())
        assert max((_gain(lines, left, units, int(units[row]), cost) for row in left), default=0) <= 1e-9


def _gain(lines: np.ndarray, left: set[int], units: np.ndarray, unit: int, cost: float) -> float:
    """What is saved a record by leaving out a unit, less what the record costs; one that is alone saves nothing."""
    rest = [row for row in left if units[row] != unit]
    if not rest:
        return -cost
    own = len(left) - len(rest)
    return (_squares(lines[list(left)]) - _squares(lines[rest])) / own - cost


def _squares(lines: np.ndarray) -> float:
    return float(((lines - lines.mean(axis=0)) ** 2).sum())


def test_those_who_save_most_a_record_are_chosen_first_and_in_the_order_of_their_group():
    group_offsets = [
        [Removal(np.array([0]), 1.0), Removal(np.array([1]), 9.0)],
        [Removal(np.array([2, 3]), 6.0)],
        [Removal(np.array([4]), 2.0)],
    ]
    assert chosen_removals(group_offsets, Allowance(3, 3), None).tolist() == [2, 3, 4]
    assert chosen_removals(group_offsets, Allowance(1, 1), None).tolist() == [4]
    assert chosen_removals(group_offsets, Allowance(5, 5), None).tolist() == [2, 3, 4, 0, 1]
    persons = np.array([7, 7, 8, 9, 8])
    assert chosen_removals(group_offsets, Allowance(5, 1), persons).tolist() == [4]
    assert chosen_removals(group_offsets, Allowance(5, 2), persons).tolist() == [2, 3, 4]


# ── beside the best there is ──────────────────────────────────────────────────────────────────────────────────────


def test_of_what_withholding_can_save_most_is_saved():
    """On small tables, beside the best of all sets that may be withheld, each cut by the same method."""
    rng, saved, possible = np.random.default_rng(1), 0.0, 0.0
    for _ in range(30):
        values = rng.choice([0, 1, 2, 3, 4, 20, 21, 90], (9, 2))
        table = Microdata(tuple(quasi(name, column.tolist()) for name, column in zip("ab", values.T, strict=True)))
        losses = {size: [_lost(table, rows) for rows in combinations(range(9), 9 - size)] for size in range(3)}
        made = Mondrian().recode(
            table, [KAnonymity(3)], LocalEngine(), Randomness(1), max_withheld=Allowance.of_records(table, 2)
        )
        kept = np.arange(9) if made.withheld is None else np.flatnonzero(~made.withheld)
        told = made.records.take(kept)
        assert isinstance(told, Microdata)
        saved += losses[0][0] - loss(table, told, kept)
        possible += losses[0][0] - min(min(each) for each in losses.values())
    assert possible > 0
    assert saved >= 0.75 * possible


def _lost(table: Microdata, rows: tuple[int, ...]) -> float:
    kept = np.array(rows)
    told = Mondrian().recode(table.take(kept), [KAnonymity(3)], LocalEngine(), Randomness(1)).records
    assert isinstance(told, Microdata)
    return loss(table, told, kept)
