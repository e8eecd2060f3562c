"""Check digits of numbers that name people, accounts, vehicles and devices, many at once.

Each function takes texts of capital letters and digits in which separators have been removed, and returns which of them
carry the right check digits. They expect the shape that the pattern of the number requires.
"""

import numpy as np
import polars as pl

__all__ = [
    "bsn",
    "codice_fiscale",
    "dni",
    "ean_13",
    "german_tax_number",
    "iban",
    "luhn",
    "nhs_number",
    "nir",
    "pesel",
    "vin",
]

_LONGEST = 34


def _characters(texts: pl.Series, width: int = _LONGEST) -> np.ndarray:
    """Return the characters as a matrix of bytes, shorter texts with zeros in front."""
    padded = texts.str.pad_start(width, "0")
    return np.frombuffer("".join(padded.to_list()).encode("ascii"), np.uint8).reshape(len(texts), width)


def _digits(texts: pl.Series, width: int) -> np.ndarray:
    return _characters(texts, width).astype(np.int64) - ord("0")


def _values_of_letters(texts: pl.Series, width: int) -> np.ndarray:
    """Return digits as they are, and A as 10 to Z as 35."""
    characters = _characters(texts, width).astype(np.int64)
    return np.where(characters >= ord("A"), characters - ord("A") + 10, characters - ord("0"))


def luhn(texts: pl.Series) -> np.ndarray:
    """Payment cards, IMEI and others (ISO/IEC 7812): every second digit from the right doubled, its digits added."""
    digits = _digits(texts, 20)
    doubled = digits[:, -2::-2] * 2
    return (digits[:, ::-2].sum(axis=1) + (doubled // 10 + doubled % 10).sum(axis=1)) % 10 == 0


def iban(texts: pl.Series) -> np.ndarray:
    """Bank accounts (ISO 13616): the first four characters moved to the end, letters as 10 to 35, 1 modulo 97."""
    values = _values_of_letters(texts.str.slice(4) + texts.str.slice(0, 4), _LONGEST)
    rest = np.zeros(len(texts), np.int64)
    for place in range(_LONGEST):
        value = values[:, place]
        rest = (rest * np.where(value >= 10, 100, 10) + value) % 97
    return rest == 1


_OF_LETTERS = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", [*range(1, 9), *range(1, 6), 7, 9, *range(2, 10)], strict=True))
_VIN_VALUES = np.zeros(128, np.int64)
for _letter, _value in [*_OF_LETTERS.items(), *((str(digit), digit) for digit in range(10))]:
    _VIN_VALUES[ord(_letter)] = _value
_VIN_WEIGHTS = np.array([8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2])


def vin(texts: pl.Series) -> np.ndarray:
    """Vehicles (49 CFR 565): a weighted sum modulo 11 in the ninth place, X for 10."""
    characters = _characters(texts, 17)
    rest = (_VIN_VALUES[characters] * _VIN_WEIGHTS).sum(axis=1) % 11
    return characters[:, 8] == np.where(rest == 10, ord("X"), rest + ord("0"))


def nhs_number(texts: pl.Series) -> np.ndarray:
    """Patients in England: weights 10 to 2 modulo 11."""
    digits = _digits(texts, 10)
    check = 11 - (digits[:, :9] * np.arange(10, 1, -1)).sum(axis=1) % 11
    return np.where(check == 11, 0, check) == digits[:, 9]


def bsn(texts: pl.Series) -> np.ndarray:
    """People in the Netherlands: weights 9 to 2 and −1, divisible by 11."""
    digits = _digits(texts, 9)
    total = (digits * np.array([9, 8, 7, 6, 5, 4, 3, 2, -1])).sum(axis=1)
    return (total % 11 == 0) & (digits.sum(axis=1) > 0)


def pesel(texts: pl.Series) -> np.ndarray:
    """People in Poland: weights 1, 3, 7, 9 over and over; the sum of all is divisible by 10."""
    weights = np.array([1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1])
    return (_digits(texts, 11) * weights).sum(axis=1) % 10 == 0


def ean_13(texts: pl.Series) -> np.ndarray:
    """Social insurance numbers of Switzerland, as on goods: weights 1 and 3 in turn, divisible by 10."""
    weights = np.array([1, 3] * 6 + [1])
    return (_digits(texts, 13) * weights).sum(axis=1) % 10 == 0


def german_tax_number(texts: pl.Series) -> np.ndarray:
    """Tax numbers of people in Germany (ISO 7064, modulo 11 and 10)."""
    digits = _digits(texts, 11)
    product = np.full(len(texts), 10)
    for place in range(10):
        rest = (digits[:, place] + product) % 10
        product = np.where(rest == 0, 10, rest) * 2 % 11
    return (11 - product) % 10 == digits[:, 10]


_DNI_LETTERS = np.frombuffer(b"TRWAGMYFPDXBNJZSQVHLCKE", np.uint8)


def dni(texts: pl.Series) -> np.ndarray:
    """People in Spain, foreign residents included: the number modulo 23 names the letter; X, Y, Z are 0, 1, 2."""
    characters = _characters(texts, 9)
    first = characters[:, 0]
    heads = np.where(first >= ord("X"), first - ord("X"), first - ord("0")).astype(np.int64)
    digits = np.column_stack([heads, characters[:, 1:8].astype(np.int64) - ord("0")])
    numbers = (digits * 10 ** np.arange(7, -1, -1)).sum(axis=1)
    return _DNI_LETTERS[numbers % 23] == characters[:, 8]


def nir(texts: pl.Series) -> np.ndarray:
    """Social security numbers of France: 97 less the number modulo 97; the departments 2A and 2B are 19 and 18."""
    plain = texts.str.replace("2A", "19", literal=True).str.replace("2B", "18", literal=True)
    digits = _digits(plain, 15)
    numbers = (digits[:, :13] * 10 ** np.arange(12, -1, -1)).sum(axis=1)
    return 97 - numbers % 97 == digits[:, 13] * 10 + digits[:, 14]


_ODD = np.array([1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23])


def codice_fiscale(texts: pl.Series) -> np.ndarray:
    """Tax codes of people in Italy: letters and digits in odd places by a table, modulo 26 as the last letter."""
    characters = _characters(texts, 16).astype(np.int64)
    values = np.where(characters >= ord("A"), characters - ord("A"), characters - ord("0"))
    total = _ODD[values[:, 0:15:2]].sum(axis=1) + values[:, 1:15:2].sum(axis=1)
    return total % 26 == values[:, 15]
