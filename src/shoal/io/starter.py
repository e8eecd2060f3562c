"""A schema to start from: what is sure is filled in, and for the rest comments say what was found and why."""

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

import tomli_w

from shoal.data import Role
from shoal.io.ratings.null_marks import suspected_nulls
from shoal.profiling import ColumnProfile, SuggestedRole, TableProfile

__all__ = ["MARK", "starter_schema"]

MARK = "# A starter schema, written by shoal describe."
"""The first line, by which a file is recognized that may be replaced."""


def starter_schema(
    profile: TableProfile,
    settings: Mapping[str, Any],
    dates: Collection[str] = (),
    likely: Mapping[str, Any] | None = None,
) -> str:
    """Return a schema in TOML.

    A role is stated only for what surely names people. ``settings`` are those of the file: delimiter, header and
    names; ``dates`` the columns of text all of whose values are dates; ``likely`` are the settings of ratings, one a
    line, if the file looks like that.
    """
    known = {key: value for key, value in settings.items() if (key, value) != ("header", True)}
    if known.get("header") is False:
        known["names"] = [column.name for column in profile.columns]
    if likely and _names_columns(likely, profile):
        return "\n".join([MARK, *_ratings(profile, {**known, **likely})]) + "\n"
    rated = _rated(profile)
    lines = _survey(profile, rated, known) if rated else _table(profile, known, dates)
    return "\n".join([MARK, *lines]) + "\n"


def _names_columns(likely: Mapping[str, Any], profile: TableProfile) -> bool:
    there = {column.name for column in profile.columns} if "names" not in likely else set(likely["names"])
    return {likely.get(what, what) for what in ("user", "item", "rating")} <= there


def _ratings(profile: TableProfile, settings: Mapping[str, Any]) -> list[str]:
    return [
        "# The columns look like ratings, one a line. Check which is which, and list the sensitive items in sensitive.",
        tomli_w.dumps(settings).strip(),
        *([] if "null" in settings else [_null(profile)]),
        "sensitive = []",
    ]


def _rated(profile: TableProfile) -> list[ColumnProfile]:
    """Return the columns that look like ratings on one scale, if they make up most of the file."""
    columns = profile.columns
    spans = [span for span in map(_span, columns) if span is not None]
    if not spans:
        return []
    usual = max(dict.fromkeys(spans), key=spans.count)
    rated = [column for column in columns if _span(column) == usual]
    if len(rated) < 5 or 2 * len(rated) <= len(columns):
        return []
    return [column for column in columns if column in rated or _lacks_an_end(column, usual, profile)]


def _lacks_an_end(column: ColumnProfile, usual: tuple[int, int], profile: TableProfile) -> bool:
    """Return whether a column is rated like the others, but nobody chose the lowest or the highest point."""
    near = ((usual[0] + 1, usual[1]), (usual[0], usual[1] - 1))
    return usual[1] - usual[0] >= 3 and _span(column) in near and not profile.roles[column.name]


def _span(column: ColumnProfile) -> tuple[int, int] | None:
    """Return the lowest and highest point of a column that holds whole numbers on few points, as ratings do."""
    points = [point for point in column.points if point not in suspected_nulls(_exact(column))]
    return (min(points), max(points)) if len(points) > 1 else None


def _exact(column: ColumnProfile) -> list[Fraction]:
    return [Fraction(point) for point in column.points]


def _survey(profile: TableProfile, rated: list[ColumnProfile], settings: Mapping[str, Any]) -> list[str]:
    rest = [column for column in profile.columns if column not in rated]
    named = [column.name for column in rest if any(each.sure for each in profile.roles[column.name])]
    known = {"scale": list(_span(rated[0]) or ()), **settings}
    rest_names = [column.name for column in rest if column.name not in named]
    return [
        "# Most columns look like ratings. Check every list, and list the sensitive items in sensitive.",
        'kind = "ratings"',
        'layout = "wide"',
        tomli_w.dumps(known).strip(),
        *_null_of_ratings(profile, rated),
        tomli_w.dumps({"id": named}).strip() + "  # identifying columns, never published",
        "sensitive = []",
        *(f"# {column.name!r}: {_seen(column, profile)}" for column in rest),
        tomli_w.dumps({"ignore": rest_names, "items": [column.name for column in rated]}).strip(),
    ]


def _null_of_ratings(profile: TableProfile, rated: list[ColumnProfile]) -> list[str]:
    """Return the marks that mean null: those that numbers of the rated columns likely are."""
    marks = sorted({mark for column in rated for mark in suspected_nulls(_exact(column))})
    lowest, _ = _span(rated[0]) or (None, None)
    if not marks:
        return [_null(profile), *(["# If 0 means that nothing was rated: null = [0]"] if lowest == 0 else [])]
    return [f"null = {marks}  # they lie apart from the scale and often mean no answer; an empty field always does"]


def _null(profile: TableProfile) -> str:
    marks = dict.fromkeys(mark for column in profile.columns for mark, _ in column.null_marks)
    found = f"; found: {tomli_w.dumps({'null': list(marks)}).strip()}".replace("\n", " ") if marks else ""
    return f"null = []  # marks that mean null, if any; an empty field always does{found}"


def _table(profile: TableProfile, settings: Mapping[str, Any], dates: Collection[str]) -> list[str]:
    lines = [
        "# Give every column a role: identifier (names a person), quasi-identifier (others may know it), sensitive",
        "# (others must not learn it), insensitive (neither) or drop; of a sample also weight, household and stratum.",
        'kind = "table"',
        *([tomli_w.dumps(settings).strip()] if settings else []),
        _null(profile),
        *_person(profile),
    ]
    for column in profile.columns:
        *header, _ = tomli_w.dumps({"columns": {column.name: {"role": ""}}}).strip().split("\n")
        stated = next((str(each.role) for each in profile.roles[column.name] if each.sure), "")
        lines += ["", *header, f'role = "{stated}"  # {_seen(column, profile)}']
        lines += ['type = "date"'] if column.name in dates else []
    return lines


def _person(profile: TableProfile) -> list[str]:
    """Return how to say whose records they are, where what names people repeats."""
    surely = [
        column.name
        for column in profile.columns
        if not column.is_unique
        and any(each.sure and each.role is Role.IDENTIFIER for each in profile.roles[column.name])
    ]
    if not surely:
        return []
    return [
        f"# {surely[0]!r} repeats. If its records are of one person, promises count people:",
        f"# {tomli_w.dumps({'person': surely[0]}).strip()}",
    ]


def _seen(column: ColumnProfile, profile: TableProfile) -> str:
    missing = f", {column.missing:,} missing" if column.missing else ""
    seen = f"{column.type}, {column.distinct:,} distinct values{missing}"
    suggested = "; ".join(_in_words(each) for each in profile.roles[column.name])
    others = [each for each in profile.dependencies if column.name == each.determines and each.exact]
    by = f"; follows from {others[0].column!r}" if others else ""
    return f"{seen}: {suggested}{by}" if suggested else f"{seen}{by}"


def _in_words(suggested: SuggestedRole) -> str:
    return str(suggested)
