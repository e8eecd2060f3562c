"""What a release kept and lost, in one line."""

from collections.abc import Mapping

from shoal.told_number import told_number
from shoal.told_share import told_share

__all__ = ["kept_in_words"]


def kept_in_words(values: Mapping[str, int | float], instead: str = "") -> str:
    """Return one line from the measures of a release; ``instead`` names what is published in the place of ratings."""
    withheld = int(values["records withheld"])
    end = f", {told_number(withheld)} {'record' if withheld == 1 else 'records'} withheld" if withheld else ""
    if "ratings kept" not in values:
        cells, loss = told_share(values["cells kept"]), told_share(values["loss-mean"])
        return f"{cells} of quasi-identifier cells kept as they were, loss {loss}{end}"
    invented = told_number(int(values["ratings invented"]))
    if instead:
        covered = told_share(values["ratings covered"])
        return (
            f"No rating kept: {instead} stand in the place of {covered} of ratings, {invented} where nobody rated{end}"
        )
    kept, moved = told_share(values["ratings kept"]), told_number(int(values["cells changed"]))
    dropped = told_number(int(values["ratings dropped"]))
    return f"{kept} of ratings kept ({moved} of them moved), {dropped} dropped, {invented} invented{end}"
