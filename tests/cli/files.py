"""Small files to run commands on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desk_oracle import SQUARE, write_files

TABLE_SCHEMA = """
kind = "table"
[columns.name]
role = "identifier"
[columns.age]
role = "quasi-identifier"
[columns.zip]
role = "quasi-identifier"
hierarchy = { kind = "mask" }
[columns.visit]
role = "drop"
[columns.disease]
role = "sensitive"
"""

SURVEY_SCHEMA = """
kind = "ratings"
layout = "wide"
scale = [1, 5]
id = ["respondent"]
sensitive = ["income"]
"""


def write_table(folder: Path, rows: int = 60) -> tuple[Path, Path]:
    """Write a table of people, and its schema."""
    diseases = ("Influenza", "Asthmatic", "Hepatitis")
    lines = ["name,age,zip,visit,disease"]
    lines += [
        f"Person-{i:04d},{20 + i % 45},{4350 + (i * 7) % 40},2024-03-{1 + i % 28:02d},{diseases[i % 3]}"
        for i in range(rows)
    ]
    data, schema = folder / "people.csv", folder / "people.toml"
    data.write_text("\n".join(lines) + "\n", encoding="utf-8")
    schema.write_text(TABLE_SCHEMA, encoding="utf-8")
    return data, schema


def write_survey(folder: Path, respondents: int = 40) -> tuple[Path, Path]:
    """Write a survey in which everybody has a twin, and its schema."""
    lines = ["respondent,q1,q2,q3,income"]
    for i in range(respondents):
        twin = i // 2
        third = "" if twin % 3 == 0 else str(1 + twin % 5)
        lines.append(f"resp-{7000 + i},{1 + twin % 5},{1 + (twin // 5) % 5},{third},{1 + i % 5}")
    data, schema = folder / "survey.csv", folder / "survey.toml"
    data.write_text("\n".join(lines) + "\n", encoding="utf-8")
    schema.write_text(SURVEY_SCHEMA, encoding="utf-8")
    return data, schema


def write_long(folder: Path) -> tuple[Path, Path]:
    """Write long half-star ratings with times, of which every profile occurs twice, and their schema."""
    lines = ["user,item,rating,timestamp"]
    clock = 9_900_000_001
    for user in range(1, 21):
        for item in range(1, 4 + user // 2 % 3):
            lines.append(f"{user * 1000 + 17},film-{item},{0.5 + (user // 2 + item) % 10 / 2},{clock}")
            clock += 1
    data, schema = folder / "long.csv", folder / "long.toml"
    data.write_text("\n".join(lines) + "\n", encoding="utf-8")
    schema.write_text(
        'kind = "ratings"\nlayout = "long"\nscale = [0.5, 5]\nstep = 0.5\nuser = "user"\nitem = "item"\n'
        'rating = "rating"\nignore = ["timestamp"]\n',
        encoding="utf-8",
    )
    return data, schema


def open_desk(run: Callable[..., Any], folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Open a desk at which ann may ask for views of a crowd; return the crowd's data and schema."""
    monkeypatch.setenv("SHOAL_DESK", str(folder / "desk.sqlite"))
    data, schema = write_files(folder, SQUARE)
    for words in (("init",), ("requester", "ann", "--trust", 1), ("purpose", "first", "--priorities", "one:1;two:0.5")):
        assert run("desk", *words).status == 0
    policy = ("-m", "k-anonymity:k=2", "--projection", "quadratic", "--purpose", "first")
    assert run("desk", "dataset", "crowd", data, "--schema", schema, *policy).status == 0
    return data, schema
