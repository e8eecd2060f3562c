"""What a first look at data shows: as JSON, as tables for a terminal, a notebook or a page."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any

from shoal.column_audit import Dependency
from shoal.data import Role
from shoal.display import Displayed, Picture, Summary, Table
from shoal.profiling import AnswersProfile, ColumnProfile, RatingsProfile, TableProfile
from shoal.wording.format import format_count, format_name, format_number, format_share

__all__ = ["Description"]

_MOST_BARS = 24
_RANGE = ("lowest", "percent_1", "median", "percent_99", "highest")


@dataclass(frozen=True, repr=False)
class Description(Displayed):
    """Facts about a data set in numbers, and in sentences how it was understood.

    Ranges and quantiles of numbers and dates are shown, except of columns that may name people. Frequent values are
    shown only where ``values`` is true, and neither are in the repr.
    """

    facts: dict[str, Any]
    notes: tuple[str, ...]
    columns: tuple[dict[str, Any], ...] = ()
    """For tables, one entry a column."""
    dependencies: tuple[Dependency, ...] = ()
    """For tables, which columns outside the promises determine a quasi-identifier or are determined by one."""
    starter: str | None = None
    """A schema to start from, where none was given."""
    table: TableProfile | None = field(default=None, compare=False)
    """For tables, the figures of columns and of sets of columns."""
    ratings: RatingsProfile | None = None
    """For ratings, how they are distributed."""
    answers: tuple[AnswersProfile, ...] = ()
    """For ratings with a column an item, those columns one by one."""
    by_size: dict[int, int] = field(default_factory=dict)
    """How many records are in groups of each size that look alike in what others may know."""
    values: bool = False
    """Whether frequent values are shown."""
    problems: tuple[str, ...] = ()
    """Those of the notes that ask for a decision; the others say how the data were understood."""
    declare: dict[str, Any] = field(default_factory=dict)
    """Settings that a schema would need, where they were recognized and none was given."""

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        published: dict[str, Any] = {**self.facts, "notes": list(self.notes)}
        published |= {"problems": [*self.problems, *self.far_out()]}
        if self.declare:
            published["declare"] = self.declare
        if self.columns:
            published["columns"] = list(self.columns)
        if self.by_size:
            published["records_by_group_size"] = {str(size): count for size, count in self.by_size.items()}
        if self.dependencies:
            published["dependencies"] = [asdict(each) for each in self.dependencies]
        if self.table is not None:
            published |= self.table.to_json()
        if self.ratings is not None:
            published |= self.ratings.to_json()
        if self.answers:
            published["answers"] = [asdict(each) for each in self.answers]
        if self.starter is not None:
            published["starter_schema"] = self.starter
        return published

    @property
    def facts_in_words(self) -> tuple[tuple[str, str], ...]:
        """The facts as people read them."""
        return tuple((format_name(name), in_words(fact)) for name, fact in self.facts.items())

    def tables(self, *, ranges: bool = True) -> tuple[Table, ...]:
        """Return everything but facts and notes as tables; without ``ranges``, no value is in them."""
        return (*self._of_table(ranges=ranges), *self._of_ratings())

    def far_out(self) -> Iterator[str]:
        """Yield a sentence for each column with a value that may be an error."""
        for column in self.table.columns if self.table is not None else ():
            for end in column.far_out if column.name not in self.hidden else ():
                yield f"The {end} value of {column.name!r} is far from nearly all others: {_PERHAPS}"

    @property
    def hidden(self) -> frozenset[str]:
        """The columns whose values are not shown, because they name people or may do so."""
        by_role = {each["name"] for each in self.columns if each.get("role") in (Role.IDENTIFIER, Role.HOUSEHOLD)}
        return (self.table.identifying if self.table is not None else frozenset()) | by_role

    def histograms(self) -> Iterator[tuple[ColumnProfile, bool]]:
        """Yield every column of a table, and whether its values may be drawn."""
        for column in self.table.columns if self.table is not None else ():
            yield column, column.name not in self.hidden

    def _summary(self) -> Summary:
        title = f"Description of {format_count(self.facts['records'], 'record')} ({self.facts['kind']})"
        return Summary(title, None, self.facts_in_words, self.tables(ranges=False), self.notes)

    def shown(self) -> tuple[Summary, tuple[Picture, ...]]:
        """Return what a notebook or a page shows: with ranges of values, unlike a terminal."""
        summary = self._summary()
        sentences = (*self.notes, *self.far_out())
        return Summary(summary.title, None, summary.facts, self.tables(), sentences), tuple(self._pictures())

    def drawings(self) -> Iterator[Picture]:
        """Yield every histogram in full, with its numbers: for a page that its owner alone can open."""
        from shoal.pages.histograms import column_histogram, rating_histogram

        if self.ratings is not None and len(self.ratings.points) > 1:
            yield rating_histogram(self.ratings)
        yield from (column_histogram(column) for column, shown in self.histograms() if shown)

    def _pictures(self) -> Iterator[Picture]:
        from shoal.pages.histograms import rating_histogram, small_histogram

        if self.ratings is not None and len(self.ratings.points) > 1:
            yield rating_histogram(self.ratings)
        drawn = (small_histogram(column) for column, shown in self.histograms() if shown)
        yield from islice(filter(None, drawn), _MOST_BARS)

    def _of_table(self, *, ranges: bool) -> Iterator[Table]:
        if not self.columns:
            return
        yield self._columns_table(ranges=ranges)
        if self.table is None:
            return
        if self.values and ranges:
            yield from self._frequent()
        rows = [(each.column, each.kind, str(each.role), each.reason) for each in self.table.screened]
        if rows:
            head = ("column", "looks like", "role", "because")
            yield Table.of("What names people, or helps to find them", head, rows, _WORDS, most=60)
        yield from self._suggested()
        if self.table.dependencies:
            sentences = [(str(each),) for each in self.table.dependencies]
            yield Table.of("Columns that determine one another", ("dependency",), sentences)
        yield from self._apart()

    def _columns_table(self, *, ranges: bool) -> Table:
        plain = [key for key in self.columns[0] if key in _PLAIN]
        heads = [*plain, *(("min", "1 %", "median", "99 %", "max", "mean") if ranges else ())]
        rows = []
        for column in self.columns:
            quantiles, mean = column.get("quantiles"), column.get("mean")
            figures = [in_words(quantiles[key]) if quantiles else "–" for key in _RANGE] + [in_words(mean)]
            rows.append([*(in_words(column[key]) for key in plain), *(figures if ranges else ())])
        return Table.of("Columns", heads, rows, ("role", "type"), most=500)

    def _frequent(self) -> Iterator[Table]:
        assert self.table is not None
        shown = [each for each in self.table.columns if each.frequent and each.name not in self.hidden]
        rows = [(each.name, ", ".join(f"{value} ({records:,})" for value, records in each.frequent)) for each in shown]
        if rows:
            yield Table.of("Frequent values", ("column", "value (records)"), rows, _WORDS, most=500)

    def _suggested(self) -> Iterator[Table]:
        assert self.table is not None
        declared = {each["name"]: each.get("role") for each in self.columns}
        rows = [
            (name, str(each.role) if each.sure else f"perhaps {each.role}", "; ".join(each.reasons))
            for name, suggested in self.table.roles.items()
            for each in suggested
            if declared.get(name) is None
        ]
        if rows:
            yield Table.of("Candidates for roles", ("column", "role", "because"), rows, _WORDS, most=200)

    def _apart(self) -> Iterator[Table]:
        assert self.table is not None
        unit = "people alone" if "people" in self.facts else "records alone"
        rows = [
            (
                ", ".join(each.columns),
                f"{each.classes:,}",
                _exact_share(each.distinction),
                _exact_share(each.separation),
                f"{each.alone:,}",
            )
            for each in self.table.separations
        ]
        if rows:
            head = ("columns", "combinations", "distinction", "separation", unit)
            yield Table.of("How columns that others may know tell records apart", head, rows)
        keys = [(", ".join(key),) for key in self.table.keys.keys]
        if keys:
            complete = "" if self.table.keys.complete else ", not all of them"
            yield Table.of(f"Minimal keys of up to {self.table.keys.widest} such columns{complete}", ("columns",), keys)

    def _of_ratings(self) -> Iterator[Table]:
        if self.ratings is None:
            return
        given = max(sum(self.ratings.counts), 1)
        rows = [
            (f"{point:g}", f"{count:,}", format_share(count / given))
            for point, count in zip(self.ratings.points, self.ratings.counts, strict=True)
        ]
        if len(rows) > 1:  # sets have one mark
            yield Table.of("How high ratings are", ("rating", "ratings", "share"), rows, most=50)
        is_sets = len(self.ratings.points) == 1
        caption = "How many items, and how many people" if is_sets else "How many ratings"
        names = ("items of a person", "people with an item") if is_sets else ("a person gives", "an item gets")
        of_each = zip(names, (self.ratings.a_person, self.ratings.an_item), strict=True)
        rows = [(name, *(f"{value:,}" for value in asdict(spread).values())) for name, spread in of_each]
        yield Table.of(caption, ("", "fewest", "1 %", "median", "99 %", "most"), rows)


_PERHAPS = "it may be an error, or a mark that means null."
_WORDS = ("looks like", "role", "because", "value (records)")
_PLAIN = ("name", "role", "type", "distinct", "missing", "levels")


def in_words(fact: Any) -> str:
    """Write a fact as people read it."""
    if fact is None:
        return "–"
    if isinstance(fact, dict):
        return ", ".join(f"{format_name(name)} {in_words(value)}" for name, value in fact.items())
    if isinstance(fact, list):
        return "(" + ", ".join(fact) + ")"
    return fact if isinstance(fact, str) else format_number(fact)


def _exact_share(share: Any) -> str:
    """Write a share so that only 0 and 1 look like 0 and 1."""
    if 0 < share < 0.0001:
        return "below 0.01 %"
    if 0.9999 < share < 1:
        return "above 99.99 %"
    return f"{100 * float(share):.2f} %"
