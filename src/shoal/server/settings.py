"""How a service is run: where it keeps what it is given, who may reach it, and how much of the machine it may use."""

import ipaddress
import os
from dataclasses import dataclass, field
from pathlib import Path

from shoal.errors import WordingError

__all__ = ["Limits", "ServiceSettings", "default_folder", "host_in_address"]


def default_folder() -> Path:
    """Return where a service keeps its files unless told otherwise: the user's own folder for data."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "shoal"


def host_in_address(host: str) -> str:
    """Return a host as it stands in addresses: IPv6 in brackets, and as browsers write it."""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host
    return f"[{found.compressed}]" if found.version == 6 else str(found)


@dataclass(frozen=True)
class Limits:
    """How much one service, one client and one request may use."""

    running: int = max(1, (os.cpu_count() or 2) // 2)
    """How many jobs run at a time."""
    memory: int = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 3 // 4
    """How many bytes all running jobs may take together; none may take more than this."""
    upload: int = 64 << 30
    """The largest file that may be uploaded, in bytes."""
    body: int = 1 << 20
    """The largest body of any other request."""
    queued: int = 100
    """How many jobs of one user may wait."""
    requests_per_second: float = 50.0
    """How many requests a client may send in the long run."""
    burst: int = 200
    """How many it may send at once."""
    failures_per_minute: float = 20.0
    """How often an address may fail to prove who it is."""
    connections: int = 500
    """How many connections there may be: whoever comes beyond that is shut out until others leave."""
    open_requests: int = 64
    """How many requests of one client may be under way at a time: streams of events and long waits are some."""
    header_seconds: float = 20.0
    """How long a client may take to say what it wants."""
    silence_seconds: float = 60.0
    """How long a client that sends a body may pause."""
    patience: float = 10.0
    """How many seconds a job that is asked to stop has before it is killed."""


@dataclass(frozen=True)
class ServiceSettings:
    """Everything that is decided before a service starts."""

    folder: Path = field(default_factory=default_folder)
    """Where files of data, jobs and releases are kept: private."""
    desk: str | None = None
    """The store of the desk: a path, or the URL of a PostgreSQL database. By default a file in the folder."""
    host: str = "127.0.0.1"
    port: int = 8431
    roots: tuple[Path, ...] = ()
    """Folders of the server from which data may be registered by their path."""
    allowed_hosts: tuple[str, ...] = ()
    """Names under which the service is reached, besides those of loopback."""
    certificate: Path | None = None
    """The certificate for TLS, and its key."""
    key: Path | None = None
    key_file: Path | None = None
    """The file that has the key of data that the desk keeps, or the command that prints it."""
    key_command: str | None = None
    behind_proxy: bool = False
    """Whether a proxy in front of the service does TLS."""
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if (self.certificate is None) != (self.key is None):
            raise WordingError("TLS needs a certificate and its key.", "Give both --certificate and --key.")
        if self.key_file is not None and self.key_command is not None:
            raise WordingError(
                "The key of data that the desk keeps is in a file, or printed by a command.",
                "Give --key-file or --key-command.",
            )
        if not self.is_loopback and not self.is_encrypted:
            raise WordingError(
                f"Beyond this machine ({self.host}) everything that is sent could be read on the way.",
                "Give --certificate and --key, or --behind-proxy where a proxy does TLS.",
            )
        if self.is_reached_from_elsewhere and not self.allowed_hosts:
            raise WordingError(
                "The service must know its own name, or other pages could speak to it under theirs.",
                "Add --allowed-host shoal.example.org.",
            )

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the service."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def is_reached_from_elsewhere(self) -> bool:
        """Whether others than this machine reach the service: by itself, or through a proxy."""
        return not self.is_loopback or self.behind_proxy

    @property
    def is_encrypted(self) -> bool:
        """Whether what is sent is encrypted on the way."""
        return self.certificate is not None or self.behind_proxy

    @property
    def has_desk_key(self) -> bool:
        """Whether data that the desk keeps can be sealed and opened."""
        return self.key_file is not None or self.key_command is not None

    @property
    def store(self) -> str:
        """Where the books are kept."""
        return self.desk or str(self.folder / "desk.db")

    @property
    def hosts(self) -> frozenset[str]:
        """Every name that a request may ask for."""
        own = {"127.0.0.1", "localhost", "[::1]", host_in_address(self.host)} if self.is_loopback else set()
        return frozenset({*own, *map(str.lower, self.allowed_hosts)})
