"""Data that the desk keeps, over HTTP: requests need no file of the service, and owners let the desk keep theirs."""

from collections.abc import Callable
from pathlib import Path

import pytest

import shoal
from server_under_test import PEOPLE, Live, write_people
from shoal.client import Client, ServiceProblem
from shoal.desk import Desk, Policy, draw_key, read_key
from shoal.errors import FileError, WordingError
from shoal.server.settings import ServiceSettings
from shoal.server.store import Role


@pytest.fixture
def key(tmp_path: Path) -> Path:
    draw_key(tmp_path / "desk.key")
    return tmp_path / "desk.key"


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "desk.sqlite") if request.param == "sqlite" else request.getfixturevalue("postgres")


def prepared(store: str, folder: Path) -> tuple[Path, Path]:
    """Register people in the terminal, with a purpose and somebody who asks; return the files."""
    desk = Desk.create(store)
    desk.set_requester("clinic", 0.9)
    desk.add_purpose("care", shoal.desk.Purpose())
    data, schema = write_people(folder, 400), folder / "people.toml"
    lines = ['kind = "table"']
    for name, column in PEOPLE["columns"].items():
        lines += [f"[columns.{name}]", f'role = "{column["role"]}"']
        lines += ['hierarchy = {kind = "interval", widths = [10, 20]}'] if name == "age" else []
    schema.write_text("\n".join(lines) + "\n", encoding="utf-8")
    shoal.register(store, "people", data, schema, policy=Policy(("k-anonymity:k=5",), identifier="name"))
    return data, schema


def test_what_is_kept_in_the_terminal_is_given_over_http(
    new_service: Callable[..., Live], store: str, key: Path, tmp_path: Path
) -> None:
    data, schema = prepared(store, tmp_path)
    shoal.keep(store, data, schema, key=read_key(key))
    data.unlink()
    live = new_service(desk=store, key_command=f"cat {key}")
    with live.client("carol", Role.REQUESTER, "clinic") as clinic, live.client("ada") as ada:
        assert clinic.offers()["datasets"] == ["people"]
        got = clinic.request("people", "care")
        assert shoal.verify(clinic.download_view(got["number"], tmp_path / "view")).holds
        some = ada.upload(write_people(tmp_path, 200, "some.csv"), PEOPLE)["id"]
        policy = {"promises": ["k-anonymity:k=5"], "identifier": "name"}
        assert ada.register("some", some, policy)["overlaps"] == {"people": 200}
        (everybody,) = ada.dry_run("people", "care", "clinic")["coalitions"]
        assert everybody["knows"][0]["smallest_group"] >= 5
        assert ada.keep("some") == {"dataset": "some", "version": 1, "sealed": True}
        told = {each["dataset"]: each["versions"][0]["kept"] for each in ada.book("datasets")}
        assert told == {"people": "sealed", "some": "sealed"}
        assert [each["by"] for each in ada.book("log", event="kept")][-1] == "user ada"
        with pytest.raises(ServiceProblem) as unknown:
            ada.keep("people")  # whose file is not with the service
        assert unknown.value.status == 404
        secret = key.read_text("ascii").strip()
        written = b"".join(file.read_bytes() for file in live.service.settings.folder.rglob("*") if file.is_file())
        assert secret.encode() not in written
        assert ada.audit()["holds"]


def test_only_their_owner_lets_data_be_kept_and_only_with_a_key(
    new_service: Callable[..., Live], key: Path, tmp_path: Path
) -> None:
    live = new_service(key_file=key)
    with live.client("ada") as ada, live.client("bob") as bob:
        made = ada.upload(write_people(tmp_path, 120), PEOPLE)["id"]
        ada.register("people", made, {"promises": ["k-anonymity:k=5"]})
        for refused, version, status in ((bob, None, 403), (ada, 2, 404)):
            with pytest.raises(ServiceProblem) as caught:
                refused.keep("people", version)
            assert caught.value.status == status
        ada.keep("people", 1)
    live.stop()
    without = new_service()
    with without.client("ada") as ada:
        with pytest.raises(ServiceProblem, match="no key to seal"):
            ada.keep("people")
        assert _state(ada) == "sealed"


def _state(client: Client) -> str:
    (dataset,) = client.desk("datasets")
    return dataset["versions"][0]["kept"]


def test_a_key_that_cannot_be_read_is_told_when_the_service_starts(
    new_service: Callable[..., Live], tmp_path: Path
) -> None:
    (tmp_path / "key").write_text("no key", encoding="utf-8")
    (tmp_path / "key").chmod(0o600)
    for settings in ({"key_file": tmp_path / "key"}, {"key_file": tmp_path / "none"}, {"key_command": "false"}):
        with pytest.raises(FileError):
            new_service(**settings)
    with pytest.raises(WordingError, match="in a file, or printed"):
        ServiceSettings(folder=tmp_path, key_file=tmp_path / "key", key_command="cat key")
