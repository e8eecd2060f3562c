"""Results show what they are worth, and no value of a record: not on a terminal, nor in a notebook.

Every value of the data below contains a mark that nothing else contains.
"""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.data import Column, Microdata, Role
from shoal.display import Displayed
from shoal.io import ColumnSchema, Source, TableSchema
from shoal.jobs.measure import measure_several
from shoal.models import promises

MARK = re.compile(r"qz|977,?\d")
TABLE = """
kind = "table"
[columns.name]
role = "identifier"
[columns.age]
role = "quasi-identifier"
[columns.town]
role = "quasi-identifier"
hierarchy = { kind = "mask" }
[columns.job]
role = "insensitive"
[columns.disease]
role = "sensitive"
categories = [["qzflu", "qzcold"], ["qzache"]]
"""
RATINGS = 'kind = "ratings"\nlayout = "long"\nscale = [1, 5]\nsensitive = ["qzfilm-0"]\n'


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Displayed]:
    """Return one result of every job, on a table and on ratings."""
    return {**of_a_table(tmp_path_factory.mktemp("table")), **of_ratings(tmp_path_factory.mktemp("ratings"))}


def of_a_table(folder: Path) -> dict[str, Displayed]:
    lines = ["name,age,town,job,disease"]
    lines += [
        f"qzname{i},{977_000 + i % 40},qz{i % 9}{i % 7},qzjob,{('qzflu', 'qzcold', 'qzache')[i % 3]}"
        for i in range(120)
    ]
    (folder / "people.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "people.toml").write_text(TABLE, encoding="utf-8")
    source = shoal.read(folder / "people.csv", folder / "people.toml")
    asked = ["k-anonymity:k=4", "l-diversity:l=2,kind=distinct"]
    check = shoal.check(source, asked)
    release, ledger = folder / "release", folder / "ledger"
    published = shoal.publish(source, models=asked, method="mondrian", out=str(release), ledger=str(ledger), seed=1)
    return {
        "Source, a table": source,
        "Verdict": check.verdicts[0],
        "CheckResult": check,
        "PublishResult": published,
        "VerifyResult": shoal.verify(release),
        "AttackResult": shoal.attack(release, ledger),
        "MeasureResult": shoal.measure(release, ledger),
        "SeveralMeasured": measure_several([release], [ledger]),
        "ReportResult": shoal.report(release, ledger, folder / "report.html"),
        "LatticeResult": shoal.lattice(source, asked, minimal=True),
        "SweepResult": shoal.sweep(source, k=[2, 4, 200], method=["mondrian", "lattice"], out=folder / "sweep", jobs=1),
    }


def of_ratings(folder: Path) -> dict[str, Displayed]:
    lines = ["user,item,rating"]
    lines += [f"qzuser{i},qzfilm-{j},{1 + (i // 3 + j) % 5}" for i in range(30) for j in range(6) if (i // 3 + j) % 4]
    (folder / "ratings.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "ratings.toml").write_text(RATINGS, encoding="utf-8")
    source = shoal.read(folder / "ratings.csv", folder / "ratings.toml")
    release, ledger = folder / "release", folder / "ledger"
    asked = ["k-epsilon:k=3,epsilon=1"]
    published = shoal.publish(source, models=asked, method="align", out=str(release), ledger=str(ledger), seed=1)
    grid = {"k": [2, 3], "epsilon": [0, 1], "method": ["align"], "out": folder / "sweep", "jobs": 1}
    return {
        "Source, ratings": source,
        "CheckResult, ratings": shoal.check(source, ["k-epsilon:k=25,epsilon=0"]),
        "LimitsResult": shoal.limits(source, {"k": 3}),
        "PublishResult, ratings": published,
        "AttackResult, ratings": shoal.attack(release, ledger),
        "MeasureResult, ratings": shoal.measure(release, ledger),
        "ReportResult, ratings": shoal.report(release, ledger, folder / "report.html"),
        "SweepResult, ratings": shoal.sweep(source, **grid),
    }


ROLES = [role for role in Role if role not in (Role.WEIGHT, Role.HOUSEHOLD, Role.STRATUM)]  # those may not repeat
VALUES = st.text(max_size=5).map("qz{}".format)
NAMES = st.text(st.characters(exclude_characters="qz", exclude_categories=["Cs"]), min_size=1, max_size=60)


@st.composite
def sources(draw: st.DrawFn) -> Source:
    """Draw a table whose every value is marked, under whatever names."""
    names, rows = draw(st.lists(NAMES, min_size=1, max_size=12, unique=True)), draw(st.integers(2, 8))
    columns = [
        Column.encode(
            name,
            Role.QUASI_IDENTIFIER if not i else draw(st.sampled_from(ROLES)),
            pl.Series(draw(st.lists(VALUES, min_size=rows, max_size=rows)), dtype=pl.String),
        )
        for i, name in enumerate(names)
    ]
    schema = TableSchema(columns={column.name: ColumnSchema(role=column.role) for column in columns})
    return Source(Microdata(tuple(columns)), schema, (), tuple(names))


@given(sources())
def test_whatever_the_names_are_no_value_of_a_table_is_shown(source: Source) -> None:
    for result in (source, shoal.check(source, ["k-anonymity:k=2"])):
        assert not MARK.search(repr(result))
        assert not MARK.search(result._repr_html_())
        ET.fromstring(result._repr_html_())


def test_no_value_of_a_record_is_shown(shown) -> None:
    for name, result in shown.items():
        assert not MARK.search(repr(result)), name
        assert not MARK.search(result._repr_html_()), name


def test_a_result_is_a_few_lines_on_a_terminal(shown) -> None:
    for name, result in shown.items():
        lines = repr(result).split("\n")
        assert lines[0].partition(":")[0] in (name.partition(",")[0], "k-anonymity")
        assert len(lines) <= 40, name
        assert max(map(len, lines)) <= 108, name


def test_a_result_is_one_closed_piece_of_small_html(shown) -> None:
    for name, result in shown.items():
        html = result._repr_html_()
        ET.fromstring(html)
        assert len(html) < 60_000, name
        assert set(re.findall(r"https?://[^\"' <]+", html)) <= {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize(
    ("name", "charts"),
    [
        ("PublishResult", 1),
        ("AttackResult", 1),
        ("ReportResult", 3),
        ("ReportResult, ratings", 4),
        ("SweepResult", 2),
        ("SweepResult, ratings", 2),
        ("Source, a table", 0),
        ("LatticeResult", 1),
    ],
)
def test_charts_are_drawn_in_a_notebook(shown, name: str, charts: int) -> None:
    html = shown[name]._repr_html_()
    assert html.count("<svg ") == html.count('role="img"') == html.count("<figcaption>") == charts
    assert "<svg" not in repr(shown[name])


def test_a_source_names_columns_by_their_roles(shown) -> None:
    assert repr(shown["Source, a table"]).split("\n")[:5] == [
        "Source: a table of 120 records",
        "  identifier        name",
        "  quasi-identifier  age, town",
        "  insensitive       job",
        "  sensitive         disease",
    ]
    assert repr(shown["Source, ratings"]).split("\n")[:3] == [
        "Source: ratings of 30 people",
        "  items    6, 1 of them sensitive",
        "  ratings  135 (75 % of what could be rated), 1 to 5",
    ]


def test_a_verdict_tells_what_is_reached_and_how_many_break_it(shown) -> None:
    assert repr(shown["Verdict"]).split("\n")[:3] == [
        "k-anonymity:k=4: does not hold",
        "  reached     k = 1",
        f"  violations  {shown['Verdict'].violations}",
    ]


def test_a_check_has_a_line_for_each_promise(shown) -> None:
    lines = repr(shown["CheckResult"]).split("\n")
    assert lines[0] == "CheckResult: does not hold (120 records)"
    assert [line.split()[0] for line in lines[3:5]] == ["k-anonymity:k=4", "l-diversity:l=2,kind=distinct"]
    assert repr(shown["VerifyResult"]).startswith("VerifyResult: holds (")
    assert "publisher's word" in repr(shown["VerifyResult"])


def test_a_vacuous_promise_is_told_beside_its_verdict(shown) -> None:
    verdict = shown["CheckResult, ratings"].verdicts[0]
    assert all(sentence in verdict._repr_html_().replace("&#x27;", "'") for sentence in verdict.remarks)


def test_a_release_shows_its_certificate(shown) -> None:
    from shoal.anonymizers import methods
    from shoal.road import publish

    release, _ = publish(shown["Source, a table"].records, [promises.read("k-anonymity:k=4")], methods.read("mondrian"))
    lines = repr(release).split("\n")
    assert re.fullmatch(r"Release: 120 records in \d+ equivalence classes", lines[0])
    assert lines[1] == f"  method  {release.certificate.method}"
    assert "k-anonymity:k=4" in lines[4]
    assert repr(release.certificate).startswith("Certificate: 120 records in")
    assert not MARK.search(repr(release) + release._repr_html_())


def test_a_sweep_shows_what_each_promise_costs_and_which_are_refused(shown) -> None:
    text = repr(shown["SweepResult"])
    assert text.startswith("SweepResult: 6 points on 120 records, 2 refused")
    assert text.count("refused") == 3
    assert "ε = 0" in repr(shown["SweepResult, ratings"])


def test_limits_show_what_was_found(shown) -> None:
    result = shown["LimitsResult"]
    assert repr(result).startswith("LimitsResult: 30 records, given k = 3\n  smallest epsilon  0\n  largest l ")
    assert str(result.promise) in repr(result)


def test_a_description_draws_numbers_for_the_owner_and_no_words(shown) -> None:
    description = shoal.describe(shown["Source, a table"])
    html = description._repr_html_()
    ET.fromstring(html)
    assert not MARK.search(repr(description))
    assert "qz" not in html
    assert re.findall('<figure class="s"><figcaption><strong>(.*?)</strong> (.*?)</figcaption>', html) == [
        ("age", "977,000 to 977,039")
    ]


def test_the_ledger_of_a_release_in_memory_shows_what_was_kept(shown) -> None:
    release, ledger = shoal.anonymize(shown["Source, a table"], None, "k-anonymity:k=4", method="mondrian", ledger=True)
    assert repr(ledger).startswith("OwnerLedger: 120 of 120 records published\n  kept  ")
    for each in (release, ledger):
        assert not MARK.search(repr(each) + each._repr_html_())
        ET.fromstring(each._repr_html_())
