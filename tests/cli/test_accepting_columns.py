"""What the owner accepts must be there."""

from pathlib import Path

from cli.files import write_survey, write_table


def test_a_column_to_accept_that_is_not_there_is_refused(run, tmp_path: Path) -> None:
    for write, promise in ((write_table, "k-anonymity:k=5"), (write_survey, "k-anonymity:k=2")):
        data, schema = write(tmp_path)
        for name in ("diseas", "q9"):
            ran = run("publish", data, "--schema", schema, "-m", promise, "--out", tmp_path / "o", "--accept", name)
            assert ran.status == 2
            assert f"no column '{name}'" in ran.err
            assert not (tmp_path / "o").exists()
