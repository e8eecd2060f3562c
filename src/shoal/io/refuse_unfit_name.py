"""Names that no file or folder can have, refused before any work is done for it."""

from pathlib import Path

from shoal.errors import FileError, WriteError

__all__ = ["refuse_unfit_name"]


def refuse_unfit_name(target: Path) -> None:
    """Refuse to write what the system cannot have under this name, or what cannot be told in a file of UTF-8 text."""
    try:
        str(target).encode()
        target.lstat()
    except (FileNotFoundError, NotADirectoryError):
        pass  # nothing is there yet
    except UnicodeEncodeError:
        raise FileError("The name of a file or folder to write is not UTF-8 text.", "Choose another name.") from None
    except ValueError:
        raise FileError("The name of a file or folder to write holds a zero byte.", "Choose another name.") from None
    except OSError as error:
        raise WriteError(target, error) from None
