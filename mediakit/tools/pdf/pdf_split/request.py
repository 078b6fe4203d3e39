"""The request of `pdf_split`."""

from dataclasses import KW_ONLY
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from mediakit.core.fields import Password
from mediakit.core.inputs import File
from mediakit.core.request import request
from mediakit.engines.pdf.request_fields import PageRange
from mediakit.tools.pdf.pdf_split.job import Mode
from mediakit.tools.pdf.pdf_split.name_pattern import check_pattern


@request
class PdfSplitRequest:
    """A PDF, and where to split it."""

    file: File
    """A PDF."""
    _: KW_ONLY
    mode: Literal["every", "ranges", "size", "bookmarks", "blank"] | None = None
    """Where parts begin: after a number of pages (`every`), at page ranges (`ranges`), below a file size (`size`), at
    bookmarks (`bookmarks`) or at blank pages, which are omitted (`blank`). Default: the mode of the field that is set;
    without any, every page is a part."""
    ranges: Annotated[list[PageRange], Field(min_length=1, max_length=100)] | None = None
    """A page range for each part, such as `1-3,5` or `7-` (to the last page). A page can be in several parts."""
    every: Annotated[int, Field(ge=1, le=500)] | None = None
    """Pages of a part."""
    level: Annotated[int, Field(ge=1, le=6)] = 1
    """`bookmarks`: a part begins at each bookmark down to this level."""
    max_bytes: Annotated[int, Field(ge=10_000, le=20_000_000)] | None = None
    """Maximum size of a part in bytes. Each part has as many pages as fit."""
    filename: Annotated[str, Field(min_length=1, max_length=100), AfterValidator(check_pattern)] = "{name}-{n}"
    """File names of the parts. `{name}` is the name of the file, `{n}` the number of the part (`{n:03}` with three
    digits), `{title}` its bookmark, `{label}` the label of its first page, and `{first}` and `{last}` are its first and
    last page."""
    password: Password | None = None
    """Password of an encrypted file. The parts are not encrypted."""

    @model_validator(mode="after")
    def _check_mode(self) -> Self:
        given = [name for name in ("ranges", "every", "max_bytes") if getattr(self, name) is not None]
        if len(given) > 1:
            raise ValueError(f"{given[0]}: cannot be combined with {given[1]}.")
        if given and self.mode not in (None, MODES[given[0]]):
            raise ValueError(f"{given[0]}: cannot be combined with mode {self.mode}.")
        for field, mode in MODES.items():
            if self.mode == mode and not given and field != "every":
                raise ValueError(f"{field}: is required with mode {mode}.")
        return self

    def chosen_mode(self) -> Mode:
        """Return the mode, given or that of the field that is set."""
        if self.mode is not None:
            return self.mode
        return next((mode for field, mode in MODES.items() if getattr(self, field) is not None), "every")


MODES: dict[str, Mode] = {"ranges": "ranges", "every": "every", "max_bytes": "size"}
"""The fields that need a mode."""
