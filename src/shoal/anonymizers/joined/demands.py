"""What promises on a survey demand of its demographics, of the answers within a class, and of the groups of both."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from shoal.evidence import NeedGroups, NeedItemSets
from shoal.models import PrivacyModel, promises

__all__ = ["Demands"]


@dataclass(frozen=True)
class Demands:
    """Promises by the part of a survey that a method must see to."""

    on_demographics: tuple[PrivacyModel, ...]
    """What classes of equal demographics must keep; none where nothing is asked of them."""
    on_answers: tuple[PrivacyModel, ...]
    """What the answers must keep: within each class, or among all people where nothing is asked of the join."""
    on_sensitive: tuple[PrivacyModel, ...]
    """What groups of equal demographics and answers must keep of their sensitive values."""
    joined: bool
    """Whether anything is asked of the join."""

    @classmethod
    def of(cls, models: Sequence[PrivacyModel], spread: int, strata: np.ndarray) -> Self:
        """Return what promises demand if classes are to be ``spread`` times as large as groups must be.

        Answers are made alike within a class, and the more people there are to choose from, the more alike they are. No
        class is larger than a stratum, of which ``strata`` has the numbers of people; those too small for any group are
        left to be withheld.
        """
        whole = [model for model in models if model.part is None]
        table = [_plain(model) for model in models if model.part == "demographics"]
        table += [model for model in whole if isinstance(model.need, NeedGroups)]
        answers = [_plain(model) for model in models if model.part == "answers"]
        answers += [model for model in whole if "ratings" in model.kinds]
        if whole:
            size = max(_size(model) for model in whole)
            smallest = int(min(strata[strata >= size], default=size))
            table.append(_of_size(max(min(size * spread, smallest), 2)))
            # only sets of items must be shared, not whole answers, where nothing else is asked
            alike = max((_size(model) for model in whole if not isinstance(model.need, NeedItemSets)), default=0)
            answers += [] if not alike or any(_hides(model, alike) for model in answers) else [_of_size(alike)]
        sensitive = [model for model in whole if isinstance(model.need, NeedGroups) and model.needs_sensitive]
        return cls(tuple(table), tuple(answers), tuple(sensitive), bool(whole))


def _size(model: PrivacyModel) -> int:
    """Return of how many people a group must be, at least."""
    return max(model.fewest_records, model.hidden_among or 0, 2)


def _plain(model: PrivacyModel) -> PrivacyModel:
    return replace(model, part=None)


def _of_size(size: int) -> PrivacyModel:
    return promises.read(f"k-anonymity:k={size}")


def _hides(model: PrivacyModel, size: int) -> bool:
    return model.radius is not None and model.fewest_records >= size
