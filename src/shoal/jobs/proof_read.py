"""The last look at a release before it gets its name."""

from pathlib import Path

from shoal.errors import InternalError

from .verify import verify

__all__ = ["proof_read"]


def proof_read(folder: Path) -> None:
    """Verify what was written as anybody could; a writer's fault must not leave the house either."""
    if not verify(folder).holds:
        raise InternalError("The release as written does not keep its promises; nothing was published.", "Report this.")
