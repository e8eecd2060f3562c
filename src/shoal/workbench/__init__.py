"""The workbench: pages for people on the service, from a file to a release that can be defended.

Read ``site`` first, which puts the pages together, then ``visitors`` (who looks at a page, and what a form may do),
``rendering`` (templates), ``steps`` (the way through), ``computed`` (what is computed for a page is a job) and
``choices`` (promises and method, which stand in the address). ``routes`` has a file for each page or group of pages.

Pages are made on the server and work without scripts; the one script follows jobs and checks what is typed. All state
is in the address and in the books of the service, so that reloading, going back and a second tab lose nothing.
"""

from .site import Workbench

__all__ = ["Workbench"]
