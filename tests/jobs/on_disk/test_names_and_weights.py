"""What names people and says whom they stand for is understood on disk as in memory, and in ledgers as in both."""

import shutil
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.errors import FileError, InputError, PromiseNotKept, ShoalError
from stated_parts import state_anew

ENGINES = ("local", "stream")
PERSON = {"kind": "table", "person": "who", "columns": {"who": "identifier", "age": "quasi-identifier"}}
K2 = ["k-anonymity:k=2"]
LARGE = 2**63


def _typed(kind: str) -> dict:
    return {**PERSON, "columns": {**PERSON["columns"], "who": {"role": "identifier", "type": kind}}}


def test_a_date_names_one_person_however_it_is_written(tmp_path: Path) -> None:
    others = "".join(f"2020-02-{day:02},40\n" for day in range(1, 9))
    (tmp_path / "days.csv").write_text(f"who,age\n2020-01-05,30\n2020-1-5,30\n{others}")
    asked = {"models": K2, "method": "none"}
    for engine in ENGINES:
        with pytest.raises(PromiseNotKept, match="reached: k = 1"):
            shoal.publish(tmp_path / "days.csv", _typed("date"), out=tmp_path / "out", engine=engine, **asked)


@pytest.mark.parametrize(
    ("who", "kind"),
    [
        (["1", "1.0", "2", "3"], None),
        (["1", "1e0", "2", "3"], "number"),
        (["2020-01-05", "2020-1-5", "2020-02-01", "2020-02-02"], "date"),
        (["2020-01-05T10:00:00", "2020-01-05T10:00:00", "2020-02-01T10:00:00", "2020-02-01T11:00:00"], "date"),
        (["a", " a", "b", "c"], None),
    ],
)
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_release_agrees_with_its_own_ledger(tmp_path: Path, who: list[str], kind: str | None, suffix: str) -> None:
    frame, file = pl.DataFrame({"who": who, "age": [3, 3, 3, 3]}), tmp_path / f"people.{suffix}"
    frame.write_csv(file) if suffix == "csv" else frame.write_parquet(file)
    schema = PERSON if kind is None else _typed(kind)
    for engine in ENGINES:
        out, ledger = tmp_path / engine, tmp_path / f"{engine} ledger"
        shoal.publish(file, schema, K2, out=out, ledger=ledger, method="none", engine=engine)
        assert shoal.check(file, K2, schema, engine=engine).verdicts == shoal.check(file, K2, schema).verdicts
        for verifying in ENGINES:
            assert shoal.verify(out, ledger, engine=verifying).holds


@pytest.mark.parametrize(
    "who",
    [
        pl.Series([LARGE + 1, LARGE + 2, LARGE + 2], dtype=pl.UInt64),
        pl.Series([1, 2, 2], dtype=pl.UInt64),
        pl.Series([LARGE + 1, LARGE + 2, -1], dtype=pl.Int128),
        pl.Series([f"{10**20}.01", f"{10**20}.02", f"{10**20}.02"]).cast(pl.Decimal(38, 2)),
        pl.Series([1.5, 2.5, 2.5]),
    ],
)
def test_numbers_of_any_size_tell_people_apart(tmp_path: Path, who: pl.Series) -> None:
    pl.DataFrame({"who": who, "age": [3, 3, 3]}).write_parquet(tmp_path / "people.parquet")
    found = [shoal.check(tmp_path / "people.parquet", K2, PERSON, engine=each).verdicts for each in ENGINES]
    assert found[0] == found[1]
    assert found[0][0].level["k"] == who.n_unique()
    alone = {"kind": "table", "columns": PERSON["columns"]}
    for engine in ENGINES:
        if who.n_unique() == len(who):
            assert shoal.check(tmp_path / "people.parquet", K2, alone, engine=engine).holds
        else:
            with pytest.raises(InputError, match="repeat"):
                shoal.check(tmp_path / "people.parquet", K2, alone, engine=engine)


@pytest.mark.parametrize(
    ("values", "role"),
    [
        ([-1.0, 1.0, 1.0, 1.0], "weight"),
        ([0.0, 1.0, 1.0, 1.0], "weight"),
        ([None, 1.0, 1.0, 1.0], "weight"),
        ([float("nan"), 1.0, 1.0, 1.0], "weight"),
        ([1e16, 1.0, 1.0, 1.0], "weight"),
        (["a", "1", "1", "1"], "weight"),
        ([None, "h", "h", "h"], "household"),
    ],
)
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_unfit_weights_and_households_are_refused(tmp_path: Path, values: list, role: str, suffix: str) -> None:
    frame, file = pl.DataFrame({"age": [1, 1, 2, 2], "said": values}), tmp_path / f"people.{suffix}"
    frame.write_csv(file) if suffix == "csv" else frame.write_parquet(file)
    schema, told = {"kind": "table", "columns": {"age": "quasi-identifier", "said": role}}, []
    for engine in ENGINES:
        with pytest.raises(ShoalError) as refused:
            shoal.check(file, K2, schema, engine=engine)
        told.append(str(refused.value))
    assert told[0] == told[1]


def test_fit_weights_and_households_are_taken(tmp_path: Path) -> None:
    weights = {
        "integers": [1, 2, 3, 4],
        "reals": [1.5, 2, 3, 4],
        "exact": pl.Series(["1.50", "2", "3", "4"]).cast(pl.Decimal(9, 2)),
    }
    for name, each in weights.items():
        file = tmp_path / f"{name}.parquet"
        pl.DataFrame({"age": [1, 1, 2, 2], "weight": each, "home": ["a", "a", "b", "b"]}).write_parquet(file)
        roles = {"age": "quasi-identifier", "weight": "weight", "home": "household"}
        for engine in ENGINES:
            assert shoal.check(file, K2, {"kind": "table", "columns": roles}, engine=engine).holds


@pytest.mark.parametrize("made", ENGINES)
@pytest.mark.parametrize("row", [pl.col("row") + 100, -pl.col("row") - 1, pl.lit(None, pl.Int64), pl.lit("x")])
def test_links_that_lead_nowhere_are_refused(tmp_path: Path, made: str, row: pl.Expr) -> None:
    file, out, ledger = tmp_path / "people.parquet", tmp_path / "out", tmp_path / "ledger"
    pl.DataFrame({"who": ["a", "a", "b", "c"], "age": [3, 3, 3, 3]}).write_parquet(file)
    shoal.publish(file, PERSON, K2, out=out, ledger=ledger, method="none", engine=made)
    links = ledger / "links.parquet" if made == "local" else next((ledger / "links").iterdir())
    pl.read_parquet(links).with_columns(row=row).write_parquet(links)
    if made == "stream":
        state_anew(ledger)
    for engine in ENGINES:
        with pytest.raises(FileError, match="damaged"):
            shoal.verify(out, ledger, engine=engine)


def test_the_schema_of_another_ledger_is_refused(tmp_path: Path) -> None:
    for name, person in (("one", "who"), ("two", "pid")):
        file = tmp_path / f"{name}.parquet"
        pl.DataFrame({person: ["a", "a", "b", "c"], "age": [3, 3, 3, 3]}).write_parquet(file)
        schema = {"kind": "table", "person": person, "columns": {person: "identifier", "age": "quasi-identifier"}}
        shoal.publish(
            file, schema, K2, out=tmp_path / name, ledger=tmp_path / f"{name} ledger", method="none", engine="stream"
        )
    shutil.copy(tmp_path / "two ledger" / "original.schema.toml", tmp_path / "one ledger")
    for engine in ENGINES:
        with pytest.raises(ShoalError, match="column"):
            shoal.verify(tmp_path / "one", tmp_path / "one ledger", engine=engine)
