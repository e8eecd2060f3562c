"""The whole story over HTTP: what comes out is what the functions give, and a release that anybody verifies."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

import shoal
from server_under_test import PEOPLE, Live, write_people
from shoal.client import Client, ServiceProblem
from shoal.errors import GuaranteeError


@pytest.fixture(scope="module")
def client(live: Live) -> Iterator[Client]:
    with live.client() as client:
        yield client


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_people(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def dataset(client: Client, file: Path) -> str:
    return client.upload(file, PEOPLE)["id"]


@pytest.fixture(scope="module")
def release(client: Client, dataset: str) -> str:
    return client.run("publish", dataset=dataset, models=["k-anonymity:k=5"], method="mondrian")["result"]["release"]


def test_the_overview_is_what_describe_says(client: Client, dataset: str, file: Path) -> None:
    told = client.overview(dataset)
    assert told["records"] == 120
    assert told["roles"] == shoal.describe(file, PEOPLE).to_json()["roles"]


def test_check_limits_and_lattice_answer_as_the_functions_do(client: Client, dataset: str, file: Path) -> None:
    told = client.run("check", dataset=dataset, models=["k-anonymity:k=2", "l-diversity:l=2"])["result"]
    expected = shoal.check(file, ["k-anonymity:k=2", "l-diversity:l=2"], PEOPLE).to_json()
    assert {**told, "seconds": 0} == {**expected, "seconds": 0}
    told = client.run("lattice", dataset=dataset, models=["k-anonymity:k=5"])["result"]
    assert told["best"] == shoal.lattice(file, ["k-anonymity:k=5"], PEOPLE).to_json()["best"]


def test_a_release_is_downloaded_and_holds(client: Client, release: str, tmp_path: Path) -> None:
    folder = client.download(release, tmp_path / "release")
    assert shoal.verify(folder).holds
    assert pl.read_csv(folder / "data.csv").height == 120
    assert {each["id"] for each in client.releases()} >= {release}
    assert client.release(release)["certificate"]["promises"][0]["promise"] == "k-anonymity:k=5"


def test_a_release_is_verified_attacked_measured_and_reported(client: Client, release: str) -> None:
    assert client.run("verify", release=release)["result"]["holds"]
    assert client.run("attack", release=release, attacks=["homogeneity"])["result"]
    assert client.run("measure", release=release)["result"]["measures"]
    job = client.run("report", release=release)
    page = client._http.get(f"/jobs/{job['id']}/report")
    assert page.headers["content-type"].startswith("text/html")
    assert "<html" in page.text


def test_a_sweep_tells_what_each_promise_costs(client: Client, dataset: str) -> None:
    told = client.run("sweep", dataset=dataset, k=[2, 5], method=["mondrian"])["result"]
    assert {point["k"] for point in told["points"]} == {2, 5}


def test_hierarchies_are_suggested_checked_and_drawn(client: Client, dataset: str) -> None:
    where = f"/datasets/{dataset}/hierarchies"
    made = client._asked("POST", f"{where}/suggest", json={"column": "age"}, params={"wait": 60})
    assert made["state"] == "done"
    assert made["result"]["content"].splitlines()[0].startswith("0;"), "it comes with its text, to be sent back"
    asked = {"column": "town", "content": "Ulm,south,*\nBonn,west,*\n"}
    checked = client._asked("POST", f"{where}/check", json=asked, params={"wait": 60})
    assert checked["state"] == "done"
    drawn = client._asked("POST", f"{where}/draw", json={"column": "age"}, params={"wait": 60})
    assert drawn["state"] == "done"


def test_a_refusal_is_told_as_one_and_leaves_no_release(client: Client, dataset: str, live: Live) -> None:
    with pytest.raises(GuaranteeError, match="does not hold"):
        client.run("publish", dataset=dataset, models=["k-anonymity:k=50"], method="none")
    (job, *_) = client.jobs()
    assert job["state"] == "refused"
    assert not live.service.release_folder(job["id"]).exists()


def test_a_wrong_wording_is_a_problem_with_its_cure(client: Client, dataset: str) -> None:
    with pytest.raises(ServiceProblem, match="Known are") as caught:
        client.run("check", dataset=dataset, models=["k-anonimity:k=5"])
    assert caught.value.type == "urn:shoal:wording-error"
    with pytest.raises(ServiceProblem, match="needs k"):
        client.validate_plan(dataset=dataset, models=["k-anonymity"])
    assert "k-anonymity:k=5" in client.validate_plan(dataset=dataset, models=["k-anonymity:k=5"])["toml"]


def test_a_schema_reads_no_file_that_was_not_sent_with_it(client: Client, dataset: str, tmp_path: Path) -> None:
    stolen = _with_hierarchy("/etc/passwd")
    for schema in (stolen, stolen["columns"], {**PEOPLE, "people": "../../x"}):
        with pytest.raises(ServiceProblem, match="not with the data"):
            client.set_schema(dataset, schema)
    (tmp_path / "towns.csv").write_text("Ulm,south,*\nBonn,west,*\n", encoding="utf-8")
    client.add_file(dataset, tmp_path / "towns.csv")
    client.set_schema(dataset, _with_hierarchy("towns.csv"))
    assert client.run("check", dataset=dataset, models=["k-anonymity:k=2"])["state"] == "done"
    client.set_schema(dataset, PEOPLE)


def _with_hierarchy(file: str) -> dict:
    return {**PEOPLE, "columns": {**PEOPLE["columns"], "town": {"role": "quasi-identifier", "hierarchy": file}}}


def test_events_are_numbered_and_go_on_where_a_reader_was_cut_off(client: Client, dataset: str) -> None:
    job = client.run("check", dataset=dataset, models=["k-anonymity:k=2"])["id"]
    events = list(client.events(job))
    numbers = [each["id"] for each in events[:-1]]
    assert numbers == list(range(1, len(numbers) + 1))
    assert events[-1] == {"event": "over", "state": "done"}
    assert list(client.events(job, after=numbers[2])) == events[3:]
    begun = {each["stage"] for each in events if each["event"] == "begin"}
    assert begun == {each["stage"] for each in events if each["event"] == "end"}


def test_data_that_stay_on_the_server_are_registered_below_a_root_alone(
    new_service, file: Path, tmp_path: Path
) -> None:
    with new_service(roots=(file.parent,)).client() as client:
        made = client.register_path(str(file))
        assert client.overview(made["id"])["records"] == 120
        for elsewhere in ("/etc/passwd", str(file.parent / ".." / "x"), str(tmp_path), "\0", f"{file.parent}/\0"):
            with pytest.raises(ServiceProblem, match="no such file"):
                client.register_path(elsewhere)
        client.remove_dataset(made["id"])
    assert file.exists()


def test_links_lead_out_of_a_root_neither_when_data_are_registered_nor_later(new_service, tmp_path: Path) -> None:
    root, private = tmp_path / "root", tmp_path / "private.csv"
    (root / "parts").mkdir(parents=True)
    private.write_text("a,b\n1,2\n", encoding="utf-8")
    shutil.copy(private, root / "parts" / "1.csv")
    shutil.copy(private, root / "one.csv")
    live = new_service(roots=(root,))
    with live.client() as client:
        parts, one = client.register_path(str(root / "parts"))["id"], client.register_path(str(root / "one.csv"))["id"]
        assert client.run("describe", dataset=parts)["result"]["records"] == 1
        (root / "parts" / "2.csv").symlink_to(private)
        (root / "one.csv").unlink()
        (root / "one.csv").symlink_to(private)
        for path in (root, root / "parts"):
            with pytest.raises(ServiceProblem, match="leads out"):
                client.register_path(str(path))
        for dataset in (parts, one):
            with pytest.raises(ServiceProblem, match=r"leads out|no such file"):
                client.submit("describe", dataset=dataset)


def test_numbers_that_are_none_and_schemas_without_end_are_refused(client: Client, dataset: str) -> None:
    headers = {"content-type": "application/json"}
    for number in ("NaN", "1e999", "-Infinity"):
        asked = f'{{"kind": "sweep", "dataset": "{dataset}", "k": [{number}], "method": ["mondrian"]}}'
        assert client._http.post("/jobs", content=asked, headers=headers).status_code == 422
        widths = f'{{"column": "age", "widths": [{number}]}}'
        where = f"/datasets/{dataset}/hierarchies/suggest"
        assert client._http.post(where, content=widths, headers=headers).status_code == 422
    for opening, closing in (('{"a":', "}"), ("[", "]")):
        deep = f'{{"kind": "table", "columns": {{"a": {opening * 900}1{closing * 900}}}}}'
        answer = client._http.put(f"/datasets/{dataset}/schema", content=deep, headers=headers)
        assert answer.status_code == 400
        assert "too deep" in answer.json()["title"]


def test_where_files_are_on_the_server_is_told_to_nobody(client: Client, live: Live, dataset: str) -> None:
    """Also where they are gone: whoever asks learns that, and no path."""
    release = client.run("publish", dataset=dataset, models=["k-anonymity:k=5"], method="mondrian")["result"]["release"]
    where = live.service.release_folder(release) / "release"
    (where / "data.csv").rename(where / "away.csv")
    answers = [client._http.get(f"/releases/{release}/files/data.csv")]
    shutil.rmtree(where)
    answers += [client._http.get(f"/releases/{release}{path}") for path in ("", "/files/data.csv")]
    answers.append(client._http.post(f"/releases/{release}/lookup", json={"values": {"town": "Ulm"}}))
    for kind in ("verify", "report"):
        answers.append(client._http.post(f"/releases/{release}/{kind}"))
    for answer in answers:
        assert answer.status_code == 404, answer.url
        assert str(live.service.settings.folder) not in answer.text


def test_whoever_asks_for_a_job_is_told_where_it_is_followed(client: Client, dataset: str, release: str) -> None:
    answers = [client._http.get(f"/datasets/{dataset}/overview")]
    answers += [client._http.post(f"/releases/{release}/{kind}") for kind in ("verify", "report")]
    for answer in answers:
        assert answer.headers["location"] == f"/api/v1/jobs/{answer.json()['id']}"
        assert client.wait(answer.json()["id"])["state"] == "done"


def test_of_a_table_nothing_is_given_to_find_its_limits(client: Client, dataset: str, file: Path) -> None:
    told = client.run("limits", dataset=dataset)["result"]
    assert {**told, "seconds": 0} == {**shoal.limits(file, schema=PEOPLE).to_json(), "seconds": 0}


def test_what_is_removed_is_gone(client: Client, live: Live, file: Path) -> None:
    made = client.upload(file)["id"]
    assert (live.service.dataset_folder(made) / "content" / "people.csv").read_bytes() == file.read_bytes()
    client.remove_dataset(made)
    assert not live.service.dataset_folder(made).exists()
    with pytest.raises(ServiceProblem, match="no such data set"):
        client.dataset(made)


def test_the_catalog_names_every_promise_with_its_settings(client: Client) -> None:
    promises = {each["name"]: each for each in client.catalog("promises")}
    assert promises["k-anonymity"]["settings"]["required"] == ["k"]
    assert promises["k-epsilon"]["settings"]["properties"]["semantics"]["enum"] == ["neighborhood", "partition"]
    for family in ("methods", "attacks", "measures"):
        assert client.catalog(family)
