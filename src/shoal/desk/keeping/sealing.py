"""Bytes sealed in blocks: AES-256-GCM, each block bound to what it is of, to its place, and to whether it is the last.

Each sealing draws a salt, from which and from the key follows a key of its own, so that no nonce is used twice. A block
that was changed, left out, put elsewhere or taken from other data does not open, and neither does a list of blocks that
lacks its end.
"""

import secrets
from collections.abc import Iterator, Sequence
from typing import Any, Final

from shoal.errors import FileError, MissingExtraError

__all__ = ["key_id", "opened", "sealed"]

BLOCK: Final = 1 << 20
_SALT: Final = 32


def key_id(key: bytes) -> str:
    """Return by what a key is known again; nothing of the key follows from it."""
    return _derived(key, b"", b"shoal: which key")[:16].hex()


def sealed(content: bytes, key: bytes, about: bytes) -> Iterator[bytes]:
    """Yield the blocks of some content; ``about`` says what it is, and is needed to open it."""
    salt = secrets.token_bytes(_SALT)
    cipher = _cipher(key, salt)
    count = max(1, -(-len(content) // BLOCK))
    for place in range(count):
        block = content[place * BLOCK : (place + 1) * BLOCK]
        box = cipher.encrypt(_nonce(place, is_last=place == count - 1), block, about)
        yield salt + box if place == 0 else box


def opened(blocks: Sequence[bytes], key: bytes, about: bytes) -> bytes:
    """Return the content of blocks, or raise: all of it is as it was sealed, or nothing is returned."""
    from_library = _library()
    salt = blocks[0][:_SALT] if blocks else b""
    cipher, parts = _cipher(key, salt), []
    try:
        for place, block in enumerate(blocks):
            box = block[_SALT:] if place == 0 else block
            parts.append(cipher.decrypt(_nonce(place, is_last=place == len(blocks) - 1), box, about))
    except (from_library["InvalidTag"], ValueError):
        parts = []
    if not parts:
        raise FileError("The data that the desk keeps were changed or cut off, or are of another version.", _CURE)
    return b"".join(parts)


_CURE: Final = "Hand in the file instead; see shoal desk audit."


def _nonce(place: int, *, is_last: bool) -> bytes:
    return place.to_bytes(11, "big") + bytes([is_last])


def _cipher(key: bytes, salt: bytes) -> Any:
    return _library()["AESGCM"](_derived(key, salt, b"shoal: kept data"))


def _derived(key: bytes, salt: bytes, purpose: bytes) -> bytes:
    library = _library()
    return library["HKDF"](library["SHA256"](), 32, salt, purpose).derive(key)


def _library() -> dict[str, Any]:
    try:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF
    except ModuleNotFoundError:
        raise MissingExtraError(
            "To keep data, the desk needs a package that is not installed.", "Install it: pip install 'shoal[keep]'."
        ) from None
    return {"InvalidTag": InvalidTag, "AESGCM": AESGCM, "SHA256": SHA256, "HKDF": HKDF}
