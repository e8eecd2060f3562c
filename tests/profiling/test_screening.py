"""What names people is recognized by name and by value; hardly anything else is; and no value is ever told."""

import random
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from shoal.data import Role
from shoal.errors import ShoalError
from shoal.io import open_unexplained, typed_columns
from shoal.profiling import ColumnValues, Screened, column_profile, screened
from shoal.profiling.identifier_kind import words_of
from shoal.profiling.identifier_kinds import KINDS

DRAW = random.Random(7)


def digits(n: int) -> str:
    return "".join(DRAW.choice("0123456789") for _ in range(n))


def with_luhn(head: str) -> str:
    total = sum(int(d) for d in "".join(str(int(c) * (2 - i % 2)) for i, c in enumerate(reversed(head))))
    return head + str(-total % 10)


def account() -> str:
    number = digits(18)
    return f"DE{98 - int(number + '131400') % 97:02d}{number}"


SHAPES: dict[str, Callable[[], str]] = {
    "e-mail address": lambda: f"p{digits(6)}@mail{digits(1)}.example.org",
    "telephone number": lambda: f"({DRAW.randint(201, 989)}) {digits(3)}-{digits(4)}",
    "social security number": lambda: f"{DRAW.randint(100, 665)}-{DRAW.randint(10, 99)}-{DRAW.randint(1000, 9999)}",
    "IP address": lambda: ".".join(str(DRAW.randint(0, 255)) for _ in range(4)),
    "web address": lambda: f"https://www.example.org/{digits(6)}",
    "device identifier": lambda: ":".join(f"{DRAW.randint(0, 255):02x}" for _ in range(6)),
    "device identifier (IMEI)": lambda: with_luhn("35" + digits(12)),
    "payment card": lambda: with_luhn("4" + digits(14)),
    "bank account (IBAN)": account,
    "photograph": lambda: f"scan_{digits(5)}.jpg",
    "unique code": lambda: f"{DRAW.getrandbits(128):032x}",
    "date finer than a year": lambda: f"{DRAW.randint(1, 28):02d}.{DRAW.randint(1, 12):02d}.{DRAW.randint(1930, 2020)}",
    "British postcode": lambda: f"{DRAW.choice('BGLMS')}{DRAW.randint(1, 29)} {DRAW.randint(1, 9)}{DRAW.choice('AB')}C",
    "National Insurance number": lambda: (
        f"{DRAW.choice('AB')}{DRAW.choice('CE')} {digits(2)} {digits(2)} {digits(2)} A"
    ),
    "street address": lambda: f"{DRAW.randint(1, 999)} {DRAW.choice(['Oak', 'Elm', 'Mill'])} Street",
}


def look(name: str, values: list) -> list[Screened]:
    column = ColumnValues(name, pl.Series(values))
    return list(screened([column], [column_profile(column)]))


@pytest.mark.parametrize("kind", SHAPES)
def test_a_kind_is_recognized_by_its_values(kind: str) -> None:
    values = [SHAPES[kind]() for _ in range(200)]
    found = {each.kind: each for each in look("column_1", values)}
    assert kind in found
    assert (found[kind].share or 0) > 0.9
    assert found[kind].sure == (found[kind].role is Role.IDENTIFIER)
    assert not any(value in found[kind].reason or value in repr(found[kind]) for value in values)


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        ("date finer than a year", lambda: f"{DRAW.randint(1930, 2020)}-{DRAW.randint(1, 12):02d}"),
        (
            "date finer than a year",
            lambda: f"{DRAW.randint(1930, 2020)}{DRAW.randint(1, 12):02d}{DRAW.randint(1, 28):02d}",
        ),
        (
            "date finer than a year",
            lambda: f"{DRAW.randint(1, 12)}/{DRAW.randint(1, 28)}/1990 {DRAW.randint(1, 12)}:05 PM",
        ),
        ("telephone number", lambda: f"{DRAW.randint(201, 989)} {digits(3)} {digits(4)}"),
        ("street address", lambda: f"{DRAW.randint(1, 999)} Oak Ave, Apt {DRAW.randint(1, 99)}"),
    ],
)
def test_other_ways_to_write_it(kind: str, written: Callable[[], str]) -> None:
    assert kind in {each.kind for each in look("column_1", [written() for _ in range(200)])}


@pytest.mark.parametrize(
    "name", ["has_email", "is_mobile", "num_phones", "number of phones", "n_addresses", "phone brand"]
)
def test_whether_and_how_many_names_nobody(name: str) -> None:
    assert not any(kind.named(name) for kind in KINDS)


@pytest.mark.parametrize("kind", SHAPES)
def test_a_few_such_values_among_others_do_not_decide(kind: str) -> None:
    values = [f"word{chr(97 + i % 26)}{'x' * (i // 26)}" for i in range(180)] + [SHAPES[kind]() for _ in range(20)]
    assert not any(each.sure for each in look("column_1", values))


def test_most_values_are_a_reason_and_nearly_all_are_needed_to_be_sure() -> None:
    mails = [SHAPES["e-mail address"]() for _ in range(160)]
    found = look("column_1", [*mails, *(f"word {'x' * i}" for i in range(40))])
    assert [(each.kind, each.share, each.sure) for each in found] == [("e-mail address", 0.8, False)]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("e-mail address", "please write to ann@example.org soon"),
        ("telephone number", "call (212) 555-0199 after six"),
        ("web address", "see https://example.org/ann for more"),
        ("social security number", "number 219-09-9999 on file"),
    ],
)
def test_what_is_inside_of_text_is_a_hint(kind: str, text: str) -> None:
    found = look("remarks", [f"nothing to say {'a' * i}" for i in range(60)] + [text])
    assert [(each.kind, each.by, each.sure) for each in found] == [(kind, "inside text", False)]


def test_check_digits_keep_long_numbers_from_being_cards() -> None:
    numbers = [int("4" + digits(15)) for _ in range(300)]
    assert not any(each.sure for each in look("column_1", numbers))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("firstName", "name"),
        ("Nachname", "name"),
        ("home_zip_code", "geographic unit smaller than a state"),
        ("date of birth", "date finer than a year"),
        ("mobile", "telephone number"),
        ("telephone_number", "telephone number"),
        ("mobile no", "telephone number"),
        ("phone_home", "telephone number"),
        ("Handynummer", "telephone number"),
        ("Telefonnummer", "telephone number"),
        ("fname", "name"),
        ("name_last", "name"),
        ("respondent name", "name"),
        ("emailaddress", "e-mail address"),
        ("faxNum", "fax number"),
        ("taxpayer_id", "social security number"),
        ("ssn_last4", "social security number"),
        ("city_name", "geographic unit smaller than a state"),
        ("address_line_1", "geographic unit smaller than a state"),
        ("admit_dt", "date finer than a year"),
        ("IPv6", "IP address"),
        ("FaxNumber", "fax number"),
        ("work e-mail", "e-mail address"),
        ("SSN", "social security number"),
        ("patient_id", "medical record number"),
        ("policyNumber", "health plan number"),
        ("account_no", "account number"),
        ("driver_license_no", "certificate or license number"),
        ("licence plate", "vehicle identifier"),
        ("imei", "device identifier"),
        ("homepage", "web address"),
        ("ip_address", "IP address"),
        ("fingerprint", "biometric identifier"),
        ("photo", "photograph"),
        ("respondent_id", "unique code"),
    ],
)
def test_a_kind_is_recognized_by_its_name(name: str, kind: str) -> None:
    found = look(name, ["a", "b", "a", "c"])
    assert [(each.kind, each.by, each.sure) for each in found] == [(kind, "name", False)]


@pytest.mark.parametrize(
    "name", ["patient age", "phone brand", "email_opt_in", "city size", "video", "ship", "capital"]
)
def test_other_names_are_not(name: str) -> None:
    assert look(name, ["a", "b", "a", "c"]) == []


def test_every_paragraph_of_the_safe_harbor_has_a_kind() -> None:
    assert sorted({kind.paragraph for kind in KINDS}) == list("ABCDEFGHIJKLMNOPQR")


def test_ages_over_89_are_told() -> None:
    assert [each.kind for each in look("age", [30, 40, 30, 90])] == ["age over 89"]
    assert look("age", [30, 40, 30, 89]) == []


def test_numbers_in_a_row_are_codes_and_amounts_are_not() -> None:
    assert [each.kind for each in look("x", [*range(500, 600)])] == ["unique code"]
    assert look("x", [round(1.09**i * 1000) for i in range(100)]) == []


def test_names_of_columns_are_taken_apart() -> None:
    assert words_of("homeZIPCode_2") == "home zip code 2"


CLEAN = {
    "surveys/bfi/bfi.csv": [],
    "surveys/big5/data.csv": [("age", "age over 89")],
    "surveys/ecr/data.csv": [("age", "age over 89")],
    "surveys/sd3/data.csv": [],
    "surveys/young-people-survey/responses.csv": [("Village - town", "geographic unit smaller than a state")],
    "surveys/turkiye-student-evaluation/turkiye-student-evaluation_generic.csv": [],
    "tables/adult/adult.data": [],
    "tables/adult/arx/adult.csv": [("age", "age over 89")],
    "tables/casc/census.csv": [],
    "tables/casc/eia.csv": [],
    "ratings/filmtrust/rating/ratings_0.txt": [],
    "ratings/ml-100k/u.data": [],
    "ratings/ml-100k/u.user": [("column_1", "unique code")],
    "ratings/netflix-prize-part/netflix-user-ratings-10k.csv": [
        ("UserID", "unique code"),
        ("Date", "date finer than a year"),
    ],
}
"""What is found in real data without identifiers: nothing surely, and hints that are true or not far from it."""


@pytest.mark.shared
@pytest.mark.parametrize("path", CLEAN)
def test_real_data_raise_no_false_alarm(shared_data: Path, path: str) -> None:
    try:
        columns = typed_columns(open_unexplained(shared_data / path)).columns
    except ShoalError as error:
        pytest.fail(str(error))
    found = screened(columns, [column_profile(column) for column in columns])
    assert not any(each.sure for each in found)
    assert [(each.column, each.kind) for each in found] == CLEAN[path]
