"""Which records are at risk, and what sets them apart: a file for the owner of the data alone.

One line a violating record and promise:

* ``record``: the id of the record in the data, or its number, counted from 1, where it has none;
* ``promise``: what it breaks;
* ``others``, ``others_needed``: how many other records are within ε of it or, for promises on groups, look like it, and
  how many there must be at least; for promises on sets of items, how many other people (b-l-diversity: profiles) hold
  the rarest of its sets;
* ``separating``, ``issues``: how many issues separate it from the nearest other that is not within ε, and which: the
  first five, the most distant first; in a survey the nearest by its answers, whatever its demographics. For promises on
  sets of items, the fewest items that too few others hold all of, and which: the first five, the rarest first;
* ``compared_with``: with how many others it was compared to find that one: all, or an even selection where that would
  have taken too long;
* ``sensitive``, ``spread``, ``spread_needed``: where sensitive values are too much alike, which are most, by how much
  they spread, and what is needed. For promises on tables that is what they ask for: different values or their
  diversity, categories, the weight of values, or for t-closeness the distance, which is too great. Where the promise
  has no number for it, only the name is given;
* ``sample_risk``: where the data have sampling weights, the individual risk of the record in the population.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl

from shoal.data import Microdata, Ratings, Records, Survey, part_of
from shoal.engines import Engine, Judgment
from shoal.engines.nearest_others import NearestOthers
from shoal.engines.smallest_rare_sets import SmallestRareSets
from shoal.errors import InputError
from shoal.evidence import NeedItemSets
from shoal.io import RatingsSchema, Source
from shoal.io.folders.staging import staged_file
from shoal.io.formats.registry import writable_format
from shoal.io.formats.write_frames import Blocks, write_frames
from shoal.io.frames import open_data
from shoal.models import PrivacyModel
from shoal.wording.format import format_count

from .at_risk import AtRisk, TooAlike, at_risk

__all__ = ["Explanation", "claimed", "write_explanation"]

_COLUMNS: Final = {
    "record": pl.String,
    "promise": pl.String,
    "others": pl.Int64,
    "others_needed": pl.Int64,
    "separating": pl.Int64,
    "issues": pl.String,
    "compared_with": pl.Int64,
    "sensitive": pl.String,
    "spread": pl.Float64,
    "spread_needed": pl.Float64,
}
_OF_SAMPLES: Final = {"sample_risk": pl.Float64}
_LINES_A_BLOCK = 2**16


@dataclass(frozen=True)
class Explanation:
    """What was written for the owner."""

    file: str
    lines: int
    """One a violating record and promise."""
    sampled: bool
    """Whether records were compared with a selection of the others only."""
    reasons: tuple[str, ...] = ()
    """By how many items records are rare, and what to do, in sentences."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences for the owner."""
        if not self.lines:
            return (f"No record breaks a promise: {self.file} holds nothing but its header.",)
        published = [f"Who breaks a promise, and what sets them apart, is in {self.file}: {self.lines:,} lines."]
        published += self.reasons
        if self.sampled:
            published.append("To find the nearest, each was compared with an even selection of the others only.")
        return (*published, "The file is about people: it stays with the owner of the data, and is never published.")


def claimed(file: Path, *, force: bool) -> AbstractContextManager[Path]:
    """Return a path to write to while the block lasts; one that exists is replaced only if it is an explanation too."""
    writable_format(file)
    return staged_file(file, is_ours=_is_explanation, force=force)


def _is_explanation(file: Path) -> bool:
    if file.stat().st_size == 0:
        return True
    try:
        return open_data(file).names in (tuple(_COLUMNS), (*_COLUMNS, *_OF_SAMPLES))
    except InputError:
        return False


def write_explanation(
    source: Source, models: Sequence[PrivacyModel], judgment: Judgment, engine: Engine, path: Path, *, name: str
) -> Explanation:
    """Write who breaks the promises that were judged, and why; the file will get its name when all is done."""
    cases = [
        at_risk(source.records, model, verdict, judgment, engine)
        for model, verdict in zip(models, judgment.verdicts, strict=True)
    ]
    lines = sum(len(case) for case in cases)
    write_frames(_blocks(cases, source, _sample_risks(source.records, judgment)), lines, path)
    reasons = tuple(sentence for case in cases for sentence in _reasons(case))
    return Explanation(name, lines, any(_is_sampled(case, len(source.records)) for case in cases), reasons)


def _reasons(case: AtRisk) -> Iterator[str]:
    """Say by how many items records are rare, and what can be done about it."""
    need = case.model.need
    if case.rare is None or not len(case) or not isinstance(need, NeedItemSets):
        return
    sizes, counts = (each.tolist() for each in np.unique(case.rare.sizes, return_counts=True))
    named = zip(sizes, counts, strict=True)
    parts = [f"{format_count(n, 'record')} by {format_count(size, 'item')}" for size, n in named if size >= 0]
    if parts:
        yield f"{case.model} is broken by sets of few items: {', '.join(parts)}."
    if -1 in sizes:
        yield f"Of {format_count(counts[0], 'record')} the set was not found in time."
    if need.people:
        yield (
            "To keep it, ask for a smaller m, or use the method item-suppression, which deletes items of such sets, or "
            "item-generalization, which publishes what stands above them in a hierarchy of items."
        )


def _is_sampled(case: AtRisk, records: int) -> bool:
    return case.nearest is not None and bool((case.nearest.compared < records - 1).any())


def _sample_risks(records: Records, judgment: Judgment) -> np.ndarray | None:
    """Return the individual risk of each record of a sample; None where there are no weights."""
    table = records.table if isinstance(records, Survey) else records
    if not isinstance(table, Microdata) or table.weights is None:
        return None
    from shoal.attacks.uniqueness.sample_risk import risks_of_records  # only samples need it

    grouping = judgment.groups.grouping
    return risks_of_records(table, grouping.labels, grouping.n_groups)


def _blocks(cases: Sequence[AtRisk], source: Source, sample_risks: np.ndarray | None) -> Blocks:
    columns = _COLUMNS if sample_risks is None else {**_COLUMNS, **_OF_SAMPLES}
    yield 0, pl.DataFrame(schema=columns)
    ids = _ids(source)
    for case in cases:
        answers = part_of(source.records, "answers")
        issues = answers.observable.items.values if isinstance(answers, Ratings) else pl.Series()
        for start in range(0, len(case), _LINES_A_BLOCK):
            here = slice(start, start + _LINES_A_BLOCK)
            frame = _frame(case, here, ids, issues.cast(pl.String))
            if sample_risks is not None:
                frame = frame.with_columns(pl.Series("sample_risk", sample_risks[case.rows[here]]))
            yield len(frame), frame


def _ids(source: Source) -> pl.Series:
    """Return what the owner knows each record by."""
    records, schema = part_of(source.records, "answers"), source.schema
    nameless = isinstance(schema, RatingsSchema) and schema.layout in ("wide", "baskets") and not schema.id
    if isinstance(records, Ratings) and not nameless:
        return records.users.values.cast(pl.String)
    return pl.Series(np.arange(1, len(records) + 1)).cast(pl.String)


def _frame(case: AtRisk, here: slice, ids: pl.Series, issues: pl.Series) -> pl.DataFrame:
    rows = case.rows[here]
    published = [
        ids.gather(rows).alias("record"),
        pl.repeat(str(case.model), len(rows), eager=True).alias("promise"),
        pl.Series("others", case.others[here]),
        pl.repeat(case.model.fewest_records - 1, len(rows), eager=True).alias("others_needed"),
        *(_separation(case.nearest, here, issues) if case.nearest is not None else []),
        *(_rarity(case.rare, here, issues) if case.rare is not None else []),
        *(_alikeness(case.too_alike, here) if case.too_alike is not None else []),
    ]
    return pl.DataFrame(published).select(
        (pl.col(name) if name in {column.name for column in published} else pl.lit(None)).cast(dtype).alias(name)
        for name, dtype in _COLUMNS.items()
    )


def _rarity(rare: SmallestRareSets, here: slice, issues: pl.Series) -> list[pl.Series]:
    return [
        _where(rare.sizes[here] >= 0, pl.Series("separating", rare.sizes[here])),
        _where(rare.sizes[here] > 0, _joined(issues, rare.items[here]).alias("issues")),
    ]


def _joined(issues: pl.Series, numbers: np.ndarray) -> pl.Series:
    """Return the names of a line of issues each, leaving out −1."""
    names = pl.DataFrame([_named(issues, column).alias(str(i)) for i, column in enumerate(numbers.T)])
    return names.select(pl.concat_str(pl.all(), separator="; ", ignore_nulls=True)).to_series()


def _separation(nearest: NearestOthers, here: slice, issues: pl.Series) -> list[pl.Series]:
    joined = _joined(issues, nearest.items[here])
    found = nearest.rows[here] >= 0
    return [
        _where(found, pl.Series("separating", nearest.separating[here])),
        _where(found, joined.alias("issues")),
        pl.Series("compared_with", nearest.compared[here]),
    ]


def _alikeness(too_alike: TooAlike, here: slice) -> list[pl.Series]:
    found = too_alike.shortfall
    fails = found.worst[here] >= 0
    return [
        _named(too_alike.names.cast(pl.String), found.worst[here]).alias("sensitive"),
        _where(fails, pl.Series("spread", found.reached[here]).fill_nan(None)),
        _where(fails, pl.Series("spread_needed", found.needed[here]).fill_nan(None)),
    ]


def _named(names: pl.Series, numbers: np.ndarray) -> pl.Series:
    """Return names by number, null where the number is −1."""
    return _where(numbers >= 0, names.gather(np.maximum(numbers, 0)))


def _where(published: np.ndarray, values: pl.Series) -> pl.Series:
    return values.to_frame("value").select(pl.when(pl.Series(published)).then("value")).to_series().alias(values.name)
