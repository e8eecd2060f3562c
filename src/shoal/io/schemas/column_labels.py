"""What a column and its codes are called, as files of SPSS and Stata say it."""

from pydantic import Field

from .strict_model import StrictModel

__all__ = ["ColumnLabels"]


class ColumnLabels(StrictModel):
    """The label of a column, and the labels of its codes."""

    text: str | None = None
    """What the column is called, such as a question of a survey."""
    values: dict[str, str] = Field(default_factory=dict)
    """The label of each code; codes are written as text."""

    def restricted(self, words: set[str]) -> "ColumnLabels":
        """Return only the labels of these values, whether they are written by their codes or by their labels."""
        kept = {code: label for code, label in self.values.items() if code in words or label in words}
        return ColumnLabels(text=self.text, values=kept)
