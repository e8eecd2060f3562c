"""What is said twice or in vain is refused, never ignored: whoever says it expects it to count."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import shoal
from cli.files import write_long, write_survey, write_table
from desk_oracle import SQUARE, write_files
from shoal.anonymizers import Microaggregation, methods
from shoal.anonymizers.decomposition.purpose import Purpose
from shoal.desk import Desk, Policy
from shoal.errors import InputError, WordingError
from shoal.plan import Plan

K3 = ["k-anonymity:k=3"]
KE = ["k-epsilon:k=2,epsilon=1"]


class Files:
    """Data of every kind, and a release of a table with its ledger."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.table, self.table_schema = write_table(folder)
        self.survey, self.survey_schema = write_survey(folder)
        self.long, self.long_schema = write_long(folder)

    @property
    def source(self) -> Any:
        return shoal.read(self.table, self.table_schema)

    @property
    def plan(self) -> Plan:
        named = {"data": str(self.table), "schema": str(self.table_schema), "models": tuple(K3)}
        return Plan.of(**named, out=str(self.folder / "planned"))

    @property
    def release(self) -> tuple[Path, Path]:
        return self.folder / "release", self.folder / "ledger"

    def publish(self) -> None:
        out, ledger = self.release
        shoal.publish(self.source, models=K3, method="mondrian", out=str(out), ledger=str(ledger))


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


Call = Callable[[Files], object]
VAIN: dict[str, tuple[Call, str]] = {
    "read: a schema of what was read": (lambda f: shoal.read(f.source, f.table_schema), "read with a schema already"),
    "read: duplicates in what was read": (lambda f: shoal.read(f.source, duplicates="mean"), "read already"),
    "read: duplicates in a table": (lambda f: shoal.read(f.table, f.table_schema, duplicates="last"), "a table"),
    "read: duplicates in a survey": (
        lambda f: shoal.read(f.survey, f.survey_schema, duplicates="mean"),
        "one person a line",
    ),
    "describe": (lambda f: shoal.describe(f.source, f.table_schema), "read with a schema already"),
    "check: schema": (lambda f: shoal.check(f.source, K3, f.table_schema), "read with a schema already"),
    "check: duplicates": (lambda f: shoal.check(f.source, K3, duplicates="last"), "read already"),
    "check: a search on a table": (
        lambda f: shoal.check(f.source, K3, search="pairwise"),
        "none of these promises is about them",
    ),
    "check: a search for groups of ratings": (
        lambda f: shoal.check(f.long, ["k-anonymity:k=2"], f.long_schema, search="slicing"),
        "none of these promises is about them",
    ),
    "check: force": (lambda f: shoal.check(f.source, K3, force=True), "nothing to replace"),
    "limits: schema": (
        lambda f: shoal.limits(shoal.read(f.survey, f.survey_schema), {"k": 2}, f.survey_schema),
        "read with a schema already",
    ),
    "limits: a spread of nothing": (
        lambda f: shoal.limits(f.long, {"k": 2}, f.long_schema, spread="pairwise"),
        "no issue is declared sensitive",
    ),
    "limits: nulls of nothing": (
        lambda f: shoal.limits(f.long, {"k": 2}, f.long_schema, all_null="accept"),
        "no issue is declared sensitive",
    ),
    "sweep: schema": (
        lambda f: shoal.sweep(f.source, k=[2], method="none", out=f.folder / "s", schema=f.table_schema),
        "read with a schema already",
    ),
    "sweep: semantics of a table": (
        lambda f: shoal.sweep(f.source, k=[2], method="none", out=f.folder / "s", semantics="partition"),
        "no neighborhoods",
    ),
    "lattice: schema": (lambda f: shoal.lattice(f.source, K3, f.table_schema), "read with a schema already"),
    "lattice: force": (lambda f: shoal.lattice(f.source, K3, force=True), "nothing to replace"),
    "publish: a plan and promises": (
        lambda f: shoal.publish(f.plan, models=["k-anonymity:k=50"]),
        "A plan says everything, and 'models' is given as well",
    ),
    "publish: a plan and a folder": (lambda f: shoal.publish(f.plan, out="o"), "'out' is given as well"),
    "publish: a plan and a seed": (lambda f: shoal.publish(f.plan, seed=1), "'seed' is given as well"),
    "publish: schema": (
        lambda f: shoal.publish(f.source, schema=str(f.table_schema), models=K3, out="o"),
        "read already, and 'schema' is given as well",
    ),
    "publish: schema by its other name": (
        lambda f: shoal.publish(f.source, schema_file=str(f.table_schema), models=K3, out="o"),
        "'schema_file' is given as well",
    ),
    "publish: duplicates": (
        lambda f: shoal.publish(f.source, duplicates="mean", models=K3, out="o"),
        "'duplicates' is given as well",
    ),
    "publish: duplicates of a table": (
        lambda f: shoal.publish(f.table, schema=str(f.table_schema), duplicates="mean", models=K3, out="o"),
        "a table",
    ),
    "publish: expand": (
        lambda f: shoal.publish(f.source, models=K3, method="mondrian", expand=True, out=str(f.folder / "o")),
        "nothing to expand",
    ),
    "publish: expand ratings": (
        lambda f: shoal.publish(
            f.survey, schema=str(f.survey_schema), models=KE, method="none", expand=True, out=str(f.folder / "o")
        ),
        "nothing to expand",
    ),
    "publish: boost": (
        lambda f: shoal.publish(f.source, models=K3, method="mondrian", boost="30%", out=str(f.folder / "o")),
        "no setting 'boost'",
    ),
    "publish: time": (
        lambda f: shoal.publish(f.source, models=K3, method="mondrian", time="30s", out=str(f.folder / "o")),
        "no setting 'time'",
    ),
    "publish: time twice": (
        lambda f: shoal.publish(
            f.source, models=K3, method="microaggregation:time=5", time="30s", out=str(f.folder / "o")
        ),
        "'time' twice",
    ),
    "attack: schema of a release": (
        lambda f: shoal.attack(f.release[0], f.release[1], schema=f.table_schema),
        "has its own schema",
    ),
    "attack: schema of what was read": (
        lambda f: shoal.attack(f.source, schema=f.table_schema),
        "read with a schema already",
    ),
    "attack: population": (
        lambda f: shoal.attack(f.source, wordings=["homogeneity"], population=f.table),
        "takes 'population' into account",
    ),
    "attack: population of a prosecutor": (
        lambda f: shoal.attack(f.source, wordings=["risk:model=prosecutor"], population=f.table),
        "takes 'population' into account",
    ),
    "attack: dates": (
        lambda f: shoal.attack(f.long, wordings=["structure:items=1"], schema=f.long_schema, dates="timestamp"),
        "takes 'dates' into account",
    ),
    "attack: other releases": (
        lambda f: shoal.attack(*f.release, wordings=["homogeneity"], also=[f.release]),
        "takes 'also' into account",
    ),
    "attack: people outside": (
        lambda f: shoal.attack(*f.release, wordings=["homogeneity"], outside=f.table),
        "takes 'outside' into account",
    ),
    "report: people outside": (
        lambda f: shoal.report(*f.release, f.folder / "r.html", wordings=["homogeneity"], outside=f.table),
        "takes 'outside' into account",
    ),
    "attack: ledger of raw data": (lambda f: shoal.attack(f.source, f.release[1]), "Only a release has a ledger"),
    "measure: predict": (lambda f: shoal.measure(*f.release, prediction="target=disease"), "Add --all"),
    "measure: queries": (lambda f: shoal.measure(*f.release, queries="width=2"), "Add --all"),
    "measure: test on": (lambda f: shoal.measure(*f.release, test_on=f.release), "Add --all"),
    "measure: features of a table": (
        lambda f: shoal.measure(*f.release, everything=True, prediction="features=3"),
        "predicted from all other columns",
    ),
    "measure: useful": (lambda f: shoal.measure(*f.release, useful="age:1"), "Add --all"),
    "lookup: tolerance of a table": (
        lambda f: shoal.lookup(f.release[0], f.folder / "me.csv", tolerance=1),
        "Only ratings are compared within a tolerance",
    ),
    "hierarchy: sizes of two kinds": (
        lambda f: shoal.suggest_hierarchy(f.source, column="age", widths=[5], parts=[4]),
        "--widths are of intervals",
    ),
    "hierarchy: sizes of another kind": (
        lambda f: shoal.suggest_hierarchy(f.source, column="age", kind="mask", widths=[5]),
        "--widths are of intervals",
    ),
    "hierarchy: force": (
        lambda f: shoal.suggest_hierarchy(f.source, column="age", force=True),
        "nothing to replace",
    ),
    "hierarchy: schema": (
        lambda f: shoal.suggest_hierarchy(f.source, f.table_schema, column="age"),
        "read with a schema already",
    ),
}


@pytest.mark.parametrize("case", VAIN)
def test_what_would_be_ignored_is_refused_and_nothing_is_written(
    case: str, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files.folder)
    if case.startswith(("attack", "report", "measure", "lookup")):
        files.publish()
    before = sorted(files.folder.iterdir())
    call, phrase = VAIN[case]
    with pytest.raises(InputError) as refusal:
        call(files)
    assert phrase in str(refusal.value)
    assert sorted(files.folder.iterdir()) == before


def test_a_plan_alone_and_with_force_is_honored(files: Files) -> None:
    assert shoal.publish(files.plan).release == str(files.folder / "planned")
    assert shoal.publish(files.plan, force=True).holds


def test_what_counts_is_not_refused(files: Files) -> None:
    """The same words where they say something."""
    files.publish()
    assert shoal.read(files.long, files.long_schema, duplicates="mean")
    assert shoal.check(files.survey, KE, files.survey_schema, search="pairwise").records == 40
    assert shoal.limits(files.survey, {"k": 2}, files.survey_schema, spread="pairwise", all_null="accept").records == 40
    assert shoal.measure(*files.release, everything=True, prediction="target=disease", useful="age:1").measures
    assert shoal.attack(files.source, wordings=["homogeneity", "risk:model=journalist"], population=files.table)
    dated = shoal.attack(
        files.long, wordings=["structure:items=1", "scoreboard:items=1"], schema=files.long_schema, dates="timestamp"
    )
    assert len(dated.findings) == 2


@pytest.mark.parametrize(
    ("wording", "phrase"),
    [
        ("microaggregation:method=mdav,gamma=1/2", "knows no gamma"),
        ("microaggregation:gamma=1/2", "knows no gamma"),
        ("microaggregation:method=mdav,bins=5", "knows no bins"),
        ("microaggregation:method=v-mdav,passes=5", "knows no passes"),
        ("microaggregation:method=mdav,time=5", "knows no time"),
        ("microaggregation:passes=5,time=5", "a time or a number of passes"),
        ("lattice:loss=discernability,weights=age:2", "weighs no quasi-identifier"),
        ("lattice:loss=average-group-size,weights=age:2", "weighs no quasi-identifier"),
        ("decomposition:degree=1/2,beta=2", "beta says nothing"),
        ("decomposition:degree=1/2,bins=5", "only where priorities are"),
        ("decomposition:degree=1/2,priorities=age:1,bins=5", "only where priorities are"),
    ],
)
def test_a_setting_of_a_method_that_says_nothing_is_refused(wording: str, phrase: str) -> None:
    with pytest.raises(WordingError) as refusal:
        methods.read(wording)
    assert phrase in str(refusal.value)


def test_settings_in_full_as_certificates_have_them_are_read() -> None:
    for method in (
        Microaggregation(),
        Microaggregation(method="v-mdav", gamma=Fraction(1, 2)),
        Microaggregation(method="approximate", bins=5),
        Microaggregation(passes=3),
        Microaggregation(time=3),
    ):
        assert methods.read(str(method)) == method
    assert Purpose(target="age", bins=5).bins == 5


def test_earlier_data_in_memory_need_no_schema_at_the_desk(tmp_path: Path) -> None:
    data, schema = write_files(tmp_path, SQUARE)
    book = Desk.create(tmp_path / "desk.sqlite")
    book.set_requester("ann", 1)
    book.add_purpose("first", Purpose(priorities="one:1;two:0.5"))
    policy = Policy(("k-anonymity:k=2",), purpose="first")
    shoal.register(tmp_path / "desk.sqlite", "crowd", data, schema, policy=policy)
    asked: dict[str, Any] = {"requester": "ann", "purpose": "first"}
    source = shoal.read(data, schema)
    with pytest.raises(WordingError, match="read with a schema already"):
        shoal.request(tmp_path / "desk.sqlite", "crowd", source, schema, out=tmp_path / "o", **asked)
    given = shoal.request(
        tmp_path / "desk.sqlite", "crowd", data, schema, out=tmp_path / "o", earlier=[source], **asked
    )
    assert given.records == 16
