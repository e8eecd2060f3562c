"""Keys in a small table are numbered and found as by a dictionary."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.key_table import key_slots, look_up_keys, number_few

KEYS = st.one_of(st.integers(0, 20), st.integers(0, 2**64 - 1), st.sampled_from([0, 1 << 60, 2**64 - 1]))
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")


@pytest.mark.parametrize("kernel", [number_few, number_few.py_func], ids=["compiled", "plain"])
@given(keys=st.lists(KEYS, max_size=40), most=st.integers(1, 20))
def test_keys_are_numbered_by_first_sight_unless_there_are_too_many(kernel, keys, most) -> None:
    different = list(dict.fromkeys(keys))
    first, numbers = kernel(np.array(keys, np.uint64), most)
    if len(different) > most:
        assert len(first) == len(numbers) == 0
    else:
        assert [keys[place] for place in first] == different
        assert first.tolist() == [keys.index(key) for key in different]
        assert [different[number] for number in numbers] == keys


@pytest.mark.parametrize("plain", [False, True], ids=["compiled", "plain"])
@given(known=st.lists(KEYS, max_size=20, unique=True), others=st.lists(KEYS, max_size=20), data=st.data())
def test_known_keys_are_found_and_others_counted(plain, known, others, data) -> None:
    slots_of, look_up = (key_slots.py_func, look_up_keys.py_func) if plain else (key_slots, look_up_keys)
    keys = data.draw(st.permutations([*known, *others]))
    code_of = {key: 2 * place + 1 for place, key in enumerate(known)}
    out = np.zeros(len(keys), np.uint16)
    table = np.array(known, np.uint64)
    codes = np.array([code_of[key] for key in known], np.uint16)
    missing = look_up(np.array(keys, np.uint64), table, slots_of(table), codes, out)
    assert out.tolist() == [code_of.get(key, 0) for key in keys]
    assert missing == sum(key not in code_of for key in keys)
