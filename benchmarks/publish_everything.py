"""Every rating and survey set is published, verified, checked anew, and counted by a reader that is not ours."""

import zipfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import shoal
from measuring import SHARED
from shoal.jobs.check import check
from shoal.jobs.verify import verify

K = 5
SURVEY = 'kind = "ratings"\nlayout = "wide"\n'
LONG = 'kind = "ratings"\nlayout = "long"\nuser = "user"\nitem = "item"\nrating = "rating"\n'


def main(folder: Path) -> dict[str, Any]:
    """Publish with align at the ε of each set; say of each that it holds, by us and by counting pair by pair."""
    points = []
    for name, (path, prepare, schema, epsilon) in _SETS.items():
        if (SHARED / path).exists():
            points.append(_point(folder / name.replace(" ", "-"), name, prepare(SHARED / path), schema, epsilon))
    if not points:
        return {"skipped_for_want_of_data": 1}
    return {"sets": len(points), "that_hold": sum(point["holds"] for point in points), "points": points}


def _point(folder: Path, name: str, frame: pl.DataFrame, schema: str, epsilon: Fraction) -> dict[str, Any]:
    folder.mkdir()
    frame.write_csv(folder / "data.csv")
    (folder / "schema.toml").write_text(schema, encoding="utf-8")
    wide, promise = 'layout = "wide"' in schema, f"k-epsilon:k={K},epsilon={float(epsilon):g}"
    release = folder / "release"
    made = shoal.publish(
        folder / "data.csv", schema=str(folder / "schema.toml"), models=[promise], out=str(release), duplicates="last"
    )
    verified = verify(release)
    again = check(release / "data.csv", schema=release / "schema.toml", models=[promise])
    levels = [dict(result.verdicts[0].level) for result in (verified, again)]
    published = pl.read_csv(release / "data.csv", infer_schema_length=None)
    fewest = _fewest_others(published.drop("record") if wide else _spread_out(published), float(epsilon)) + 1
    point = {
        "data": name,
        "records": made.records_in,
        "epsilon": float(epsilon),
        "seconds": round(made.seconds, 2),
        "changed": made.cells_changed,
        "invented": made.ratings_invented,
        "dropped": made.ratings_dropped,
        "level": levels[0]["k"],
        "counted": fewest,
        "stays_as_it_was_laid_out": wide == ("rating" not in published.columns),
        "holds": verified.holds and again.holds and levels[0] == levels[1] and levels[0]["k"] == fewest >= K,
    }
    print(point, flush=True)
    return point


def _spread_out(published: pl.DataFrame) -> pl.DataFrame:
    user = next(name for name in published.columns if name not in ("item", "rating"))
    return published.pivot("item", index=user, values="rating").drop(user)


def _fewest_others(ratings: pl.DataFrame, epsilon: float) -> int:
    """Count for each row the others that rated the same and differ by at most ε everywhere; give the smallest."""
    values = ratings.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()
    patterns: dict[bytes, list[int]] = {}
    for row, given in enumerate(~np.isnan(values)):
        patterns.setdefault(np.packbits(given).tobytes(), []).append(row)
    fewest = len(values)
    for rows in patterns.values():
        points = values[rows][:, ~np.isnan(values[rows[0]])]
        for start in range(0, len(points), 50):
            near = np.ones((len(points[start : start + 50]), len(points)), bool)
            for column in range(points.shape[1]):
                near &= np.abs(points[start : start + 50, column, None] - points[None, :, column]) <= epsilon + 1e-9
            fewest = min(fewest, int(near.sum(axis=1).min()) - 1)
    return fewest


def _separated(separator: str, names: tuple[str, ...]) -> Callable[[Path], pl.DataFrame]:
    def read(path: Path) -> pl.DataFrame:
        frame = pl.read_csv(path, separator=separator, has_header=False, infer_schema=False)
        return frame[:, : len(names)].rename(dict(zip(frame.columns, names, strict=False)))

    return read


def _double_colons(path: Path) -> pl.DataFrame:
    frame = pl.read_csv(path, has_header=False, separator="\n", new_columns=["line"], quote_char=None)
    parts = frame["line"].str.split("::")
    return pl.DataFrame({name: parts.list.get(at) for at, name in enumerate(("user", "item", "rating"))})


def _zipped(member: str, read: Callable[[bytes], pl.DataFrame]) -> Callable[[Path], pl.DataFrame]:
    def unpacked(path: Path) -> pl.DataFrame:
        with zipfile.ZipFile(path) as archive:
            return read(archive.read(member))

    return unpacked


def _jester(text: bytes) -> pl.DataFrame:
    """Round ratings of −10 to 10 to whole numbers; 99 is not rated."""
    frame = pl.read_csv(text, has_header=False, infer_schema_length=None)
    return frame.select(
        pl.when(pl.col(name) == 99).then(None).otherwise(pl.col(name).round().cast(pl.Int8)).alias(f"joke {at}")
        for at, name in enumerate(frame.columns[1:], 1)
    )


def _without(names: tuple[str, ...], separator: str = ",") -> Callable[[Path], pl.DataFrame]:
    return lambda path: pl.read_csv(path, separator=separator, infer_schema_length=None).drop(names, strict=False)


def _answers(path: Path) -> pl.DataFrame:
    """Take the questions that are answered by a number from 1 to 5."""
    frame = pl.read_csv(path, infer_schema_length=None)
    numbers = [name for name in frame.columns if frame[name].dtype.is_integer() and frame[name].max() == 5]
    return frame.select(numbers)


_IDS = ("user", "item", "rating")
_BIG5 = ("race", "age", "engnat", "gender", "hand", "source", "country")
_SETS: dict[str, tuple[str, Callable[[Path], pl.DataFrame], str, Fraction]] = {
    "ml-100k": ("ratings/ml-100k/u.data", _separated("\t", _IDS), LONG + "scale = [1, 5]\n", Fraction(1)),
    "ml-1m": ("ratings/ml-1m/ratings.dat.gz", _double_colons, LONG + "scale = [1, 5]\n", Fraction(1)),
    "ml-latest-small": (
        "ratings/ml-latest-small/ml-latest-small.zip",
        _zipped(
            "ratings.csv",
            lambda text: pl.read_csv(text).select(user="userId", item="movieId", rating="rating"),
        ),
        LONG + "scale = [0.5, 5]\nstep = 0.5\n",
        Fraction(1),
    ),
    "movietweetings": (
        "ratings/movietweetings-100k/ratings.dat",
        _double_colons,
        LONG + "scale = [0, 10]\n",
        Fraction(2),
    ),
    "filmtrust": (
        "ratings/filmtrust/rating",
        lambda folder: pl.concat(_separated(" ", _IDS)(file) for file in sorted(folder.glob("*.txt"))),
        LONG + "scale = [0.5, 4]\nstep = 0.5\n",
        Fraction(1),
    ),
    "book-crossing": (
        "ratings/book-crossing/book_crossing.zip",
        _zipped("book_crossing/book_ratings.dat", lambda text: pl.read_csv(text, separator="\t")),
        LONG + "scale = [1, 10]\n",
        Fraction(2),
    ),
    "netflix part": (
        "ratings/netflix-prize-part/utd-subset/TestingRatings.txt",
        _separated(",", ("item", "user", "rating")),
        LONG + "scale = [1, 5]\n",
        Fraction(1),
    ),
    "jester": (
        "ratings/jester-1/jester-data-1.zip",
        _zipped("jester-data-1.csv", _jester),
        SURVEY + "scale = [-10, 10]\n",
        Fraction(3),
    ),
    "young people": ("surveys/young-people-survey/responses.csv", _answers, SURVEY + "scale = [1, 5]\n", Fraction(1)),
    "big5": ("surveys/big5/data.csv", _without(_BIG5, "\t"), SURVEY + "scale = [1, 5]\nnull = [0]\n", Fraction(1)),
    "ecr": (
        "surveys/ecr/data.csv",
        _without(("age", "gender", "country")),
        SURVEY + "scale = [1, 5]\nnull = [0]\n",
        Fraction(1),
    ),
    "sd3": (
        "surveys/sd3/data.csv",
        _without(("country", "source"), "\t"),
        SURVEY + "scale = [1, 5]\nnull = [0]\n",
        Fraction(1),
    ),
    "bfi": (
        "surveys/bfi/bfi.csv",
        _without(("gender", "education", "age")),
        SURVEY + "scale = [1, 6]\n",
        Fraction(1),
    ),
    "turkiye": (
        "surveys/turkiye-student-evaluation/turkiye-student-evaluation_generic.csv",
        lambda path: pl.read_csv(path)[:, 5:],
        SURVEY + "scale = [1, 5]\n",
        Fraction(1),
    ),
}
