"""Check digits: published examples pass, altered ones do not, and two are computed by their definitions."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import profiling_oracle
from shoal.profiling import check_digits

EXAMPLES = {
    "luhn": ["4111111111111111", "5500005555555559", "378282246310005", "490154203237518"],
    "iban": ["DE89370400440532013000", "GB82WEST12345698765432", "FR1420041010050500013M02606", "NO9386011117947"],
    "vin": ["1M8GDM9AXKP042788", "11111111111111111", "5GZCZ43D13S812715"],
    "nhs_number": ["9434765919", "4010232137"],
    "bsn": ["111222333", "123456782"],
    "pesel": ["44051401359", "02070803628"],
    "ean_13": ["7569217076985", "7561234567897"],
    "german_tax_number": ["86095742719", "65929970489"],
    "dni": ["12345678Z", "X1234567L"],
    "nir": ["255081416802538", "295117823456784"],
    "codice_fiscale": ["RSSMRA85T10A562S"],
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_pass_and_neighbors_of_them_do_not(name: str) -> None:
    check = getattr(check_digits, name)
    examples = pl.Series(EXAMPLES[name])
    assert check(examples).all()
    place = 8 if name == "vin" else -1  # the ninth character of a vehicle is the check digit
    altered = pl.Series([_altered(example, place) for example in EXAMPLES[name]])
    assert not check(altered).any()


def _altered(example: str, place: int) -> str:
    other = {"9": "0", "Z": "A", "X": "0"}.get(example[place]) or chr(ord(example[place]) + 1)
    letters = list(example)
    letters[place] = other
    return "".join(letters)


@given(st.lists(st.from_regex(r"\A[0-9]{13,19}\Z"), min_size=1, max_size=20))
def test_luhn_is_the_definition(numbers: list[str]) -> None:
    assert check_digits.luhn(pl.Series(numbers)).tolist() == [profiling_oracle.luhn(each) for each in numbers]


@given(st.lists(st.from_regex(r"\A[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}\Z"), min_size=1, max_size=20))
def test_iban_is_the_definition(numbers: list[str]) -> None:
    assert check_digits.iban(pl.Series(numbers)).tolist() == [profiling_oracle.iban(each) for each in numbers]
