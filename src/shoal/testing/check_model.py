"""The laws of promises."""

import dataclasses
import math
from collections.abc import Callable
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.data import PARTS, Column, Microdata, Records, Survey
from shoal.engines import LocalEngine, judge
from shoal.errors import InputError
from shoal.evidence import GroupCounts, Grouping, NeedGroups, NeedNeighborhoods
from shoal.models import PrivacyModel, Verdict, promises
from shoal.wording import Registry

from .check_wording import check_wording
from .equivalent_records import equivalent_records
from .strategies import records, surveys

__all__ = ["Oracle", "check_model"]

Oracle = Callable[[Records, PrivacyModel], int]
"""Counts, person by person and sharing no code with the promise, the records that break it."""


def check_model(
    model: PrivacyModel,
    *,
    registry: Registry[PrivacyModel] = promises,
    oracle: Oracle | None = None,
    examples: int = 60,
) -> None:
    """Check every law of promises on one promise; with an oracle, also that its verdicts are right.

    * It is written and read back as itself.
    * Data it cannot be judged on are refused as bad input.
    * It holds exactly when no record violates it, and its level is one at which it holds: finite ints and floats.
    * The verdict does not depend on the order of rows and columns, on names, on values nobody has, or on types.
    * If it is merge-safe, joining two groups that keep it gives a group that keeps it; if groups may grow freely, it
      is enough that one of them does.
    * A group of fewer than the fewest records, or of fewer than anybody is hidden among, breaks it; one with as many
      values as suffice keeps it. A shortfall is found only where it is broken. What follows from it holds with it.
    * The verdicts on some of the groups or neighborhoods each, merged, are the verdict on all of them.
    * However a group is split, as many of its records are in parts that break it as it says at least, and all of them
      if it says that there is no hope.
    * On a survey, asked of one part it is judged as on that part alone, and data without parts are refused. Where
      merging groups cannot break it, and it holds of the whole, it holds of each part.
    """
    check_wording(model, registry)
    for kind in sorted(model.kinds):
        _check_verdicts(model, kind, oracle, examples)
        if isinstance(model.need, NeedGroups) and model.merge_safe:
            _check_merging(model, kind, examples)
        if isinstance(model.need, NeedGroups):
            _check_splitting(model, kind, examples)
            _check_merged_verdicts(model, kind, examples)
        if isinstance(model.need, NeedNeighborhoods):
            _check_merged_neighborhoods(model, kind, examples)
    if "survey" in model.kinds and model.part is None:
        _check_parts(model, registry, examples)


def _check_verdicts(model: PrivacyModel, kind: str, oracle: Oracle | None, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(records(kind), st.randoms(use_true_random=False))
    def law(data: Records, chance: Random) -> None:
        verdict = _verdict(data, model)
        if verdict is None:
            return
        assert verdict.holds == (verdict.violations == 0)
        assert verdict.promise == str(model)
        assert all(math.isfinite(reached) for reached in verdict.level.values()), "a level is not finite"
        _check_level(data, model, verdict)
        if oracle is not None:
            assert verdict.violations == oracle(data, model)
        if verdict.holds and model.weaker != model:
            weaker = _verdict(data, model.weaker)
            assert weaker is not None, f"{model} holds of data that {model.weaker} cannot be judged on"
            assert weaker.holds, f"{model} holds, and what is said to follow from it does not"
        for difference, other in equivalent_records(data, chance).items():
            assert _comparable(_verdict(other, model)) == _comparable(verdict), f"the verdict depends on {difference}"

    law()


def _check_parts(model: PrivacyModel, registry: Registry[PrivacyModel], examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(surveys())
    def law(data: Survey) -> None:
        whole = _verdict(data, model)
        for part in PARTS:
            asked = dataclasses.replace(model, part=part)
            check_wording(asked, registry)
            alone = data.part(part)
            if alone.kind not in model.kinds:
                _check_refused(data, asked)
                continue
            _check_refused(alone, asked)
            there, by_itself = _verdict(data, asked), _verdict(alone, model)
            assert _comparable(there) == _comparable(by_itself), f"{asked} is not judged as {model} is on the {part}"
            if whole is not None and whole.holds and there is not None and isinstance(model.need, NeedGroups):
                assert there.holds or not model.merge_safe, f"{model} holds of a survey, and not of its {part}"

    law()


def _check_refused(data: Records, model: PrivacyModel) -> None:
    try:
        judge(data, [model], LocalEngine())
    except InputError:
        return
    raise AssertionError(f"{model} is judged on data of kind {data.kind}")


def _verdict(data: Records, model: PrivacyModel) -> Verdict | None:
    """Judge, or return None where the promise rightly refuses to be judged."""
    try:
        return judge(data, [model], LocalEngine()).verdicts[0]
    except InputError:
        assert len(data) < model.fewest_records or _lacks(data, model), f"{model} refuses data it can be judged on"
        return None


def _lacks(data: Records, model: PrivacyModel) -> bool:
    """Return whether a promise needs what the data do not have."""
    if isinstance(data, Survey):
        if model.part is None and isinstance(model.need, NeedGroups):
            return _lacks(data.with_sensitive_answers, model)
        return _lacks(data.part(model.part or "answers"), model)
    if model.needs_sensitive and not data.has_sensitive:
        return True
    if not isinstance(model.need, NeedGroups) or not isinstance(data, Microdata):
        return False
    has: dict[str, Callable[[Column], bool]] = {
        "categories": lambda column: bool(column.categories),
        "order": lambda column: column.vocabulary.is_ordered or bool(column.categories),
        "hierarchy": lambda column: column.hierarchy is not None,
    }
    declared = model.need.declared
    return declared is not None and not all(has[declared](column) for column in data.sensitive)


def _comparable(verdict: Verdict | None) -> object:
    return None if verdict is None else (verdict.holds, dict(verdict.level), verdict.violations)


def _check_level(data: Records, model: PrivacyModel, verdict: Verdict) -> None:
    asked = {key: getattr(model, key) for key in verdict.level}
    if not verdict.holds:
        assert asked != dict(verdict.level), "the level reached is what was asked, and yet it does not hold"
    try:
        reached = dataclasses.replace(model, **verdict.level)
    except InputError:
        assert not verdict.holds, "the promise holds at a level that it does not allow"
        return
    again = _verdict(data, reached)
    assert again is None or again.holds, "the promise does not hold at the level it is said to reach"
    assert again is None or dict(again.level) == dict(verdict.level)


def _check_merging(model: PrivacyModel, kind: str, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(records(kind, min_records=2), st.data())
    def law(data: Records, choice: st.DataObject) -> None:
        if _lacks(data, model):
            return
        label = st.integers(0, 2)
        drawn = np.array(choice.draw(st.lists(label, min_size=len(data), max_size=len(data))), np.int64)
        keeps = _keeping(model, data, drawn)
        joined = np.where(drawn == 1, 0, drawn)
        if keeps.get(0, False) and keeps.get(1, False):
            assert _keeping(model, data, joined)[0], f"{model} says it is merge-safe, and it is not"
        if keeps.get(0, False) and model.grow_safe:
            assert _keeping(model, data, joined)[0], f"{model} says that groups may grow freely, and they may not"

    law()


def _check_splitting(model: PrivacyModel, kind: str, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(records(kind, min_records=2), st.data())
    def law(data: Records, choice: st.DataObject) -> None:
        if _lacks(data, model):
            return
        label = st.integers(0, 1) | st.just(0)
        whole, part = (
            np.array(choice.draw(st.lists(label, min_size=len(data), max_size=len(data))), np.int64) for _ in range(2)
        )
        _, numbers = np.unique(whole, return_inverse=True)
        counts, parts = _counted(model, data, whole), _counted(model, data, 2 * whole + part)
        _check_what_it_says_of_groups(model, counts)
        broken = model.judge(parts).violating[np.unique(2 * whole + part, return_inverse=True)[1]]
        broken_of = np.bincount(numbers, broken, minlength=len(counts))
        fewest, hopeless = model.fewest_broken(counts), model.hopeless(counts)
        assert (fewest <= broken_of).all(), f"{model} says that more records break it than need to"
        assert (broken_of[hopeless] == counts.sizes[hopeless]).all(), f"{model} gives groups up that can be mended"

    law()


def _check_merged_verdicts(model: PrivacyModel, kind: str, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(records(kind, min_records=2), st.data())
    def law(data: Records, choice: st.DataObject) -> None:
        if _lacks(data, model):
            return
        label = st.integers(0, 3)
        drawn = np.array(choice.draw(st.lists(label, min_size=len(data), max_size=len(data))), np.int64)
        counts = _counted(model, data, drawn)
        border = choice.draw(st.integers(1, len(counts)))
        apart = np.arange(len(counts)) >= border
        parts = [counts.without(mask).among(counts) for mask in (apart, ~apart) if not mask.all()]
        merged, whole = model.merged([model.judge(part) for part in parts]), model.judge(counts)
        assert _comparable(merged) == _comparable(whole), f"{model} is judged otherwise in parts"
        assert np.array_equal(merged.violating, whole.violating)

    law()


def _check_merged_neighborhoods(model: PrivacyModel, kind: str, examples: int) -> None:
    need = model.need
    assert isinstance(need, NeedNeighborhoods)

    @settings(max_examples=examples, deadline=None)
    @given(records(kind, min_records=2), st.data())
    def law(data: Records, choice: st.DataObject) -> None:
        if _lacks(data, model):
            return
        whole = LocalEngine().neighbors(data, need.epsilon, sensitive=need.sensitive)
        border = choice.draw(st.integers(1, len(whole) - 1))
        parts = [whole.take(rows) for rows in np.split(np.arange(len(whole)), [border])]
        merged, judged = model.merged([model.judge(part) for part in parts]), model.judge(whole)
        assert _comparable(merged) == _comparable(judged), f"{model} is judged otherwise in parts"
        assert merged.why == judged.why, f"{model} says in parts something else than of the whole"
        assert np.array_equal(merged.violating, judged.violating)

    law()


def _check_what_it_says_of_groups(model: PrivacyModel, counts: GroupCounts) -> None:
    violating = model.judge(counts).violating
    small = counts.sizes < max(model.fewest_records, model.hidden_among or 0)
    assert violating[small].all(), f"{model} holds of fewer records than it says it needs"
    if model.sufficient_values is not None:
        enough = [values.n_distinct >= model.sufficient_values for values in counts.sensitive]
        suffices = np.all([counts.sizes >= model.fewest_records, *enough], axis=0)
        assert not violating[suffices].any(), f"{model} is broken by groups with as many values as suffice"
    found = model.shortfall(counts) if counts.sensitive else None
    if found is not None:
        blamed = found.worst >= 0
        assert violating[blamed].all(), f"{model} explains how groups break it that keep it"
        assert (found.worst < len(counts.sensitive)).all()
        # NaN: the promise has no number for it
        assert not (found.reached[blamed] == found.needed[blamed]).any(), f"{model} says that what is needed is reached"


def _counted(model: PrivacyModel, data: Records, drawn: np.ndarray) -> GroupCounts:
    """Count the records with the same label as a group, the groups in the order of their labels."""
    present, labels = np.unique(drawn, return_inverse=True)
    assert isinstance(model.need, NeedGroups)
    grouping = Grouping(labels.astype(np.int64), len(present))
    return LocalEngine().count(data, grouping, sensitive=model.need.sensitive)


def _keeping(model: PrivacyModel, data: Records, drawn: np.ndarray) -> dict[int, bool]:
    """Return, for each label that occurs, whether its group keeps the promise."""
    violating = model.judge(_counted(model, data, drawn)).violating
    return {int(label): not broken for label, broken in zip(np.unique(drawn), violating, strict=True)}
