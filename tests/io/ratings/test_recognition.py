"""Files with one rating a line are recognized by names and shape, and by nothing less."""

from fractions import Fraction
from pathlib import Path

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import given

from shoal.assumed import assumptions
from shoal.errors import SchemaError
from shoal.io import RatingsSchema, read
from shoal.io.ratings.column_names import is_time, named_column
from shoal.io.ratings.null_marks import suspected_nulls

PAIRS = [(user, item) for user in range(12) for item in range(8) if (user * 7 + item * 3) % 5]


def frame(user: str, item: str, rating: str) -> pl.DataFrame:
    return pl.DataFrame(
        {user: [u for u, _ in PAIRS], item: [i for _, i in PAIRS], rating: [1 + (u * i) % 5 for u, i in PAIRS]}
    )


def understood(data: pl.DataFrame, folder: Path) -> RatingsSchema:
    data.write_csv(folder / "r.csv")
    schema = read(folder / "r.csv").schema
    assert isinstance(schema, RatingsSchema)
    return schema


@pytest.mark.parametrize(
    "names",
    [
        ("account_id", "title_id", "stars"),
        ("User_ID", "Anime_ID", "Feedback"),
        ("userId", "movieId", "rating"),
        ("CustomerID", "ProductID", "Score"),
        ("viewer", "track", "value"),
        ("member_no", "ISBN", "grade"),
        ("USERID", "ARTISTID", "VOTE"),
        ("rater", "Wines", "points"),
        ("student id", "course code", "Grade"),
    ],
)
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_names_and_shape_tell_users_items_and_ratings_in_any_order(
    names: tuple[str, str, str], order: tuple[int, int, int], tmp_path: Path
) -> None:
    schema = understood(frame(*names).select(*(names[place] for place in order)), tmp_path)
    assert (schema.user, schema.item, schema.rating) == names


def test_times_may_stand_beside_ratings(tmp_path: Path) -> None:
    data = frame("account_id", "title_id", "stars").with_columns(pl.lit(5).alias("created_at"))
    assert understood(data, tmp_path).user == "account_id"


def test_what_is_recognized_by_shape_is_told_and_what_names_alone_decide_is_not(tmp_path: Path) -> None:
    with assumptions() as told:
        understood(frame("user", "item", "rating"), tmp_path)
    assert told == []
    with assumptions() as told:
        understood(frame("account", "title", "stars"), tmp_path)
    assert len(told) == 1
    assert "'account' (user), 'title' (item) and 'stars' (rating)" in told[0]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(frame("account", "title", "stars").with_columns(device=pl.lit("tv")), id="another column"),
        pytest.param(frame("account", "title", "stars").head(10), id="few rows"),
        pytest.param(frame("account", "title", "stars").with_row_index("account ").drop("account"), id="one row each"),
        pytest.param(frame("account", "title", "stars").with_columns(title=pl.lit(1)), id="pairs repeat"),
        pytest.param(
            pl.concat([frame("account", "title", "stars")] * 4).with_row_index("n").with_columns(
                account=pl.col("n") // 8, title=pl.col("n") % 8, stars=pl.col("n") * 7 + 1
            ).drop("n"),
            id="amounts",
        ),
        pytest.param(frame("student", "course", "mark").with_columns(pl.col("mark") + 2000), id="years"),
        pytest.param(frame("user", "item", "rating_id"), id="numbers of ratings"),
        pytest.param(frame("account", "title", "stars").with_columns(pl.lit(3).alias("score")), id="two ratings"),
        pytest.param(frame("account_id", "title", "stars").with_columns(member_id=1), id="two users"),
    ],
)  # fmt: skip
def test_without_certainty_a_schema_is_needed(data: pl.DataFrame, tmp_path: Path) -> None:
    with pytest.raises(SchemaError):
        understood(data, tmp_path)


def test_of_an_id_and_a_title_the_id_is_the_item() -> None:
    assert named_column(["user_id", "movie_id", "title"], "item") == "movie_id"
    assert named_column(["user_id", "movie_id", "item_id"], "item") is None
    assert named_column(["average rating", "number"], "rating") is None


@pytest.mark.parametrize("name", ["rating_id", "ratingId", "RATINGID", "rating key", "score_uuid"])
def test_what_numbers_ratings_is_not_taken_for_them(name: str, tmp_path: Path) -> None:
    assert named_column(["user", "item", "rating", name], "rating") == "rating"
    data = frame("user", "item", "rating")
    assert understood(data.with_columns(pl.int_range(pl.len()).alias(name)), tmp_path).rating == "rating"


def test_times_are_known_by_their_names() -> None:
    times = ["timestamp", "created_at", "Date", "unixReviewTime", "ts", "rating_date"]
    assert [is_time(name) for name in times] == [True] * len(times)
    assert not any(map(is_time, ["rating", "title", "sentiment", "cats"]))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([-1, 1, 2, 3, 10], (-1,)),
        ([-1, 0, 1, 2, 3, 4], (-1,)),
        ([-1, 0, 1], ()),
        ([-2, -1, 0, 1, 2], ()),
        ([-1, 1], ()),
        ([-10, -9, 0, 5, 10], ()),
        ([1, 2, 3, 4, 5, 99], (99,)),
        ([1, 2, 3, 4, 5, 98, 99], (98, 99)),
        ([-9, 1, 2, 3, 4], (-9,)),
        ([1, 2, 3, 4, 5, 9], (9,)),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9], ()),
        ([1, 2, 3, 5, 9], ()),
        ([0, 50, 99], ()),
        ([0, 5, 10], ()),
        ([99], ()),
        ([], ()),
    ],
)
def test_usual_marks_for_no_answer_are_suspected_where_they_lie_apart(
    values: list[int], expected: tuple[int, ...]
) -> None:
    assert suspected_nulls([Fraction(value) for value in values]) == expected


@given(st.integers(-20, 0), st.integers(1, 100))
def test_no_mark_is_suspected_on_a_scale_whose_points_all_occur(lowest: int, width: int) -> None:
    lowest = lowest if lowest != -1 else 0  # from −1 up to 4 and more it is suspected: such scales are not in use
    assert suspected_nulls([Fraction(value) for value in range(lowest, lowest + width)]) == ()


@given(st.integers(1, 3), st.integers(3, 10), st.sampled_from([-99, -9, -8, 88, 99, 999]))
def test_a_mark_far_from_a_whole_scale_is_suspected(lowest: int, points: int, mark: int) -> None:
    scale = [Fraction(value) for value in range(lowest, lowest + points)]
    assert suspected_nulls([*scale, Fraction(mark)]) == (mark,)
