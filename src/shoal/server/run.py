"""A service that listens: on loopback for one user, or beyond it with TLS and users."""

import socket
from collections.abc import Callable

import uvicorn

from shoal.errors import FileError, WordingError

from .app import Pages, create_app
from .connections import protocol_with
from .service import Service
from .settings import ServiceSettings, host_in_address

__all__ = ["address_of", "listening_socket", "serve", "server_of"]


def serve(
    settings: ServiceSettings,
    ready: Callable[[str], None],
    *,
    service: Service | None = None,
    pages: Pages | None = None,
) -> None:
    """Listen until a signal says to stop; ``ready`` is told the address, with a token where there is one user."""
    service = service or Service(settings)
    if settings.is_reached_from_elsewhere and not service.users.has_owner:
        raise WordingError("Beyond this machine everybody logs in, and there is no owner.", "See shoal users add.")
    server = server_of(service, pages)
    listener = listening_socket(settings)
    token = service.enter()
    ready(address_of(settings, listener) + (f"/enter?token={token}" if token else "/"))
    server.run(sockets=[listener])


def address_of(settings: ServiceSettings, listener: socket.socket) -> str:
    """Return the address at which a browser reaches a service that listens."""
    scheme = "https" if settings.certificate is not None else "http"
    host = "127.0.0.1" if settings.host == "localhost" else host_in_address(settings.host)
    return f"{scheme}://{host}:{listener.getsockname()[1]}"


def server_of(service: Service, pages: Pages | None = None) -> uvicorn.Server:
    """Return what answers requests to a service, or raise where its certificate cannot be used."""
    settings = service.settings
    config = uvicorn.Config(
        create_app(service, pages),
        log_level="warning",
        access_log=False,  # addresses hold names of files, and tokens when a browser first comes
        server_header=False,
        proxy_headers=settings.behind_proxy,
        ssl_certfile=settings.certificate,
        ssl_keyfile=settings.key,
        timeout_graceful_shutdown=5,
        h11_max_incomplete_event_size=64 << 10,
        http=protocol_with(settings.limits),
    )
    try:
        config.load()
    except OSError as error:  # errors of TLS are some, too, with a text in place of a number
        why = "no such file" if isinstance(error, FileNotFoundError) else "not a certificate and its own key, in PEM"
        raise FileError(f"The certificate or its key cannot be used: {why}.", "See --certificate and --key.") from None
    return uvicorn.Server(config)


def listening_socket(settings: ServiceSettings) -> socket.socket:
    """Return the socket that a service listens on, or say why there is none."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # asyncio sends at once only where it is told that it is TCP; else every answer waits 40 ms to be acknowledged
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(128)  # whoever reads the address may come at once
    except OSError as error:
        listener.close()
        raise FileError(
            f"Port {settings.port} of {settings.host} cannot be used ({error.strerror}).", "Choose another: --port."
        ) from None
    return listener
