"""Ratings of the shape of the Netflix Prize data on Spark and on the disk of this machine: checked and published.

(k,ε) is checked, and `predictive` publishes. `--rows` says how many ratings there are, as many as in the Prize data
unless said; fewer ratings are of fewer users and items. See `table_on_spark` for what Spark may take.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from shoal.anonymizers import methods
from shoal.backends import Backend
from shoal.datasets import write_generated
from shoal.io.ratings.long import long_layout
from shoal.io.read import open_long
from shoal.io.schemas import RatingsSchema
from shoal.models import promises
from shoal.partitioned.rating_release.publish_ratings import publish_ratings
from shoal.partitioned.ratings import judge_partitioned_ratings, read_partitioned_ratings
from shoal.partitioned.ratings.ratings_by_user import ratings_by_user
from shoal.partitioned.write_parts import Destination
from shoal.randomness import Randomness
from spark_and_stream import compared, run_here

__all__ = ["jobs", "main"]

RATINGS, USERS, ITEMS = 100_480_507, 480_189, 17_770
_CHECKED = "k-epsilon:k=5,epsilon=1"
_PROMISED = "k-anonymity:k=50"


def main(folder: Path, rows: int = RATINGS) -> dict[str, Any]:
    """Check and publish the same ratings on both and compare what is known of the releases."""
    data, share = folder / "ratings.parquet", rows / RATINGS
    if not data.exists():
        users, items = round(USERS * share), max(round(ITEMS * share**0.5), 100)
        write_generated("ratings", data, users=users, items=items, ratings=rows, seed=1)
    return {"ratings": rows, **compared(__file__, folder)}


def jobs(backend: Backend, folder: Path, done: Callable[[str], None]) -> dict[str, Any]:
    """Check (k,ε), and publish profiles; return the answers."""
    release = folder / f"release-{backend.name}"
    release.mkdir()
    schema = RatingsSchema(layout="long", user="user", item="item", rating="rating", scale=(1, 5))
    file = open_long(folder / "ratings.parquet", schema)
    assert file is not None
    layout = long_layout(file, schema)
    (verdict,) = judge_partitioned_ratings(read_partitioned_ratings(file, layout, backend), [promises.read(_CHECKED)])
    done("check")
    ratings = ratings_by_user(read_partitioned_ratings(file, layout, backend))
    to, own = Destination(release, None), layout.schema_of(file, ratings.scale)
    models, method = [promises.read(_PROMISED)], methods.read("predictive")
    same = Randomness(1, bytes(range(32)))  # chance decides where groups begin: here alike
    made = publish_ratings(ratings, own, file.types, models, method, to, randomness=same)
    done("predictive")
    known = {"violations": verdict.violations, "groups": made.certificate.groups}
    report = {name: round(float(value), 6) for name, value in made.report.items()}
    sizes = {str(size): number for size, number in sorted(made.group_sizes.items())}
    return {"known": known, "level": dict(verdict.level), "report": report, "sizes": sizes}


if __name__ == "__main__":
    run_here(jobs)
