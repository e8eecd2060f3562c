"""Objects of a wrong type, given to functions of the package: said in words, and never shown."""

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.call_errors import with_call_errors
from shoal.errors import InputError, WordingError

FRAME = pl.DataFrame({"age": [20, 21, 22, 23] * 5, "disease": ["a"] * 8 + ["b"] * 12})
SCHEMA = {"age": {"role": "quasi-identifier", "hierarchy": {"kind": "interval", "widths": [2]}}, "disease": "sensitive"}


@pytest.mark.parametrize(
    ("name", "settings", "phrase"),
    [
        ("open_release", {"folder": 5}, r"this 'int' object as 'folder'. It takes text or a path\."),
        ("verify", {"folder": {}}, r"'folder'. It takes text, a path or a ReleaseFolder\."),
        ("describe", {"data": FRAME, "out": FRAME}, r"this 'DataFrame' object as 'out'"),
        ("check", {"data": FRAME, "models": "k-anonymity:k=2", "force": FRAME}, "'force'. It takes True or False"),
        ("attack", {"data": FRAME, "schema": SCHEMA, "wordings": [5]}, "It takes text, an Attack or a list"),
        ("attack", {"data": FRAME, "schema": SCHEMA, "wordings": range(3)}, "this 'range' object as 'wordings'"),
        ("limits", {"data": FRAME, "given": int}, "'given'. It takes a dict"),
        ("register", {"desk": "\0", "name": "a", "data": FRAME}, "holds a zero byte"),
        ("lattice", {"data": FRAME, "models": "k-anonymity:k=2", "schema": SCHEMA, "withhold": FRAME}, "no object of"),
        ("read", {"data": FRAME, "schema": {"age": "nonsense"}}, "'columns.age.role': it must be 'identifier'"),
    ],
)
def test_objects_of_a_wrong_type_are_explained_and_not_shown(name, settings, phrase):
    with pytest.raises(InputError, match=phrase) as refusal:
        getattr(shoal, name)(**settings)
    assert "shape" not in str(refusal.value)


def test_a_failure_over_fitting_arguments_is_not_explained_away():
    @with_call_errors
    def failing(data: str, seed: int | None = None) -> None:
        raise KeyError(data, seed)

    with pytest.raises(KeyError):
        failing("a", seed=np.int64(3))  # type: ignore[arg-type]
    with pytest.raises(WordingError, match=r"'seed'\. It takes a whole number or None"):
        failing("a", seed="3")  # type: ignore[arg-type]


def test_arrays_are_no_promises():
    with pytest.raises(WordingError, match="Promises are not given as an object of 'ndarray'"):
        shoal.check(FRAME, np.array([1, 2]), SCHEMA)  # type: ignore[arg-type]
