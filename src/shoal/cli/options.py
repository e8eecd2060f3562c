"""Options that several commands share, each written once."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from shoal.utility import Prediction

__all__ = [
    "accept",
    "as_json",
    "data",
    "desk_store",
    "duplicates",
    "engine",
    "format_name",
    "key_command",
    "key_file",
    "models",
    "predict",
    "prediction",
    "prediction_settings",
    "queries",
    "schema",
    "search",
    "secret",
    "seed",
    "semantics",
    "warn_below",
    "warn_unique",
]

_ASKED = "shoal.cli.options.asked"

desk_store = click.option(
    "--desk",
    "store",
    envvar="SHOAL_DESK",
    default="desk.sqlite",
    show_default=True,
    metavar="FILE_OR_URL",
    help="Where the desk keeps its books: a file, or postgresql://… ($SHOAL_DESK).",
)
key_file = click.option(
    "--key-file", envvar="SHOAL_DESK_KEY_FILE", metavar="FILE", help="The key of data that the desk keeps, in a file;"
)
key_command = click.option(
    "--key-command", envvar="SHOAL_DESK_KEY_COMMAND", metavar="COMMAND", help="or printed by a command."
)


def _note_asked(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.meta.setdefault(_ASKED, {})[parameter.name] = value


def _located(context: click.Context, _parameter: click.Parameter, path: str | None) -> Any:
    """Return DATA: a path or, where options say which part of it is meant, its location."""
    asked = context.meta.get(_ASKED)
    if not asked or path is None:
        return path
    from shoal.io.formats.location import Location

    return Location(path, **asked)


# eager, so that they are known when DATA is
_SETTINGS_OF_DATA = [
    click.option(name, as_, metavar=metavar, help=text, expose_value=False, is_eager=True, callback=_note_asked)
    for name, as_, metavar, text in (
        ("--sheet", "sheet", "NAME", "The sheet to read, where DATA is a workbook with several."),
        ("--query", "query", "SQL", "The query to read, or the name of a table, where DATA is the URL of a database."),
        ("--encoding", "encoding", "NAME", "The encoding of DATA, where it is text, such as cp1252."),
        ("--format-in", "format", "FORMAT", "The format of DATA, such as csv, where it is not recognized."),
    )
]


def data(*, metavar: str | None = None, required: bool = True) -> Callable[[Any], Any]:
    """Return the argument DATA, with the options that say which part of it is meant."""

    def add(command: Any) -> Any:
        for option in reversed(_SETTINGS_OF_DATA):
            command = option(command)
        return click.argument("data", metavar=metavar, required=required, callback=_located)(command)

    return add


schema = click.option("--schema", "schema", metavar="FILE", help="The schema: roles and types of the columns (TOML).")

models = click.option(
    "--model", "-m", "models", multiple=True, metavar="PROMISE", help="A promise, such as k-anonymity:k=5; repeatable."
)

duplicates = click.option(
    "--duplicates",
    type=click.Choice(["refuse", "last", "mean"]),
    default="refuse",
    show_default=True,
    help="What to do when a user rates an item twice.",
)


class _FormatName(click.ParamType):
    """The name of a format that can be written; which there are is looked up only when it is asked for."""

    name = "format"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        from shoal.io.formats.registry import writable_formats

        return f"[{'|'.join(each.name for each in writable_formats())}]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from shoal.io.formats.registry import writable_formats

        known = [each.name for each in writable_formats()]
        if value not in known:
            self.fail(f"{value!r} is not one of {', '.join(map(repr, known))}.", param, ctx)
        return value


format_name = _FormatName()

search = click.option(
    "--search",
    type=click.Choice(["auto", "slicing", "pairwise"]),
    default="auto",
    show_default=True,
    help="How neighbors are searched for; the verdicts are the same.",
)

_engine = click.option(
    "--engine",
    type=click.Choice(["auto", "local", "stream", "spark"]),
    default="auto",
    show_default=True,
    help="Where records are: local, in memory; stream, on disk; auto, on disk if they do not fit; spark, on a cluster.",
)
_memory = click.option(
    "--memory", metavar="SIZE", help="How much memory may be used, such as 4GiB; half of the machine's by default."
)
_spark_master = click.option(
    "--spark-master",
    metavar="URL",
    help="With --engine spark: the cluster, such as spark://host:7077 or local[2]; SPARK_MASTER by default.",
)
_spark_staging = click.option(
    "--spark-staging",
    metavar="DIR",
    help="With --engine spark: a folder that all executors see; a private one is made there for the run.",
)


def engine(command: Any) -> Any:
    """Add the options that say where records are."""
    return _engine(_memory(_spark_master(_spark_staging(command))))


accept = click.option(
    "--accept",
    multiple=True,
    metavar="NAME",
    help="Publish despite an objection; repeatable. NAME is a column that the audit objects to, 'vacuous' (a promise "
    "that protects nobody) or 'empty' (a release in which no value is left).",
)

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")

seed = click.option("--seed", type=int, help="Make the run repeatable, together with its secret.")

secret = click.option(
    "--secret",
    metavar="FILE",
    help="The secret of a run to repeat: secret.txt of its ledger. A new one by default.",
)


class _Choice(click.Choice):
    """A choice of words that may be spelled the British way."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the choice in American spelling."""
        from shoal.wording.values import american

        return super().convert(value if value in self.choices else american(str(value)), param, ctx)


semantics = click.option(
    "--semantics",
    type=_Choice(["neighborhood", "partition"]),
    default="neighborhood",
    show_default=True,
    help="neighborhood: every record has k − 1 others within epsilon; partition: the records form groups of k.",
)

warn_below = click.option(
    "--warn-below", metavar="SHARE", help="Warn if less than this share of the data is left; 50% by default."
)

warn_unique = click.option(
    "--warn-unique",
    metavar="SHARE",
    help="Warn if more than this share of the published records are exactly original and unique; 5% by default.",
)

queries = click.option(
    "--queries",
    metavar="SETTINGS",
    help="Which COUNT queries are asked: width=3,selectivity=0.1,count=100,sanity=0.001 unless said; any of these.",
)

predict = click.option("--predict", metavar="NAME", help="The item or the column that classifiers are to predict.")

prediction = click.option(
    "--prediction",
    metavar="SETTINGS",
    help="How classifiers are tried: trials=5,records=5000,training=2/3,features=50 unless said; any of the four.",
)


def prediction_settings(predict: str | None, prediction: str | None) -> "Prediction | None":
    """Return what --predict and --prediction say together; None where neither is given."""
    from dataclasses import replace

    from shoal.errors import WordingError
    from shoal.utility import Prediction
    from shoal.wording.settings import read_settings

    if predict is None and prediction is None:
        return None
    settings = read_settings(Prediction, prediction or "")
    if settings.target is not None:
        raise WordingError("--prediction does not say what is predicted.", "Write --predict NAME.")
    return replace(settings, target=predict)
