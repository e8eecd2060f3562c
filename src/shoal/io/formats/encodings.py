"""Encodings of text: UTF-8 where it is valid, what is declared, or a guess that is told."""

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from shoal.assumed import assume
from shoal.errors import FileError, WordingError
from shoal.io.schemas.strict_model import is_encoding

from .contents import Contents

__all__ = ["NotUtf8Error", "Recoded", "guessed", "in_encoding", "utf8_blocks"]

_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""First bytes that say the encoding; those of UTF-32 begin with those of UTF-16."""
_GUESS = "cp1252"
"""What programs in Western Europe and America write if they do not write UTF-8; it contains Latin-1."""
_LETTERS = frozenset("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜßàáâãäåæçèéêëìíîïñòóôõöøùúûüŒœŠšŽž€‘’“”„–—…°§«»¿¡ªº£´·×")
"""What text in these languages consists of beside ASCII."""
_ENOUGH = 2000
_DECLARE = (
    'Say which encoding it is at the top of the schema, as in encoding = "cp1252" (Western Europe), "cp1250" (Central '
    'Europe), "cp1251" (Cyrillic) or "shift_jis" (Japanese), or by --encoding.'
)


class NotUtf8Error(FileError):
    """A file is not UTF-8, from some line on."""

    damaged = False
    """Whether it likely is UTF-8 all the same: it ends within a character, or has others that are fine."""


@dataclass(frozen=True, repr=False)
class Recoded(Contents):
    """The bytes of a file in another encoding, decoded block by block and given as UTF-8."""

    encoding: str = "utf-8"

    def blocks(self, size: int | None = None) -> Iterator[bytes]:
        """Yield the text as UTF-8, in blocks of about ``size``."""
        decoder, line, first = codecs.getincrementaldecoder(self.encoding)(), 1, True
        for block in _with_end(super().blocks(size)):
            try:
                text = decoder.decode(block, not block)
            except (UnicodeError, LookupError):
                raise FileError(
                    f"{self.name} is not text in the encoding {self.encoding}, on line {line:,} or soon after it.",
                    _DECLARE,
                ) from None
            text = text.removeprefix("\ufeff") if first and text else text
            first = first and not text
            line += text.count("\n")
            yield text.encode("utf-8", "replace")

    def head(self, size: int = 1 << 18) -> bytes:
        """Return the first bytes as UTF-8."""
        return next((block for block in self.blocks(size) if block), b"")


def in_encoding(contents: Contents, declared: str | None) -> Contents:
    """Return a file as UTF-8: from the encoding that is declared, else from the one that its first bytes say."""
    if declared is not None and not is_encoding(declared):
        raise WordingError("There is no encoding of this name.", "Write utf-8, cp1252, latin-1 or utf-16, for example.")
    encoding = declared or next((name for mark, name in _MARKS.items() if contents.head(4).startswith(mark)), "utf-8")
    if codecs.lookup(encoding).name in ("utf-8", "utf-8-sig"):
        return contents
    said = f"Its encoding is {encoding}" + ("." if declared else ", as its first bytes say.")
    return _recoded(contents, encoding, said)


def guessed(contents: Contents, fault: NotUtf8Error) -> Contents:
    """Return a file that is not UTF-8 as the text that it likely is, and tell so; refuse it where nothing is likely."""
    if fault.damaged or not _is_likely(contents):
        raise FileError(fault.message, fault.cure) from None
    declared = f'encoding = "{_GUESS}"'
    said = f"{contents.name} is not UTF-8 and was read as {_GUESS}: say {declared} in the schema, or what it is."
    return _recoded(contents, _GUESS, assume(said))


def utf8_blocks(contents: Contents) -> Iterator[bytes]:
    """Yield the blocks of a file; refuse one that is not UTF-8, by the line."""
    decoder, ascii_so_far = codecs.getincrementaldecoder("utf-8")(), True
    for seen, block in enumerate(_with_end(contents.blocks())):
        is_ascii = block.isascii()
        if block and is_ascii and not decoder.getstate()[0]:
            yield block  # which is most text, and needs no decoding
            continue
        try:
            decoder.decode(block, not block)
        except UnicodeDecodeError as error:
            before = error.object[: error.start]
            lines = sum(earlier.count(b"\n") for earlier in islice(contents.blocks(), seen))
            line = 1 + lines + before.count(b"\n")
            fault = NotUtf8Error(f"{contents.name} is not UTF-8 text: see line {line:,}.", _DECLARE)
            fault.damaged = not block or not ascii_so_far or not before.isascii()
            raise fault from None
        ascii_so_far = ascii_so_far and is_ascii
        yield block


def _with_end(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield blocks and then nothing more, which ends the text: half a character before it is an error."""
    yield from blocks
    yield b""


def _recoded(contents: Contents, encoding: str, said: str) -> Recoded:
    return Recoded(
        contents.name,
        contents.path,
        contents.data,
        (*contents.notes, said),
        contents.location,
        contents.partition,
        encoding,
    )


def _is_likely(contents: Contents) -> bool:
    """Tell whether text beyond ASCII consists of the letters of Western European languages, scattered among others."""
    found, odd = Counter[str](), 0
    for block in contents.blocks():
        try:
            text = block.decode(_GUESS)
        except UnicodeDecodeError:
            return False
        if _CONTROL.search(text):
            return False
        found.update(_BEYOND.findall(text))
        odd += sum(map(len, _SEVERAL.findall(text))) + len(_MISPLACED.findall(text))
        if found.total() >= _ENOUGH:
            break
    letters = Counter({mark: times for mark, times in found.items() if mark.isalpha()})
    rather = letters and not _is_a_language(letters, _GUESS) and any(_is_a_language(found, each) for each in _ALPHABETS)
    return not rather and _share(found, _LETTERS) >= _KNOWN and odd <= (1 - _KNOWN) * found.total()


def _is_a_language(found: Counter[str], encoding: str) -> bool:
    """Tell whether the letters are those of a single language if the same bytes are read in an encoding."""
    read = Counter[str]()
    for mark, times in found.items():
        read[mark.encode(_GUESS).decode(encoding, "replace").lower()] += times
    return any(_share(read, frozenset(alphabet)) >= _KNOWN for alphabet in _ALPHABETS[encoding])


def _share(found: Counter[str], letters: frozenset[str]) -> float:
    return sum(times for letter, times in found.items() if letter in letters) / max(1, found.total())


_KNOWN = 0.95
_WESTERN = (
    *("äöüß", "åäöé", "æøåé", "éëïöüèê", "áéíñóúüªº", "àèéìíòóùú"),
    *("àâæçéèêëîïôœùûü", "áâãàçéêíóôõúüªº", "àçéèíïóòúü"),
)
_ALPHABETS = {
    _GUESS: _WESTERN,
    "cp1250": ("áéíóöőúüű", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "ąćęłńóśźż", "čćšžđ", "ăâîşţ"),
    "mac_roman": _WESTERN,
    "cp850": _WESTERN,
}
"""What the letters of a language are beside ASCII, in encodings whose bytes often are letters in the guess as well."""
_MISPLACED = re.compile(r"(?<=[^\W\d_])[„“”«»¿¡°§](?=[^\W\d_])")
"""Marks that do not stand within a word."""
_BEYOND, _SEVERAL = re.compile(r"[^\x00-\x7f]"), re.compile(r"[^\x00-\x7f]{3,}")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f]")
