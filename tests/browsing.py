"""A real browser for the tests: Chromium, driven by Playwright, which notices what is wrong with any page it shows."""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

from server_under_test import Live

HEAVIEST = 100_000
"""No page is larger, in bytes."""
WAIT = 60_000
"""How long to wait for a job, in milliseconds; far more than any takes."""

_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # nothing beyond this machine is ever found
)
_TELL_VIOLATIONS = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`the content security policy was broken: ${event.effectiveDirective} ${event.blockedURI}`));
"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield the browser of this machine; tests are skipped where there is none."""
    path = os.environ.get("SHOAL_TEST_CHROMIUM") or shutil.which("chromium")
    if path is None:
        pytest.skip("there is no Chromium: make test-browser installs it where it can")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(_ARGUMENTS))
        yield browser
        browser.close()


@dataclass
class Window:
    """A window of one user: its cookies, its page, and every fault noticed so far."""

    context: BrowserContext
    page: Page
    faults: list[str] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    """Which refusals are expected, by a test that does something wrong on purpose."""

    def go(self, address: str) -> Page:
        """Open an address, and wait until the page is there."""
        self.page.goto(address)
        return self.page

    def settled(self) -> Page:
        """Wait until nothing is computed for the page any more; it then shows what came of it."""
        jobs = self.page.locator("[data-job]")
        for _ in range(20):
            expect(jobs).to_have_count(0, timeout=WAIT)
            self.page.wait_for_load_state()
            if jobs.count() == 0:
                return self.page
        raise AssertionError("something is computed for this page again and again")

    @contextmanager
    def expecting(self, *statuses: int) -> Iterator[None]:
        """Expect to be refused with these statuses, for as long as the block lasts."""
        before = list(self.statuses)
        self.statuses.extend(statuses)
        yield
        self.statuses[:] = before

    def close(self) -> None:
        """Close the window, and tell every fault there was."""
        self.context.close()
        assert not self.faults, "\n".join(self.faults)


class Desktop:
    """Windows of one browser, on one service."""

    def __init__(self, browser: Browser, live: Live) -> None:
        self.browser = browser
        self.live = live
        self.opened: list[Window] = []

    def window(self, token: str | None = None, *, scripts: bool = True, **settings: Any) -> Window:
        """Open a window, of the user with a token or of a stranger."""
        settings = {"viewport": {"width": 1280, "height": 800}} | settings
        context = self.browser.new_context(
            base_url=self.live.address, java_script_enabled=scripts, accept_downloads=True, **settings
        )
        context.set_default_timeout(20_000)
        context.add_init_script(_TELL_VIOLATIONS)
        if token is not None:
            context.request.post("/login", form={"token": token})
        made = Window(context, context.new_page())
        _watch(made, self.live.address)
        self.opened.append(made)
        return made

    def close(self) -> None:
        """Close what is still open, and tell every fault there was."""
        faults = [fault for each in self.opened for fault in each.faults]
        for each in self.opened:
            each.context.close()
        self.opened.clear()
        assert not faults, "\n".join(faults)


def _watch(window: Window, address: str) -> None:
    own = urlsplit(address).netloc

    def on_console(message: ConsoleMessage) -> None:
        refused = message.text.startswith("Failed to load resource: the server responded with a status of")
        if message.type == "error" and not refused:  # what was refused is judged by its status
            window.faults.append(f"{window.page.url}: {message.text}")

    def on_request(request: Request) -> None:
        there = urlsplit(request.url)
        if there.scheme not in ("data", "blob") and there.netloc != own:
            window.faults.append(f"{window.page.url} asked another machine: {request.url}")

    def on_response(response: Response) -> None:
        where = response.url.removeprefix(address)
        if response.status >= 400 and response.status not in window.statuses:
            window.faults.append(f"{where}: {response.request.method} is answered with {response.status}")
        weight = None if 300 <= response.status < 400 else _weight(response.headers)
        if weight is not None and weight >= HEAVIEST:
            window.faults.append(f"{where}: the page has {weight:,} bytes")

    window.context.on("console", on_console)
    window.context.on("weberror", lambda error: window.faults.append(f"{window.page.url}: {error.error}"))
    window.context.on("request", on_request)
    window.context.on("response", on_response)


def _weight(headers: Mapping[str, str]) -> int | None:
    """Return how many bytes a page has; None for what is no page, such as a file to keep."""
    if not headers.get("content-type", "").startswith("text/html") or "content-disposition" in headers:
        return None
    assert "content-encoding" not in headers, "its length would not be that of the page"
    return int(headers["content-length"])
