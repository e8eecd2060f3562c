"""How the service listens: at which address, with TLS, without delay, and not to those who say nothing."""

import socket
import ssl
import statistics
import threading
import time
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from server_under_test import LIMITS, Live, living
from shoal.client import Client
from shoal.errors import FileError
from shoal.server.run import serve
from shoal.server.settings import ServiceSettings
from shoal.server.store import Role


def _certificate(folder: Path) -> tuple[Path, Path]:
    """Write a certificate of 127.0.0.1, signed by itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    certificate = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key(), serial_number=1)
        .not_valid_before(datetime.now(UTC) - timedelta(days=1))
        .not_valid_after(datetime.now(UTC) + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    folder.mkdir(exist_ok=True)
    (folder / "cert.pem").write_bytes(certificate.public_bytes(pem))
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "key.pem").write_bytes(private)
    return folder / "cert.pem", folder / "key.pem"


def test_an_answer_does_not_wait_for_an_acknowledgement(live: Live) -> None:
    """Where the system waits to send the rest of an answer, every request takes 40 ms and more."""
    with httpx.Client(base_url=live.address) as http:
        http.get("/api/v1/health")
        times = []
        for _ in range(15):
            began = time.perf_counter()
            assert http.get("/api/v1/health").status_code == 200
            times.append(time.perf_counter() - began)
    assert min(times) < 0.03
    assert statistics.median(times) < 0.2  # however busy the machine is


def test_it_speaks_tls_and_tells_browsers_to_stay_with_it(tmp_path: Path, new_service) -> None:
    certificate, key = _certificate(tmp_path / "tls")
    live = new_service(certificate=certificate, key=key)
    assert live.address.startswith("https://127.0.0.1:")
    with httpx.Client(base_url=live.address, verify=ssl.create_default_context(cafile=certificate)) as http:
        answer = http.get("/api/v1/health")
        assert answer.status_code == 200
        assert "strict-transport-security" in answer.headers
        entered = http.post("/api/v1/session", json={"token": live.token("ada", Role.OWNER)})
        assert "secure" in entered.headers["set-cookie"].lower()
        assert http.get("/api/v1/session").json()["user"] == "ada"
    with pytest.raises(httpx.TransportError):
        httpx.get(live.address.replace("https", "http") + "/api/v1/health")


def test_a_certificate_that_cannot_be_used_is_told_before_anything_else(tmp_path: Path) -> None:
    certificate, key = _certificate(tmp_path / "tls")
    _, other = _certificate(tmp_path / "other")
    (tmp_path / "text.pem").write_text("s3cr3t", encoding="utf-8")
    for given in ((certificate, tmp_path / "none.pem"), (tmp_path / "text.pem", key), (certificate, other)):
        settings = ServiceSettings(folder=tmp_path / "s", port=0, certificate=given[0], key=given[1])
        told: list[str] = []
        with pytest.raises(FileError, match="certificate or its key cannot be used") as caught:
            serve(settings, told.append)
        assert told == []
        assert "s3cr3t" not in str(caught.value)


@pytest.mark.parametrize(("host", "written"), [("127.0.0.2", "127.0.0.2"), ("::1", "[::1]"), ("0::1", "[::1]")])
def test_the_address_that_is_told_is_answered(tmp_path: Path, host: str, written: str) -> None:
    settings = ServiceSettings(folder=tmp_path / "service", port=0, limits=LIMITS, host=host)
    try:
        with living(settings) as live:
            assert live.address.startswith(f"http://{written}:")
            assert httpx.get(f"{live.address}/api/v1/health").status_code == 200
    except FileError as error:
        pytest.skip(f"there is no such address here: {error.message}")


def _closed_after(wire: socket.socket, seconds: float = 10) -> float:
    """Return after how long the service closes a connection."""
    began = time.monotonic()
    wire.settimeout(seconds)
    while wire.recv(4096):
        pass
    return time.monotonic() - began


def _wire(live: Live) -> socket.socket:
    host, port = live.address.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)))


def test_whoever_says_nothing_is_not_listened_to_for_long(new_service) -> None:
    live = new_service(limits=replace(LIMITS, header_seconds=0.5, silence_seconds=0.5))
    with _wire(live) as wire:
        assert _closed_after(wire) < 5
    with _wire(live) as wire:  # one letter at a time takes no longer than all of them at once
        began = time.monotonic()
        for letter in b"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: " + b"x" * 1000:
            try:
                wire.sendall(bytes([letter]))
            except OSError:
                break
            time.sleep(0.1)
        assert time.monotonic() - began < 5
    with _wire(live) as wire:  # a request, and then half of one
        wire.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert wire.recv(4096).startswith(b"HTTP/1.1 200")
        wire.sendall(b"GET /api")
        assert _closed_after(wire) < 5


def test_a_body_that_stops_coming_is_not_waited_for(new_service) -> None:
    live = new_service(limits=replace(LIMITS, silence_seconds=0.5))
    with live.client() as client:
        dataset = client._asked("POST", "/datasets", json={"name": "a.csv"})["id"]
        for path in ("/datasets", f"/datasets/{dataset}/content"):
            method = "POST" if path == "/datasets" else "PUT"
            head = f"{method} /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n"
            head += f"Content-Type: application/json\r\nAuthorization: {client._http.headers['authorization']}\r\n\r\n"
            with _wire(live) as wire:
                wire.sendall(head.encode() + b'{"na')
                wire.settimeout(10)
                assert wire.recv(4096).startswith(b"HTTP/1.1 408"), path
        folder = live.service.dataset_folder(dataset)
        assert [each for each in folder.rglob("*") if each.is_file()] == []
        slow = (each for each in (b"a,b\n", b"1,2\n") if time.sleep(0.3) is None)
        assert client._asked("PUT", f"/datasets/{dataset}/content", content=slow)["bytes"] == 8


def test_streams_and_long_waits_of_one_user_are_limited_and_others_are_answered(new_service, tmp_path: Path) -> None:
    live = new_service(limits=replace(LIMITS, open_requests=3))
    live.service.supervisor._start_waiting = lambda: None  # the job waits for as long as it is followed
    (tmp_path / "a.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with live.client("ada") as ada, live.client("bob") as bob, ExitStack() as streams:
        dataset = ada.upload(tmp_path / "a.csv")["id"]
        job = ada.submit("describe", dataset=dataset)["id"]
        for _ in range(2):
            assert streams.enter_context(ada._http.stream("GET", f"/jobs/{job}/events")).status_code == 200

        def wait() -> None:
            while ada._http.get(f"/jobs/{job}", params={"wait": 3}).status_code == 429:
                pass  # what asks below may have come first

        waits = threading.Thread(target=wait)
        waits.start()
        assert _becomes(429, ada)
        assert bob._http.get("/version").status_code == 200
        waits.join()
        assert _becomes(200, ada)


def _becomes(status: int, client: Client) -> bool:
    end = time.monotonic() + 10
    while (found := client._http.get("/version").status_code) != status and time.monotonic() < end:
        time.sleep(0.05)
    return found == status


def test_there_are_no_more_connections_than_allowed(new_service) -> None:
    live = new_service(limits=replace(LIMITS, connections=5))
    wires = [_wire(live) for _ in range(12)]
    time.sleep(0.5)
    asked = b"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    answered = 0
    for wire in wires:
        try:
            wire.settimeout(5)
            wire.sendall(asked)
            answered += wire.recv(100).startswith(b"HTTP/1.1 200")
        except OSError:
            continue
    for wire in wires:
        wire.close()
    assert answered == 5
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            assert httpx.get(f"{live.address}/api/v1/health").status_code == 200
            break
        except httpx.TransportError:
            time.sleep(0.1)
    assert httpx.get(f"{live.address}/api/v1/health").status_code == 200
