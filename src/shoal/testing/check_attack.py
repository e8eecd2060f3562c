"""The laws of attackers: what they gain is due to what they see."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.attacks import Attack, Exposure, Finding, attacks
from shoal.data import Column, Microdata, RatingMatrix, Ratings, Records, Survey, Vocabulary
from shoal.errors import InputError
from shoal.models import PrivacyModel, promises
from shoal.randomness import Randomness
from shoal.wording import Registry

from .check_wording import check_wording
from .raw_exposure import raw_exposure
from .strategies import promises_on, records

__all__ = ["check_attack"]

_CLOSE = 1e-9


def check_attack(
    attack: Attack,
    *,
    raw: Callable[[str], Exposure] = raw_exposure,
    registry: Registry[Attack] = attacks,
    examples: int = 40,
) -> None:
    """Check every law of attackers on one.

    * It is written and read back as itself.
    * It ends in a finding whose rates are probabilities, the same for the same seed, or says why it cannot be run.
    * Where all records are published alike, looking at them gains nothing over guessing.
    * On raw data it does better than guessing: on what ``raw`` returns for a kind, in which people differ and what they
      keep to themselves goes with what is known of them.
    """
    check_wording(attack, registry)
    for kind in sorted(attack.kinds):
        _check_findings(attack, kind, examples)
    exposures = [raw(kind) for kind in sorted(attack.kinds)]
    fitting = [exposure for exposure in exposures if attack.misfit(exposure) is None]
    assert fitting, "an attack can be run on raw data of some kind"
    for exposure in fitting:
        found = attack.run(exposure, Randomness(1))
        assert found.main > found.baseline, "an attack on raw data does better than guessing"


def _check_findings(attack: Attack, kind: str, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(records(kind), st.data())
    def law(data: Records, choice: st.DataObject) -> None:
        asked = promises.read(choice.draw(st.sampled_from(promises_on(data))))
        exposure = _as_it_is(data, (asked,))
        _check_finding(attack, exposure)
        for alike in _all_alike(data, (asked,)):
            found = _check_finding(attack, alike)
            if found is not None:
                assert abs(found.main - found.baseline) < _CLOSE, "where all are alike, looking gains nothing"

    law()


def _check_finding(attack: Attack, exposure: Exposure) -> Finding | None:
    reason = attack.misfit(exposure)
    if reason is not None:
        assert reason.endswith("."), "a reason is a sentence"
        try:
            attack.run(exposure, Randomness(1))
        except InputError:
            return None
        raise AssertionError("an attack that does not fit is refused")
    found = attack.run(exposure, Randomness(1))
    rates = (found.main, found.baseline, found.control, *found.interval)
    assert all(0 <= rate <= 1 for rate in rates), "rates are probabilities"
    assert found.interval[0] <= found.main <= found.interval[1]
    assert found.control_interval[0] <= found.control <= found.control_interval[1]
    assert 0 <= found.risk_interval[0] <= found.risk <= found.risk_interval[1] <= 1
    assert found.risk <= found.main + _CLOSE, "the risk is what is left of the rate once the control is taken off"
    assert found.targets >= 1
    assert all(isinstance(value, int | float) for value in found.details.values())
    assert found == attack.run(exposure, Randomness(1)), "the same seed gives the same finding"
    return found


def _as_it_is(data: Records, promised: tuple[PrivacyModel, ...]) -> Exposure:
    """Return data as a release of themselves, beside another and a population that are themselves again."""
    other = Exposure.of_itself(data, promises=promised)
    return Exposure.of_itself(data, promises=promised, also=(other,), population=data)


def _all_alike(data: Records, promised: tuple[PrivacyModel, ...]) -> list[Exposure]:
    """Return releases of the data in which nobody differs from anybody in what is observable."""
    seen: Sequence[Records] = _all_equal(data)
    made = []
    for each in seen:
        place = np.arange(len(data)) if len(each) == len(data) else np.zeros(len(data), np.int64)
        other = Exposure(data, each, place, promised)
        made.append(Exposure(data, each, place, promised, (other,), data))
    return made


def _all_equal(data: Records) -> Sequence[Records]:
    if isinstance(data, Survey):
        return [Survey(_alike_table(data.table), _alike_ratings(data.ratings)[0])]
    return [_alike_table(data)] if isinstance(data, Microdata) else _alike_ratings(data)


def _alike_table(table: Microdata) -> Microdata:
    everything = pl.Series(["*"] * len(table), dtype=pl.String)
    return Microdata(
        tuple(
            Column.encode(column.name, column.role, everything) if column.role.is_observable else column
            for column in table.columns
        )
    )


def _alike_ratings(data: Records) -> list[Ratings]:
    """Return everybody with the observable ratings of the first person; and one profile that stands for all."""
    assert isinstance(data, Ratings)
    first = np.zeros(len(data), np.int64)
    alike = replace(data, observable=data.observable.take(first))
    if data.has_sensitive:
        return [alike]
    one = Ratings(
        Vocabulary.numbered(1),
        data.observable.take(first[:1]),
        RatingMatrix.empty(1, data.scale.dtype),
        data.scale,
        np.array([len(data)]),
    )
    return [alike, one]
