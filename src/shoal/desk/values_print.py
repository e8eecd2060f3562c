"""A fingerprint of the values of a table alone."""

import hashlib

import polars as pl

from shoal.data import Microdata

__all__ = ["values_print"]


def values_print(table: Microdata) -> str:
    """Give the SHA-256 of the records of a table, whatever their order, that of the columns, roles and hierarchies.

    The same people under another name could be told in views that nobody checks together; and a schema is changed more
    easily than data are.
    """
    frame = pl.DataFrame({name: table[name].values.cast(pl.String) for name in sorted(table.names)})
    rows = frame.select(_row(frame)).to_series().sort()
    digest = hashlib.sha256(repr(frame.columns).encode())
    digest.update("".join(rows.to_list()).encode())
    return digest.hexdigest()


def _row(frame: pl.DataFrame) -> pl.Expr:
    """Give each record as one text; with lengths, so that no two records run together alike."""
    lengths = (pl.col(name).str.len_bytes().cast(pl.String).fill_null("-") for name in frame.columns)
    texts = (pl.col(name).fill_null("") for name in frame.columns)
    parts = [part for pair in zip(lengths, texts, strict=True) for part in pair]
    return pl.concat_str(parts, separator=":")
