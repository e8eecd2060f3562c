"""What came as the fields of a form, as the model of an operation has it: pages and programs are held to the same."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from shoal.errors import WordingError

__all__ = ["fitted"]

M = TypeVar("M", bound=BaseModel)


def fitted(model: type[M], values: Mapping[str, Any]) -> M:
    """Return values as a model has them, or raise; the message names the fields that do not fit, and no value."""
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        faults = {(str(each["loc"][0]) if each["loc"] else "all", _fault(each)) for each in error.errors()}
        told = "; ".join(f"{place.replace('_', ' ')}: {fault}" for place, fault in sorted(faults))
        raise WordingError(f"The form is not filled in as it must be: {told}.", "Change these fields.") from None


def _fault(error: Any) -> str:
    limits = error.get("ctx", {})
    said = {
        "missing": "something must be entered",
        "string_too_short": "something must be entered",
        "too_short": "something must be entered",
        "string_too_long": f"at most {limits.get('max_length')} characters",
        "too_long": f"at most {limits.get('max_length')}",
        "less_than_equal": f"at most {limits.get('le')}",
        "greater_than_equal": f"at least {limits.get('ge')}",
    }
    numbers = ("float_type", "float_parsing", "int_type", "int_parsing", "finite_number")
    if error["type"] in numbers:
        return "a whole number is needed" if error["type"].startswith("int") else "a number is needed"
    return said.get(error["type"], "this cannot be")
