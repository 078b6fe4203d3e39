"""The style sheet and the scripts of the forms."""

from functools import cache
from importlib.resources import files


@cache
def asset(name: str) -> str:
    """Return the text of a file in this package, such as `form.css`."""
    return files(__package__).joinpath(name).read_text("utf-8")
