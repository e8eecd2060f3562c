"""How results look to whoever asks for them by name: a few lines on a terminal, tables in a notebook.

A result says what it shows (:mod:`.summary`); :mod:`.displayed` turns that into ``repr`` and ``_repr_html_`` by
:mod:`.as_text` and :mod:`.as_html`. Neither may contain a value of a record: summaries are made of names, counts, rates
and sentences. The one exception is what an owner asks for to look at data, and says so in its docs.
"""

from .displayed import Displayed
from .summary import Picture, Summary, Table

__all__ = ["Displayed", "Picture", "Summary", "Table"]
