"""Which promises a method can keep: others are refused by name before anything is done."""

from collections.abc import Sequence

from shoal.errors import WordingError
from shoal.evidence import NeedGroups
from shoal.models import BLDiversity, KAnonymity, KEpsilon, PrivacyModel

__all__ = ["are_kept_by_profiles", "are_kept_upward", "fewest_raters", "refuse_unjoinable", "refuse_without_groups"]


def refuse_unjoinable(method: str, models: Sequence[PrivacyModel]) -> None:
    """Raise if groups that keep a promise may break it together."""
    for model in models:
        if not model.merge_safe:
            raise WordingError(f"The method {method!r} cannot keep {model}: its groups may not be joined freely.")


def refuse_without_groups(method: str, models: Sequence[PrivacyModel]) -> None:
    """Raise if a promise is judged on something else than groups."""
    for model in models:
        if not isinstance(model.need, NeedGroups):
            raise WordingError(f"The method {method!r} cannot keep {model}: it is not judged on groups.")


def are_kept_upward(models: Sequence[PrivacyModel], spare: int, *, in_people: bool = False) -> bool:
    """Tell whether what lies above a node that keeps the promises keeps them too.

    Where people are counted who may have several records, two groups may have people in common. Together they are then
    not what they are apart, added up: one person is a record less, so only what more records never break is kept.
    """
    return all(model.merge_safe and (model.grow_safe or not (spare or in_people)) for model in models)


def are_kept_by_profiles(model: PrivacyModel) -> bool:
    """Tell whether a promise can be kept by profiles that stand for several people each."""
    if isinstance(model, KEpsilon):
        return model.semantics == "neighbourhood" and model.l is None
    return isinstance(model, KAnonymity | BLDiversity)


def fewest_raters(models: Sequence[PrivacyModel]) -> int:
    """Return how many people must have rated an item: the k that is promised, or the l where no k is."""
    sizes = [model.k for model in models if isinstance(model, KAnonymity | KEpsilon)]
    return max(sizes or [model.l for model in models if isinstance(model, BLDiversity)], default=1)
