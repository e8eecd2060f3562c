"""The one road out: what leaves is checked as it leaves, is stripped and shuffled, and a failed check gives nothing."""

import dataclasses
import os
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import ClassVar

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import oracles
from shoal import road
from shoal.anonymizers import Allowance, Anonymizer, Mondrian, Nothing, Recoding
from shoal.data import Column, Hierarchy, Microdata, RatingMatrix, Ratings, Records, Role, Scale, Vocabulary
from shoal.engines import LocalEngine
from shoal.errors import AuditRefused, GuaranteeError, InputError, InternalError, PromiseNotKept, WordingError
from shoal.models import KAnonymity, KEpsilon, LDiversity
from shoal.randomness import Randomness
from shoal.testing import ratings, tables
from surveys import survey

QI, SENSITIVE, INSENSITIVE = Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.INSENSITIVE


@dataclasses.dataclass(frozen=True)
class Lying(Anonymizer):
    """Does as it is told, and says that all is well."""

    name: ClassVar[str] = "lying"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings", "table"})

    change: Callable[[Records], Records]
    withheld: tuple[int, ...] = ()

    def _recode(self, records, models, engine, randomness, max_withheld) -> Recoding:
        left_out = np.isin(np.arange(len(records)), self.withheld) if self.withheld else None
        return Recoding(self.change(records), withheld=left_out)


def column(name: str, role: Role, values: list) -> Column:
    return Column.encode(name, role, pl.Series(values))


def people() -> Microdata:
    """Two groups of two and one person alone, with everything that must not leave."""
    zips = column("zip", QI, ["4350", "4350", "4351", "4351", "9999"])
    return Microdata(
        (
            column("name", Role.IDENTIFIER, ["Ann Quux", "Bob Quux", "Cat Quux", "Dan Quux", "Eve Quux"]),
            column("seen", Role.DROP, [777001, 777002, 777003, 777004, 777005]),
            zips.with_hierarchy(Hierarchy.from_masks(zips.vocabulary)),
            column("illness", SENSITIVE, ["flu", "cold", "flu", "cold", "plague"]),
            column("town", INSENSITIVE, ["Ystad", "Ystad", "Ystad", "Ystad", "Ystad"]),
        )
    )


def rated(rows: list[list[int]], *, sensitive: int = 0) -> Ratings:
    """Codes on 1…5, −1 for null; the last columns are sensitive."""
    codes = np.array(rows, np.int32)
    names = pl.Series([f"issue {i}" for i in range(codes.shape[1])], dtype=pl.String)
    seen = codes.shape[1] - sensitive
    return Ratings(
        Vocabulary(pl.Series([f"Quux {i}" for i in range(len(rows))])),
        RatingMatrix.from_dense(Vocabulary(names[:seen]), codes[:, :seen]),
        RatingMatrix.from_dense(Vocabulary(names[seen:]), codes[:, seen:]),
        Scale.of(1, 5),
    )


def everything_in(records: Records) -> str:
    """All that a release carries, vocabularies and hierarchies included, as text."""
    if isinstance(records, Ratings):
        parts = [records.users.values, records.observable.items.values, records.sensitive.items.values]
        return " ".join(str(part.to_list()) for part in parts) + str(records.scale)
    assert isinstance(records, Microdata)
    published = []
    for each in records.columns:
        assert each.hierarchy is None
        published.append(f"{each.name} {each.vocabulary.values.to_list()} {each.categories}")
    return " ".join(published)


# ── check: on the data as published ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("records", "model"),
    [
        (people(), KAnonymity(2)),
        (people(), LDiversity(2)),
        (rated([[0], [0], [1]]), KAnonymity(2)),
        (rated([[0], [0], [2]]), KEpsilon(2, Fraction(1))),
    ],
)
def test_an_anonymizer_that_changes_nothing_and_says_it_did_is_caught(records, model):
    with pytest.raises(PromiseNotKept, match=r"does not hold for 1 of \d records .*nothing was published"):
        road.publish(records, [model], Lying(lambda same: same))


def test_a_refusal_admits_that_not_every_partition_was_tried():
    odd = survey([[i] for i in range(1, 42)], 60)  # a chain of so many cannot be cut into pairs
    model = KEpsilon(2, Fraction(1), semantics="partition")
    with pytest.raises(PromiseNotKept, match="Not every partition was tried, so one may exist"):
        road.publish(odd, [model], Lying(lambda same: same))


def test_an_anonymizer_that_says_a_single_value_for_some_and_keeps_the_rest_is_caught():
    def masked_but_one(records: Records) -> Microdata:
        assert isinstance(records, Microdata)
        return records.replaced((column("zip", QI, ["435*", "435*", "435*", "435*", "9999"]),))

    with pytest.raises(PromiseNotKept):
        road.publish(people(), [KAnonymity(2)], Lying(masked_but_one))


@pytest.mark.parametrize("role", [SENSITIVE, INSENSITIVE, Role.DROP, Role.IDENTIFIER])
def test_an_anonymizer_that_hides_a_quasi_identifier_from_the_check_is_caught(role):
    """As a column of another role it would leave unchanged, or unseen, and no promise would look at it."""
    table = Microdata((*people().columns, column("age", QI, [31, 31, 31, 31, 31])))

    def disguised(records: Records) -> Microdata:
        assert isinstance(records, Microdata)
        return records.replaced((dataclasses.replace(records["zip"], role=role),))

    with pytest.raises(InternalError, match="changed the role"):
        road.publish(table, [KAnonymity(2)], Lying(disguised))


def test_an_anonymizer_that_adds_or_frees_a_column_is_caught():
    for change in (
        lambda table: Microdata((*table.columns, column("extra", INSENSITIVE, [1, 1, 2, 2, 2]))),
        lambda table: table.replaced((dataclasses.replace(table["name"], role=INSENSITIVE),)),
        lambda table: rated([[0]] * len(table)),
    ):
        with pytest.raises(InternalError):
            road.publish(people(), [KAnonymity(2)], Lying(change))


def test_an_anonymizer_that_calls_seen_ratings_sensitive_is_caught():
    data = rated([[0, 0], [0, 1], [0, 2]])
    moved = rated([[0, 0], [0, 1], [0, 2]], sensitive=1)
    with pytest.raises(InternalError, match="changed the role"):
        road.publish(data, [KAnonymity(2)], Lying(lambda _: moved))


def test_an_anonymizer_that_loses_people_is_caught():
    with pytest.raises(AssertionError):
        road.publish(people(), [KAnonymity(2)], Lying(lambda table: table.take(np.arange(4))))


def test_records_of_an_unknown_kind_do_not_leave():
    class Letters:
        kind: ClassVar[str] = "table"
        has_observable = has_sensitive = True
        n_people = 5
        stated = None

        def __len__(self) -> int:
            return 5

        def take(self, rows: np.ndarray) -> "Letters":
            return self

    with pytest.raises(InternalError, match="does not know records"):
        road.publish(people(), [KAnonymity(2)], Lying(lambda _: Letters()))


def test_the_groups_are_those_of_the_published_data():
    release, _ = road.publish(people(), [KAnonymity(5)], Mondrian(), accept=["empty"])
    assert release.certificate.groups == 1
    assert dict(release.certificate.promises[0].level) == {"k": 5}


@given(tables(min_records=2))
@settings(max_examples=20)
def test_the_certificate_says_what_a_reader_of_the_release_counts(data):
    try:
        release, _ = road.publish(data, [KAnonymity(2)], Mondrian())
    except (InputError, GuaranteeError):
        assume(False)
        return
    rows = oracles.observable(release.records)
    certificate = release.certificate
    assert (certificate.records, certificate.groups) == (len(data), len(set(rows)))
    assert dict(certificate.promises[0].level) == {"k": min(oracles.alike(rows))}
    assert certificate.method == "mondrian:mode=strict,numbers=cut,labels=safe"


def test_every_promise_is_certified_with_its_level_and_meaning():
    release, _ = road.publish(people(), [KAnonymity(2), LDiversity(2)], Mondrian(), accept=["empty"])
    published = [(each.promise, dict(each.level)) for each in release.certificate.promises]
    assert published == [("k-anonymity:k=2", {"k": 5}), ("l-diversity:l=2,kind=distinct", {"l": 3})]
    assert "looks exactly like at least 1 other " in release.certificate.promises[0].meaning


def test_a_release_without_a_promise_is_refused():
    with pytest.raises(WordingError, match="at least one promise"):
        road.publish(people(), [], Mondrian())


def test_a_promise_that_cannot_be_made_is_refused_before_any_work():
    def never(_: Records) -> Records:
        raise AssertionError("the anonymizer was asked")

    with pytest.raises(InputError):
        road.publish(people(), [KEpsilon(2, Fraction(1))], Lying(never))


# ── withhold ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_those_who_break_a_promise_are_withheld_within_the_budget():
    release, ledger = road.publish(people(), [KAnonymity(2)], Nothing(), withhold=Fraction(1, 5))
    assert len(release.records) == 4
    assert sorted(ledger.origins.tolist()) == [0, 1, 2, 3]
    assert ledger.report["records withheld"] == 1
    assert ledger.report["discernability"] == 4 + 4 + 1 * 5


@pytest.mark.parametrize("share", [Fraction(0), Fraction(199, 1000)])
def test_a_budget_of_less_than_one_record_is_none(share):
    with pytest.raises(PromiseNotKept):
        road.publish(people(), [KAnonymity(2)], Nothing(), withhold=share)


@pytest.mark.parametrize("share", [Fraction(-1, 100), Fraction(1), Fraction(3)])
def test_a_share_that_is_none_is_refused(share):
    with pytest.raises(WordingError, match="at least 0 and below 1"):
        road.publish(people(), [KAnonymity(2)], Nothing(), withhold=share)


def test_withholding_that_robs_another_of_a_neighbor_goes_on_until_nothing_breaks():
    """On the chain 0–1–2 with k = 3 and ε = 1 the ends fall first, then the middle; three far ones stay."""
    chain = rated([[0], [1], [2], [4], [4], [4]])
    release, ledger = road.publish(chain, [KEpsilon(3, Fraction(1))], Nothing(), withhold=Fraction(1, 2))
    assert sorted(ledger.origins.tolist()) == [3, 4, 5]
    assert oracles.largest_k(oracles.profiles(release.records), 1, 5) == 3  # type: ignore[arg-type]
    with pytest.raises(PromiseNotKept, match="At least 3 of the 6 records would have to be withheld, more than the 2"):
        road.publish(chain, [KEpsilon(3, Fraction(1))], Nothing(), withhold=Fraction(2, 6))


def test_withholding_for_one_promise_that_breaks_another_is_noticed():
    """The 4 looks like nobody; without it the two 3s have too few within 1, who were content before."""
    data = rated([[0], [0], [0], [4], [3], [3]])
    models = [KAnonymity(2), KEpsilon(3, Fraction(1))]
    assert oracles.holds(data, models[1])
    release, ledger = road.publish(data, models, Nothing(), withhold=Fraction(1, 2))
    assert sorted(ledger.origins.tolist()) == [0, 1, 2]
    assert all(oracles.holds(release.records, model) for model in models)
    with pytest.raises(PromiseNotKept, match="At least 3 of the 6"):
        road.publish(data, models, Nothing(), withhold=Fraction(2, 6))


def test_too_few_left_to_promise_anything_is_refused():
    with pytest.raises(PromiseNotKept, match="would have to be withheld"):
        road.publish(rated([[0], [4]]), [KAnonymity(2)], Nothing(), withhold=Fraction(99, 100))


def unchanged(records: Records) -> Records:
    return records


def test_what_a_method_withholds_is_not_published_and_counts_as_withheld():
    """The first two are alike and would keep the promise; the method leaves them out all the same."""
    method = Lying(unchanged, withheld=(0, 1))
    release, ledger = road.publish(people(), [KAnonymity(2)], method, withhold=Fraction(3, 5))
    assert sorted(ledger.origins.tolist()) == [2, 3], "the last breaks the promise, and the road withholds it"
    assert len(release.records) == 2
    assert ledger.report["records withheld"] == 3
    assert "4350" not in everything_in(release.records)
    with pytest.raises(PromiseNotKept, match="At least 3 of the 5 records would have to be withheld, more than the 2"):
        road.publish(people(), [KAnonymity(2)], method, withhold=Fraction(2, 5))


@pytest.mark.parametrize("share", [Fraction(0), Fraction(1, 5)])
def test_a_method_that_withholds_more_than_allowed_is_caught(share):
    with pytest.raises(InternalError, match="withheld more than was allowed"):
        road.publish(people(), [KAnonymity(2)], Lying(unchanged, withheld=(0, 1)), withhold=share)


def test_a_method_may_not_take_records_from_more_people_than_allowed():
    """Two of the eight records may go, and one of the four people may lose one."""
    ages = column("age", QI, [30] * 8)
    table = Microdata((ages,), persons=np.array([0, 0, 1, 1, 2, 2, 3, 3]))
    release, _ = road.publish(table, [KAnonymity(2)], Lying(unchanged, withheld=(0, 1)), withhold=Fraction(1, 4))
    assert len(release.records) == 6
    with pytest.raises(InternalError, match="withheld more than was allowed"):
        road.publish(table, [KAnonymity(2)], Lying(unchanged, withheld=(0, 2)), withhold=Fraction(1, 4))


def test_ratings_that_a_method_withholds_are_not_published():
    data = rated([[0], [0], [4], [4]])
    release, ledger = road.publish(data, [KAnonymity(2)], Lying(unchanged, withheld=(0, 1)), withhold=Fraction(1, 2))
    assert sorted(ledger.origins.tolist()) == [2, 3]
    assert len(release.records) == 2
    with pytest.raises(InternalError, match="withheld more than was allowed"):
        road.publish(data, [KAnonymity(2)], Lying(unchanged, withheld=(0, 1)), withhold=Fraction(1, 3))


def test_whoever_is_withheld_is_withheld_in_whatever_order_the_rows_come():
    """A method that heeds rows gets them in a secret order; what it says of them is put back into theirs."""
    asked = Lying(unchanged, withheld=(0,))
    left = set()
    for secret in range(12):
        made = asked.recode(
            people(),
            [KAnonymity(2)],
            LocalEngine(),
            Randomness(None, bytes([secret] * 32)),
            max_withheld=Allowance(1, 1),
        )
        assert made.withheld is not None
        order = Randomness(None, bytes([secret] * 32)).generator("order of rows").permutation(5)
        assert np.flatnonzero(made.withheld).tolist() == [order[0]]
        left.add(int(order[0]))
    assert len(left) > 1


# ── strip ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_identifiers_and_dropped_columns_do_not_leave():
    release, _ = road.publish(people(), [KAnonymity(2)], Mondrian(), accept=["empty"])
    assert isinstance(release.records, Microdata)
    assert [(each.name, each.role) for each in release.records.columns] == [
        ("record", Role.IDENTIFIER),
        ("zip", QI),
        ("illness", SENSITIVE),
        ("town", INSENSITIVE),
    ]


@pytest.mark.parametrize("method", [Mondrian(), Mondrian(mode="relaxed"), Mondrian(numbers="hierarchy")], ids=str)
def test_nothing_of_the_originals_is_in_a_release(method):
    release, _ = road.publish(people(), [KAnonymity(5)], method, randomness=Randomness(987654321), accept=["empty"])
    published = everything_in(release.records) + repr(release) + str(release.certificate)
    for secret in ("Quux", "77700", "4350", "4351", "9999", "987654321"):
        assert secret not in published


def test_values_of_those_withheld_are_not_in_a_release():
    release, _ = road.publish(people(), [KAnonymity(2)], Nothing(), withhold=Fraction(1, 5))
    published = everything_in(release.records)
    assert "4350" in published
    assert not any(secret in published for secret in ("9999", "plague", "Quux"))


def test_people_of_ratings_go_by_their_pseudonyms():
    release, ledger = road.publish(rated([[0], [0], [0]]), [KAnonymity(2)], Nothing())
    assert isinstance(release.records, Ratings)
    assert release.records.users.values.to_list() == ledger.pseudonyms.astype(str).tolist()
    assert "Quux" not in everything_in(release.records) + repr(release)


@pytest.mark.parametrize(("taken", "name"), [("record", "pseudonym"), ("zip", "record")])
def test_the_pseudonym_gets_a_name_of_its_own(taken, name):
    table = Microdata((column(taken, QI, [1, 1]),))
    release, _ = road.publish(table, [KAnonymity(2)], Nothing())
    assert isinstance(release.records, Microdata)
    assert release.records.names == (name, taken)


# ── shuffle ───────────────────────────────────────────────────────────────────────────────────────────────────────


def many(n: int = 60) -> Microdata:
    return Microdata((column("age", QI, [31] * n), column("place", SENSITIVE, list(range(n)))))


SECRET, OTHER = bytes(range(32)), bytes(range(1, 33))


def order_and_names(seed: int | None, secret: bytes | None = None, n: int = 60) -> tuple[list[int], list[str]]:
    release, ledger = road.publish(many(n), [KAnonymity(2)], Nothing(), randomness=Randomness(seed, secret))
    assert ledger.secret is not None
    assert secret in (None, ledger.secret)
    assert isinstance(release.records, Microdata)
    assert release.records["place"].values.to_list() == ledger.origins.tolist()
    assert release.records["record"].values.to_list() == ledger.pseudonyms.astype(str).tolist()
    return ledger.origins.tolist(), ledger.pseudonyms.astype(str).tolist()


def test_without_a_seed_order_and_pseudonyms_are_fresh_every_time():
    one, other = order_and_names(None), order_and_names(None)
    assert one[0] != other[0]
    assert one[0] != sorted(one[0])
    assert not set(one[1]) & set(other[1])


@pytest.mark.parametrize("randomness", [None, Randomness(), Randomness(5)], ids=str)
def test_a_secret_of_256_bits_is_asked_of_the_operating_system_once(monkeypatch, randomness):
    asked = []
    real = os.urandom
    monkeypatch.setattr(os, "urandom", lambda n: asked.append(real(n)) or asked[-1])
    _, ledger = road.publish(many(), [KAnonymity(2)], Nothing(), randomness=randomness)
    assert [len(drawn) for drawn in asked] == [32]
    assert ledger.secret == asked[0]


@pytest.mark.parametrize("seed", [None, 5])
def test_with_its_secret_order_and_pseudonyms_repeat(seed):
    assert order_and_names(seed, SECRET) == order_and_names(seed, SECRET)
    for other in (order_and_names(6, SECRET), order_and_names(seed, OTHER)):
        assert order_and_names(seed, SECRET)[0] != other[0]
        assert not set(order_and_names(seed, SECRET)[1]) & set(other[1])


def test_a_seed_alone_repeats_neither_order_nor_pseudonyms():
    one, other = order_and_names(5), order_and_names(5)
    assert one[0] != other[0]
    assert not set(one[1]) & set(other[1])


def test_a_secret_that_is_used_again_does_not_link_other_data_or_other_methods():
    """Where names or order were the same, two releases of the same people could be joined record by record."""
    aged = column("age", QI, list(range(60)))
    table = Microdata((aged.with_hierarchy(Hierarchy.from_masks(aged.vocabulary)), many().columns[1]))
    chance = Randomness(5, SECRET)
    releases = [
        road.publish(many(), [KAnonymity(2)], Nothing(), randomness=chance),
        road.publish(many(59), [KAnonymity(2)], Nothing(), randomness=chance),
        road.publish(table, [KAnonymity(2)], Mondrian(), randomness=chance),
        road.publish(table, [KAnonymity(4)], Mondrian(), randomness=chance),
    ]
    for number, (_, ledger) in enumerate(releases):
        for _, earlier in releases[:number]:
            assert not set(ledger.pseudonyms.tolist()) & set(earlier.pseudonyms.tolist())
            assert ledger.origins.tolist() != earlier.origins.tolist()


def test_the_order_of_pseudonyms_tells_nothing_of_the_order_of_the_originals():
    origins, names = order_and_names(5, SECRET)
    by_name = [origin for _, origin in sorted(zip(names, origins, strict=True))]
    assert by_name != sorted(origins)
    assert names == sorted(names), "the shuffle is that of the records; names in order are read faster"


@given(tables(min_records=2) | ratings(min_records=2), st.none() | st.integers(0, 99))
@settings(max_examples=20)
def test_the_ledger_links_every_published_record_to_its_own_original(data, seed):
    try:
        release, ledger = road.publish(
            data, [KAnonymity(2)], Nothing(), randomness=Randomness(seed), withhold=Fraction(9, 10)
        )
    except (InputError, GuaranteeError):
        return
    before, after = oracles.observable(data), oracles.observable(release.records)
    assert [before[origin] for origin in ledger.origins] == after
    kept = [row for row in range(len(data)) if oracles.alike(before)[row] >= 2]
    assert sorted(ledger.origins.tolist()) == kept
    assert ledger.original is data


# ── audit ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def shoes(alone: int, n: int) -> Microdata:
    sizes = list(range(1000, 1000 + alone)) + [1] * (n - alone)
    return Microdata((column("age", QI, [31] * n), column("shoe", INSENSITIVE, sizes)))


def test_a_nearly_unique_insensitive_column_is_refused_unless_accepted():
    with pytest.raises(AuditRefused, match=r"'shoe' singles people out: 2 of 100 records.*--accept shoe"):
        road.publish(shoes(2, 100), [KAnonymity(2)], Nothing())
    with pytest.raises(WordingError, match=r"'age' is not insensitive.*Only insensitive columns can be accepted"):
        road.publish(shoes(2, 100), [KAnonymity(2)], Nothing(), accept=["age", "shoe"])
    release, _ = road.publish(shoes(2, 100), [KAnonymity(2)], Nothing(), accept=["shoe"])
    assert len(release.records) == 100


def test_one_in_a_hundred_is_not_yet_nearly_unique():
    release, _ = road.publish(shoes(1, 100), [KAnonymity(2)], Nothing())
    assert len(release.records) == 100
    with pytest.raises(AuditRefused):
        road.publish(shoes(1, 99), [KAnonymity(2)], Nothing())


# ── measure ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_report_is_what_counting_by_hand_gives():
    """All five zips become one label: each cell loses 1; one group of five."""
    _, ledger = road.publish(people(), [KAnonymity(5)], Mondrian(), accept=["empty"])
    assert ledger.group_sizes == {5: 1}
    assert ledger.report == {
        "distortion": 5.0,
        "distortion per cell": 1.0,
        "cells changed": 5,
        "ratings invented": 0,
        "ratings dropped": 0,
        "records withheld": 0,
        "cells kept": 0.0,
        "original and unique": 0.0,
        "discernability": 25,
        "average group size": 5.0,
        "normalized average group size": 1.0,
        "loss-mean": 1.0,
        "normalized certainty penalty": 1.0,
        "precision": 0.0,
        "distortion ratio": 1.0,
        "entropy loss": 1.0,
        # a third of the records for each zip in place of two, two and one fifth; illnesses are as they were
        "attribute distribution distance": pytest.approx((1 / 15 + 1 / 15 + 2 / 15) / 2 / 2),
    }


def test_the_report_on_ratings_is_what_counting_by_hand_gives():
    """One is moved by 1 and given a 3, one is moved by 1, one is withheld; the shuffle must not confuse who was who."""
    before = rated([[0, 2], [1, -1], [4, 4], [4, 3], [2, 2]])
    after = rated([[0, 2], [0, 2], [4, 4], [4, 4], [2, 2]])
    for seed in range(6):
        _, ledger = road.publish(
            before,
            [KAnonymity(2)],
            Lying(lambda _: dataclasses.replace(before, observable=after.observable)),
            randomness=Randomness(seed),
            withhold=Fraction(1, 5),
        )
        assert ledger.report == {
            "distortion": 1 + 3 + 1,
            "distortion per cell": 5 / 8,
            "cost": 1 + 3 + 1,
            "cells changed": 2,
            "ratings invented": 1,
            "ratings dropped": 0,
            "records withheld": 1,
            "ratings kept": 7 / 9,
            "ratings covered": 7 / 9,
            "cells kept": 5 / 9,
            "rating loss": pytest.approx((2 + 1 / 4 + 1 / 4) / 9),
            "original and unique": 0.0,
            "centroid shift": pytest.approx((abs(2 - 11 / 5) + abs(3 - 11 / 4)) / 2),
            "standard deviation shift": pytest.approx((abs(2 - 2.56**0.5) + abs(1 - 0.6875**0.5)) / 2),
            "discernability": 4 + 4 + 5,
            "average group size": 2.0,
            "normalized average group size": 1.0,
        }


@given(tables(min_records=2), st.sampled_from(["strict", "relaxed"]))
@settings(max_examples=20)
def test_the_report_agrees_with_the_definitions(data, mode):
    try:
        release, ledger = road.publish(data, [KAnonymity(2)], Mondrian(mode=mode))
    except (InputError, GuaranteeError):
        return
    original = data.take(ledger.origins)
    assert isinstance(release.records, Microdata)
    pairs = [(original[each.name], each) for each in release.records.quasi_identifiers]
    before, after = ([_words(pair[i]) for pair in pairs] for i in range(2))
    assert ledger.report["distortion"] == pytest.approx(oracles.table_distortion(before, after))
    changed = sum(a != b for old, new in zip(before, after, strict=True) for a, b in zip(old, new, strict=True))
    assert ledger.report["cells changed"] == changed
    sizes = Counter(oracles.tuples(release.records)).values()
    assert ledger.report["discernability"] == sum(size * size for size in sizes)


def _words(each: Column) -> list[str | None]:
    return each.values.cast(pl.String).to_list()


def test_a_secret_used_again_parts_equal_records_anew():
    """Who is told with whom under another promise is another draw: it does not follow the secret."""
    names = pl.Series([f"p{at}" for at in range(40)])
    columns = (
        Column.encode("name", Role.IDENTIFIER, names),
        Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([30] * 20 + [31] * 20)),
        Column.encode("ill", Role.SENSITIVE, pl.Series(["a"] * 40)),
    )
    seen = []
    for model in (KAnonymity(5), KAnonymity(5), KAnonymity(6)):
        method = _Drawing()
        road.publish(Microdata(columns), [model], method, randomness=Randomness(None, bytes(range(32))))
        seen.append(_Drawing.drawn)
    assert seen[0] == seen[1] != seen[2]


@dataclasses.dataclass(frozen=True)
class _Drawing(Anonymizer):
    """Publishes what it is given, and remembers what it drew."""

    name: ClassVar[str] = "drawing"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    drawn: ClassVar[int] = 0

    def _recode(self, records, models, engine, randomness, max_withheld):
        type(self).drawn = int(randomness.generator("ties").integers(2**60))
        return Recoding(records)
