"""Promises however they are asked for: as wordings or as objects, one or several."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from shoal.errors import WordingError

from .base import PrivacyModel, promises

__all__ = ["AskedModels", "asked_models"]

AskedModels: TypeAlias = str | PrivacyModel | Iterable[str | PrivacyModel]
"""One promise or several, each as an object or as it is worded: ``k-anonymity:k=5``."""

_EXAMPLE = 'Write "k-anonymity:k=5", or several in a list: ["k-anonymity:k=5", "l-diversity:l=2"].'


def asked_models(models: AskedModels | None, model: AskedModels | None = None) -> list[PrivacyModel]:
    """Return the promises that are asked for, none where neither is given; both at once are refused."""
    if model is not None:
        if not isinstance(models, str | PrivacyModel) and models is not None:
            models = (*models,)
        if models:
            raise WordingError("Both 'model' and 'models' are given, and they mean the same.", "Leave one of them out.")
        models = model
    if isinstance(models, str | PrivacyModel):
        models = (models,)
    if isinstance(models, Mapping):
        raise WordingError("A dict stands where promises are expected.", "Name both: models=…, schema=….")
    try:
        return [_read(each) for each in models or ()]
    except (TypeError, ValueError):  # of a frame or an array it is not even said whether it is empty
        raise WordingError(f"Promises are not given as an object of {type(models).__name__!r}.", _EXAMPLE) from None


def _read(model: object) -> PrivacyModel:
    if isinstance(model, PrivacyModel):
        return model
    if not isinstance(model, str):
        raise WordingError(f"A promise is text, and not an object of {type(model).__name__!r}.", _EXAMPLE)
    try:
        return promises.read(model)
    except WordingError:
        if model.count(":") > 1:
            raise WordingError("There are several promises in one text.", _EXAMPLE) from None
        raise
