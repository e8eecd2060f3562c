"""``shoal generate``: synthetic data of any size."""

from typing import Any

import click

from . import options
from .printing import print_json
from .progress_bars import progress_bars

__all__ = ["generate"]

_out = click.option(
    "--out", required=True, metavar="FILE", help="A .parquet, .csv, .xlsx, … file; its schema goes beside it."
)
_force = click.option("--force", is_flag=True, help="Replace files that exist.")
_seed = click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same data.")


@click.group()
def generate() -> None:
    """Make synthetic ratings, baskets, surveys, tables or samples, with a schema beside them."""


@generate.command()
@click.option("--users", type=int, default=1000, show_default=True, help="Number of users.")
@click.option("--items", type=int, default=500, show_default=True, help="Number of items.")
@click.option("--ratings", type=int, default=50_000, show_default=True, help="Number of ratings.")
@_seed
@_out
@_force
@options.as_json
def ratings(**settings: Any) -> None:
    """Sparse ratings 1 to 5 with heavy-tailed activity and popularity (Netflix: 480189 × 17770, 100480507)."""
    _generate("ratings", settings)


@generate.command()
@click.option("--people", type=int, default=1000, show_default=True, help="Number of people.")
@click.option("--items", type=int, default=500, show_default=True, help="Number of items.")
@click.option("--purchases", type=int, default=10_000, show_default=True, help="Number of purchases.")
@click.option("--exponent", type=float, default=1.0, show_default=True, help="How unequally popular items are (Zipf).")
@click.option("--hierarchy", is_flag=True, help="Add a hierarchy of items: shelves, aisles and departments.")
@click.option("--demographics", is_flag=True, help="Add age, sex, town, education and income of the people.")
@_seed
@_out
@_force
@options.as_json
def baskets(**settings: Any) -> None:
    """Who bought what: baskets of very different sizes, of items of very different popularity."""
    _generate("baskets", settings)


@generate.command()
@click.option("--respondents", type=int, default=1000, show_default=True, help="Number of respondents.")
@click.option("--issues", type=int, default=20, show_default=True, help="Number of issues.")
@click.option("--sensitive", type=int, default=2, show_default=True, help="How many of them are sensitive.")
@click.option("--nulls", type=float, default=0.05, show_default=True, help="Share of answers that are missing.")
@click.option("--demographics", is_flag=True, help="Add age, sex, town, education and income of the respondents.")
@_seed
@_out
@_force
@options.as_json
def survey(**settings: Any) -> None:
    """A dense survey of similar respondents, some of whose issues are sensitive."""
    _generate("survey", settings)


@generate.command()
@click.option("--rows", type=int, default=1000, show_default=True, help="Number of records.")
@_seed
@_out
@_force
@options.as_json
def table(**settings: Any) -> None:
    """A table of people with eight quasi-identifiers and their hierarchies."""
    _generate("table", settings)


@generate.command()
@click.option("--rows", type=int, default=100_000, show_default=True, help="Number of people of the population.")
@click.option("--sample", type=int, default=2000, show_default=True, help="Number of people drawn, about.")
@click.option("--strata", type=int, default=8, show_default=True, help="Number of regions.")
@_seed
@_out
@_force
@options.as_json
def sample(**settings: Any) -> None:
    """A stratified sample of households from such a table, with weights."""
    _generate("sample", settings)


def _generate(kind: str, settings: dict[str, Any]) -> None:
    from shoal.datasets import write_generated

    as_json, out = settings.pop("as_json"), settings.pop("out")
    with progress_bars(quiet=as_json):
        schema = write_generated(kind, out, **settings)
    if as_json:
        print_json({"data": out, "schema": str(schema)})
    else:
        click.echo(f"Wrote {out} and its schema {schema}")
