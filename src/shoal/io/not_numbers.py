"""Texts where numbers are expected: what they likely are, and what to write down then."""

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

__all__ = ["COMMA_NUMBER", "NotNumbers", "with_point"]

COMMA_NUMBER = r"^-?(?:[0-9]+|[0-9]{1,3}(?:\.[0-9]{3})+)(?:,[0-9]+)?$"
"""A number with a decimal comma, and with or without points between thousands."""

_SHARE = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?\s?%")
_DECIMAL_COMMA = re.compile(r"[+-]?(?:[0-9]+|[0-9]{1,3}(?:\.[0-9]{3})+),[0-9]+")
_THOUSANDS = re.compile(r"[+-]?[0-9]{1,3}(?:[,' \u00a0\u202f\u2019][0-9]{3})+(?:\.[0-9]+)?")
_MISSING = frozenset(
    {"NA", "N/A", "N.A.", "NULL", "NONE", "NIL", "MISSING", "UNKNOWN", "NO ANSWER", "#N/A", "#NULL!", "<NA>"}
    | {".", "..", "-", "--", "–", "?"}
)
"""Words and signs that mean that a value is missing, in capital letters."""


def with_point(text: str) -> str:
    """Return a number with a decimal comma as one with a decimal point; other texts as they are."""
    return text.replace(".", "").replace(",", ".") if re.fullmatch(COMMA_NUMBER, text) else text


@dataclass(frozen=True)
class NotNumbers:
    """What texts are that stand where numbers are expected."""

    fault: str
    """What is wrong, after *12 values*."""
    cure: str
    declare: dict[str, Any] = field(default_factory=dict)
    """What to write at the top of the schema, where that is known."""

    @classmethod
    def among(cls, texts: Collection[str]) -> "NotNumbers":
        """Say what texts, each given once, have in common: all are of one form, or mean that a value is missing."""
        marks = sorted(text for text in texts if text.upper() in _MISSING)
        others = [text for text in texts if text.upper() not in _MISSING]
        listed = ", ".join(f'"{mark}"' for mark in marks)
        null = f"null = [{listed}]"
        if not others:
            return cls(
                "are not numbers but marks such as NA",
                f"If they mean that nothing is known, say {null} at the top of the schema.",
                {"null": marks},
            )
        found = next((found for form, found in _FORMS if all(form.fullmatch(text) for text in others)), _OTHER)
        return found if not marks or found is _OTHER else _with_null(found, null, marks)

    @property
    def is_known(self) -> bool:
        """Whether they are of a form that is known."""
        return self is not _OTHER


def _with_null(found: NotNumbers, null: str, marks: list[str]) -> NotNumbers:
    return NotNumbers(
        f"{found.fault} or are marks such as NA",
        f"{found.cure} Say {null} there too.",
        {**found.declare, "null": marks},
    )


_COMMA_OR_THOUSANDS = re.compile(r"[+-]?[0-9]{1,3},[0-9]{3}")
_FORMS = (
    (_SHARE, NotNumbers("end in a percent sign", "Write them without the sign.")),
    (
        _COMMA_OR_THOUSANDS,
        NotNumbers(
            "have a comma before three digits",
            'If it is a decimal comma, say decimal = "," at the top of the schema; if it separates thousands, take it '
            "out of the file.",
        ),
    ),
    (
        _DECIMAL_COMMA,
        NotNumbers("have a decimal comma", 'Say decimal = "," at the top of the schema.', {"decimal": ","}),
    ),
    (_THOUSANDS, NotNumbers("have separators between thousands", "Take the separators out of the file.")),
)
_OTHER = NotNumbers(
    "are not numbers", 'Correct them, or say null = ["NA"] at the top of the schema if a mark such as NA is among them.'
)
