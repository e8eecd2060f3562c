"""What insensitive columns give away beside a release that is certified k-anonymous, and that the audit refuses them.

Adult with its years of schooling called insensitive, which are one to one with the quasi-identifier education;
all of it with the relationship besides; Census-Income with the major group of the occupation, which follows from the
quasi-identifier occupation; the survey ECR read as a table with eighteen
answers called insensitive; and how long the audit takes on a million made records with twenty such columns. Needs the
data sets beside the project; the last part does not.

*Before* is what the audit looked at until then, one column at a time: whether more than one record in a hundred carries
a value that nobody else carries.
"""

from pathlib import Path

import numpy as np
import polars as pl

from adult import ADULT, SALARY_SENSITIVE, adult
from census import census_columns, census_frame
from measuring import SHARED, measured
from shoal import road
from shoal.anonymizers import Mondrian
from shoal.attacks import Exposure, TableRisk
from shoal.column_audit import audit_columns
from shoal.data import Column, Microdata, Role
from shoal.engines import LocalEngine
from shoal.errors import AuditRefused
from shoal.evidence import equal_tuples
from shoal.models import KAnonymity
from shoal.randomness import Randomness

K = 5
SURVEY = SHARED / "surveys" / "ecr" / "data.csv"
PLACES = {"age": 0, "occupation": 3, "education": 4, "marital status": 7, "race": 10, "sex": 12}


def main(folder: Path) -> dict[str, float]:
    """Tell each case before and after, and the time of the audit."""
    results: dict[str, float] = {}
    if ADULT.exists():
        results |= _case("adult", _adult(folder))
        results |= _case("adult_all", _adult_all())
    frame = census_frame()
    if frame is not None:
        results |= _case("census", _census(frame))
    if SURVEY.exists():
        results |= _case("survey", _survey())
    return {**results, **_growth()}


def _case(name: str, table: Microdata) -> dict[str, float]:
    """Publish although the audit objects, and say what whoever reads the columns beside the release is left with."""
    columns = table.with_role(Role.INSENSITIVE)
    accept = [column.name for column in columns]
    release, ledger = road.publish(table, [KAnonymity(K)], Mondrian(), randomness=Randomness(1), accept=accept)
    seen = release.records
    assert isinstance(seen, Microdata)
    sizes = _alike(seen, (*seen.quasi_identifiers, *seen.with_role(Role.INSENSITIVE)))
    on_columns = _alike(seen, seen.with_role(Role.INSENSITIVE))
    place = np.full(len(table), -1)
    place[ledger.origins] = np.arange(len(seen))
    found = TableRisk("prosecutor", "insensitive").run(Exposure(table, seen, place), Randomness(1))
    plain = TableRisk("prosecutor").run(Exposure(table, seen, place), Randomness(1))
    return {
        f"{name}_records": len(seen),
        f"{name}_certified_k": release.certificate.promises[0].level["k"],
        f"{name}_columns": len(columns),
        f"{name}_unique_beside_them": int((sizes == 1).sum()),
        f"{name}_below_k_beside_them": int((sizes < K).sum()),
        f"{name}_unique_on_them": int((on_columns == 1).sum()),
        f"{name}_prosecutor": round(plain.main, 4),
        f"{name}_prosecutor_who_knows_them": round(found.main, 4),
        f"{name}_refused_before": int(any(_singles_out_alone(column) for column in columns)),
        f"{name}_refused_now": int(_is_refused(table)),
        f"{name}_accepted_by_name": len(release.certificate.accepted_against_audit),
    }


def _alike(seen: Microdata, columns: tuple[Column, ...]) -> np.ndarray:
    labels, _ = equal_tuples(columns, len(seen))
    return np.bincount(labels)[labels]


def _singles_out_alone(column: Column) -> bool:
    """Tell what the audit was before."""
    return 100 * int((column.counts == 1).sum()) > len(column)


def _is_refused(table: Microdata) -> bool:
    try:
        road.publish(table, [KAnonymity(K)], Mondrian(), randomness=Randomness(1))
    except AuditRefused:
        return True
    return False


def _adult(folder: Path) -> Microdata:
    """Read Adult with a number for each education."""
    table = adult(folder, sensitive=SALARY_SENSITIVE[0], quasi_identifiers=SALARY_SENSITIVE[1])
    assert table is not None
    years = np.random.default_rng(1).permutation(len(table["education"].vocabulary))
    years_of_school = Column.encode("education-num", Role.INSENSITIVE, pl.Series(years[table["education"].codes]))
    return Microdata((*(column for column in table.columns if column.role is not Role.DROP), years_of_school))


def _adult_all() -> Microdata:
    """Read the file of the archive, with the years of schooling and the relationship insensitive."""
    places = {"age": 0, "workclass": 1, "education": 3, "education-num": 4, "marital-status": 5, "relationship": 7}
    places |= {"race": 8, "sex": 9, "country": 13, "class": 14}
    file = ADULT.parent / "adult.data"
    read = pl.read_csv(file, has_header=False, infer_schema_length=None).drop_nulls()
    frame = read.select(read[:, place].alias(name) for name, place in places.items())
    frame = frame.with_columns(pl.col(pl.String).str.strip_chars())
    known = ("age", "workclass", "education", "marital-status", "race", "sex", "country")
    columns = [Column.encode(name, Role.QUASI_IDENTIFIER, frame[name]) for name in known]
    columns += [Column.encode(name, Role.INSENSITIVE, frame[name]) for name in ("education-num", "relationship")]
    return Microdata((*columns, Column.encode("class", Role.SENSITIVE, frame["class"])))


def _census(frame: pl.DataFrame) -> Microdata:
    """Read Census-Income with the major group of the occupation, which follows from the occupation, insensitive."""
    columns = census_columns(frame, PLACES, ("age",))
    columns += [Column.encode("major occupation", Role.INSENSITIVE, frame[:, 9])]
    return Microdata(tuple(columns))


def _survey() -> Microdata:
    """Read eighteen answers as insensitive columns beside age, gender and country."""
    frame = pl.read_csv(SURVEY, infer_schema_length=None)
    frame = frame.with_columns(pl.col("age").cast(pl.Int64, strict=False).clip(0, 100))
    columns = [Column.encode(name, Role.QUASI_IDENTIFIER, frame[name]) for name in ("age", "gender", "country")]
    columns += [Column.encode(f"Q{i}", Role.INSENSITIVE, frame[f"Q{i}"]) for i in range(1, 19)]
    return Microdata(tuple(columns))


def _growth() -> dict[str, float]:
    """Time the audit of a million records: twenty columns that pass, and twenty that together single people out."""
    n, chance, results = 1_000_000, np.random.default_rng(1), {}
    widths = (75, 2, 16, 7, 41, 5, 14, 9)
    known = [
        Column.encode(f"q{i}", Role.QUASI_IDENTIFIER, pl.Series(chance.integers(0, w, n))) for i, w in enumerate(widths)
    ]
    engine = LocalEngine()
    for name, width in (("passing", 1), ("revealing", 5)):
        common = chance.integers(0, 40, n)
        plain = [
            Column.encode(
                f"c{i}", Role.INSENSITIVE, pl.Series(common * i % 7 if width == 1 else chance.integers(0, width, n))
            )
            for i in range(20)
        ]
        table = Microdata((*known, *plain))
        published = Mondrian().recode(table, [KAnonymity(K)], engine, Randomness(1)).records
        assert isinstance(published, Microdata)
        grouping = engine.group(published)
        few = np.arange(1000)
        audit_columns(published.take(few), table.take(few), engine.group(published.take(few)), K)  # compiles
        found, seconds, mib = measured(lambda p=published, t=table, g=grouping: audit_columns(p, t, g, K))
        results |= {
            f"million_{name}_objections": len(found),
            f"million_{name}_audit_seconds": round(seconds, 2),
            f"million_{name}_audit_mib": mib,
        }
    return results
