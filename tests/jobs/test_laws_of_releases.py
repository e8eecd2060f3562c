"""What holds of every release, whatever the data: the jobs agree with each other, and with plain counting."""

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.errors import GuaranteeError
from shoal.jobs.sweep import SweepResult

SCHEMA = """
kind = "table"
[columns.name]
role = "identifier"
[columns.age]
role = "quasi-identifier"
[columns.zip]
role = "quasi-identifier"
hierarchy = { kind = "mask" }
[columns.disease]
role = "sensitive"
"""
ROW = st.tuples(st.integers(20, 25), st.sampled_from(["4350", "4351", "4370"]), st.sampled_from(["flu", "asthma"]))
ROWS = st.lists(ROW, min_size=4, max_size=24)
PROMISES = st.lists(
    st.sampled_from(["k-anonymity:k=2", "k-anonymity:k=3", "l-diversity:l=2,kind=distinct"]),
    min_size=1,
    max_size=2,
    unique=True,
)


@contextmanager
def written(rows: list[tuple[int, str, str]]) -> Iterator[tuple[Path, Path, Path]]:
    """Yield a folder, and a table and its schema in it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data, schema = folder / "people.csv", folder / "people.toml"
        lines = [f"person {number},{','.join(map(str, row))}" for number, row in enumerate(rows)]
        data.write_text("\n".join(["name,age,zip,disease", *lines, ""]), encoding="utf-8")
        schema.write_text(SCHEMA, encoding="utf-8")
        yield folder, data, schema


@settings(max_examples=25, deadline=None)
@given(rows=ROWS, promises=PROMISES, method=st.sampled_from(["mondrian", "lattice", "none"]))
def test_what_is_published_verifies_and_what_is_refused_leaves_nothing(rows, promises, method):
    with written(rows) as (folder, data, schema):
        release, ledger = folder / "release", folder / "ledger"
        ask = {"schema": schema, "models": promises, "method": method, "out": release, "ledger": ledger}
        try:
            made = shoal.publish(data, **ask, accept=["empty"])
        except GuaranteeError:
            assert not release.exists()
            assert not ledger.exists()
            return
        alone, beside = shoal.verify(release), shoal.verify(release, ledger)
        assert alone.holds
        assert beside.holds
        assert alone.records == made.records_out == len(rows)
        # whoever reads the published file as any other comes to the same verdicts
        read = shoal.check(release / "data.csv", promises, release / "schema.toml")
        assert [_verdict(each) for each in read.verdicts] == [_verdict(each) for each in alone.verdicts]
        assert sum(size * groups for size, groups in made.group_sizes.items()) == len(rows)
        assert sum(made.group_sizes.values()) == made.groups


@settings(max_examples=25, deadline=None)
@given(rows=ROWS)
def test_a_release_in_which_nothing_changed_costs_nothing(rows):
    """Every record is there twice, so that 2-anonymity holds as the table stands."""
    with written(rows + rows) as (folder, data, schema):
        release, ledger = folder / "release", folder / "ledger"
        ask = {"schema": schema, "models": ["k-anonymity:k=2"], "out": release, "ledger": ledger}
        made = shoal.publish(data, method="none", accept=["empty"], **ask)
        assert (made.cells_changed, made.distortion, made.cells_kept, made.loss) == (0, 0.0, 1.0, 0.0)
        measures = shoal.measure(release, ledger).measures
        assert (measures["cells changed"], measures["records withheld"], measures["loss-mean"]) == (0, 0, 0.0)


@settings(max_examples=25, deadline=None)
@given(rows=ROWS, who=st.integers(0, 23), known=st.sampled_from([("age",), ("zip",), ("age", "zip")]))
def test_lookup_finds_the_records_that_are_covered_and_no_others(rows, who, known):
    with written(rows + rows) as (folder, data, schema):
        release, me = folder / "release", folder / "me.csv"
        models = ["k-anonymity:k=2"]
        shoal.publish(data, schema=schema, models=models, method="none", out=release, accept=["empty"])
        person = dict(zip(("age", "zip", "disease"), rows[who % len(rows)], strict=True))
        me.write_text(f"{','.join(known)}\n{','.join(str(person[name]) for name in known)}\n", encoding="utf-8")
        (fit,) = shoal.lookup(release, me, schema=schema).fits
        alike = [row for row in rows + rows if all(row[("age", "zip").index(name)] == person[name] for name in known)]
        assert (fit.records, fit.people, fit.unclear) == (len(alike), len(alike), 0)
        (disease,) = fit.sensitive
        assert dict(disease.among) == Counter(row[2] for row in alike)


@settings(max_examples=25, deadline=None)
@given(rows=ROWS, k=st.integers(2, 4))
def test_everybody_finds_at_least_k_records_that_may_be_theirs(rows, k):
    with written(rows) as (folder, data, schema):
        release, me = folder / "release", folder / "me.csv"
        models = [f"k-anonymity:k={k}"]
        shoal.publish(data, schema=schema, models=models, method="mondrian", out=release, accept=["empty"])
        age, code, _ = rows[0]
        me.write_text(f"age,zip\n{age},{code}\n", encoding="utf-8")
        (fit,) = shoal.lookup(release, me, schema=schema).fits
        assert fit.records >= k


@settings(max_examples=25, deadline=None)
@given(rows=ROWS, k=st.integers(2, 4))
def test_an_explanation_has_a_line_for_every_record_in_a_class_that_is_too_small(rows, k):
    with written(rows) as (folder, data, schema):
        file = folder / "who.csv"
        checked = shoal.check(data, [f"k-anonymity:k={k}"], schema, explain=file)
        sizes = Counter(row[:2] for row in rows)
        expected = [(str(place), sizes[row[:2]] - 1) for place, row in enumerate(rows, 1) if sizes[row[:2]] < k]
        frame = pl.read_csv(file, schema_overrides={"record": pl.String})
        assert sorted(frame.select("record", "others").rows()) == sorted(expected)
        assert checked.verdicts[0].violations == len(expected)
        assert checked.holds == (not expected)


@settings(max_examples=10, deadline=None)
@given(rows=ROWS, grid=st.permutations([2, 3, 4]), cut=st.integers(1, 2))
def test_a_sweep_in_two_runs_comes_out_like_one(rows, grid, cut):
    with written(rows) as (folder, data, schema):

        def swept(name: str, values: list[int]) -> SweepResult:
            return shoal.sweep(data, schema=schema, k=values, method=["none"], out=folder / name, jobs=1)

        swept("parts", grid[:cut])
        resumed, whole = swept("parts", grid), swept("whole", grid)
        assert (resumed.run, whole.run) == (3 - cut, 3)
        assert [_point(each) for each in resumed.points] == [_point(each) for each in whole.points]


def _verdict(verdict) -> tuple[object, ...]:
    return verdict.promise, verdict.holds, dict(verdict.level), verdict.violations


def _point(point: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in point.items() if name not in ("seconds", "peak_mib")}
