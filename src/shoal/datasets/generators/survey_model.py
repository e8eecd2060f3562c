"""Who thinks what of which issue, and who keeps silent: the model behind generated surveys."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
import polars as pl

from shoal.data import RatingMatrix, Ratings, Scale, Survey, Vocabulary
from shoal.io import RatingsSchema

from .demographics_model import DemographicsModel
from .scales import outside_dtype, refuse_outside, scale_settings

__all__ = ["SurveyModel"]

_CHUNK = 16_384  # respondents drawn together; part of the definition, so that the data never depend on memory
_ATTITUDES = 12

# Standard deviations in parts of the whole scale. Noise well below one step keeps people of one attitude similar.
_BETWEEN, _PERSONAL, _NOISE = 0.25, 0.03, 0.09
_CENTER = 0.58


@dataclass(frozen=True, eq=False, repr=False)
class SurveyModel:
    """Everything drawn once; the answers themselves are made from it, a fixed number of respondents at a time.

    - *Attitudes.* Each respondent holds one of 12 attitudes, of which the first are held by many and the last by few
      (one over the rank). An answer is that of the attitude on the issue plus a bias of the person and noise, rounded
      and clipped to the scale: so many respondents answer alike within one step.
    - *Sensitive issues* are the last ones. Their answers are skewed: most give the lowest, few a high one, and how few
      depends on the attitude.
    - *Nulls.* A share ``nulls`` of all answers is missing on average. Most people skip nothing and some skip much, and
      some issues, the sensitive ones above all, are skipped more. Every respondent answers at least one issue.
    """

    respondents: int
    sensitive: int
    nulls: float
    scale: Scale
    seed: int
    holders: np.ndarray
    """The share of respondents with each attitude."""
    positions: np.ndarray
    """The answer of each attitude on each issue that is not sensitive, in steps."""
    skew: np.ndarray
    """The power to which chance is raised for each attitude and sensitive issue: the larger, the rarer high answers."""
    reluctance: np.ndarray
    """How much more or less often than the average each issue is skipped."""
    demographics: DemographicsModel | None = None
    """Who the respondents are, if that is asked for."""

    @classmethod
    def draw(
        cls,
        respondents: int,
        issues: int,
        sensitive: int,
        seed: int,
        nulls: float = 0.05,
        scale: Scale | None = None,
        *,
        demographics: bool = False,
    ) -> Self:
        """Draw a model for this many respondents and issues, the last of which are sensitive."""
        refuse_outside(1, 2**31 - 2, respondents=respondents, issues=issues)
        refuse_outside(0, issues - 1, sensitive=sensitive)
        refuse_outside(0, 2**63, seed=seed)
        refuse_outside(0, 0.5, nulls=nulls)
        chance = np.random.Generator(np.random.PCG64(seed))
        scale = Scale.of(1, 5) if scale is None else scale
        holders = 1 / np.arange(1, _ATTITUDES + 1)
        positions = _CENTER + _BETWEEN * chance.standard_normal((_ATTITUDES, issues - sensitive))
        reluctance = chance.uniform(0.5, 1.0, issues)
        reluctance[issues - sensitive :] += 0.5
        return cls(
            respondents,
            sensitive,
            nulls,
            scale,
            seed,
            holders / holders.sum(),
            (scale.points - 1) * positions,
            chance.uniform(1.5, 4.0, (_ATTITUDES, sensitive)),
            reluctance / reluctance.mean(),
            DemographicsModel.draw(_ATTITUDES, seed) if demographics else None,
        )

    @property
    def issues(self) -> tuple[str, ...]:
        """The names of the issues, the sensitive ones last."""
        return tuple(f"issue_{number}" for number in range(1, len(self.reluctance) + 1))

    @property
    def lines(self) -> int:
        """How many lines the file of the survey has."""
        return self.respondents

    @property
    def columns(self) -> dict[str, pl.DataType]:
        """The columns of the file the survey is written to, one respondent a line."""
        known = {} if self.demographics is None else self.demographics.columns
        return {"respondent": pl.Int32(), **known, **dict.fromkeys(self.issues, outside_dtype(self.scale))}

    def schema(self, _stem: str) -> RatingsSchema:
        """Say what the columns of that file are, whatever it is called."""
        return RatingsSchema(
            layout="wide",
            id=("respondent",),
            sensitive=self.issues[len(self.issues) - self.sensitive :],
            columns={} if self.demographics is None else self.demographics.schema(),
            **scale_settings(self.scale),
        )

    def frames(self) -> Iterator[pl.DataFrame]:
        """Return the lines of that file, respondents counted from 1."""
        points = pl.Series(self.scale.decode(np.arange(self.scale.points)), dtype=outside_dtype(self.scale))
        first = 1
        for people, codes in self.chunks():
            respondents = pl.Series("respondent", np.arange(first, first + len(codes), dtype=np.int32))
            answers = [_answers(name, codes[:, at], points) for at, name in enumerate(self.issues)]
            yield pl.DataFrame([respondents, *people, *answers])
            first += len(codes)

    def records(self) -> Ratings:
        """Return the answers of the whole survey in memory."""
        return self._answered(np.concatenate([codes for _, codes in self.chunks()]))

    def survey(self) -> Survey:
        """Return demographics and answers in memory."""
        assert self.demographics is not None
        people, codes = zip(*self.chunks(), strict=True)
        table = self.demographics.table(pl.concat([pl.DataFrame(some) for some in people]))
        return Survey(table, self._answered(np.concatenate(codes)))

    def _answered(self, codes: np.ndarray) -> Ratings:
        names = Vocabulary(pl.Series(self.issues))
        asked = len(self.issues) - self.sensitive
        observable, sensitive = np.arange(asked), np.arange(asked, len(self.issues))
        return Ratings(
            Vocabulary(pl.Series(np.arange(1, self.respondents + 1, dtype=np.int32))),
            RatingMatrix.from_dense(names.select(observable), codes[:, observable], self.scale.dtype),
            RatingMatrix.from_dense(names.select(sensitive), codes[:, sensitive], self.scale.dtype),
            self.scale,
        )

    def chunks(self) -> Iterator[tuple[list[pl.Series], np.ndarray]]:
        """Return demographics, if any, and all answers as respondents × issues codes in which −1 is null."""
        for number in range(-(-self.respondents // _CHUNK)):
            size = min(_CHUNK, self.respondents - number * _CHUNK)
            attitudes, codes = self._chunk(np.random.SeedSequence(self.seed, spawn_key=(number,)))
            # of their own stream, so that the answers are the same with and without them
            own = np.random.SeedSequence(self.seed, spawn_key=(number, 2))
            people = [] if self.demographics is None else self.demographics.people(attitudes, own)
            yield [column.head(size) for column in people], codes[:size]

    def _chunk(self, seeds: np.random.SeedSequence) -> tuple[np.ndarray, np.ndarray]:
        """Draw a whole chunk, of which the last may be used in part: so a longer survey begins like a shorter one."""
        chance = np.random.Generator(np.random.PCG64(seeds))
        attitude = np.searchsorted(np.cumsum(self.holders)[:-1], chance.random(_CHUNK))
        span = self.scale.points - 1
        answers = self.positions[attitude] + span * _PERSONAL * chance.standard_normal((_CHUNK, 1))
        answers += span * _NOISE * chance.standard_normal(answers.shape)
        hidden = self.scale.points * chance.random((_CHUNK, self.sensitive)) ** self.skew[attitude]
        codes = np.hstack([np.clip(np.rint(answers), 0, span), np.floor(hidden)]).astype(np.int32)
        return attitude, self._silenced(codes, chance)

    def _silenced(self, codes: np.ndarray, chance: np.random.Generator) -> np.ndarray:
        """Return the answers with some of them missing."""
        skipping = min(1.0, 0.2 + 2 * self.nulls)  # the share of people who skip anything
        silent = chance.random(codes.shape) < self.nulls / skipping * self.reluctance
        silent &= chance.random((len(codes), 1)) < skipping
        silent[silent.all(axis=1), 0] = False
        return np.where(silent, -1, codes)


def _answers(name: str, codes: np.ndarray, points: pl.Series) -> pl.Series:
    given = pl.Series(codes).replace(-1, None)
    return points.gather(given).rename(name)
