"""What a tool states about itself, besides its request and its function."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, Required, TypedDict, TypeVar

from mediakit.core.called_tool import Example
from mediakit.errors import MediakitError

Tag = Literal["Images", "PDF", "Documents", "Files", "Validation", "Data", "Account"]
"""The groups of the service's tools, in the order of the documentation."""

Request = TypeVar("Request")


@dataclass(frozen=True)
class Wire:
    """How HTTP sends the results of a class."""

    outputs: tuple[str, ...]
    """Values of the `output` option."""
    member: str = ""
    """Name of the file in the JSON envelope; empty for data."""
    is_data: bool = False
    """Whether the response is data, which HTTP answers as JSON by default even to raw bodies."""
    sends_file: bool = False
    """Whether HTTP answers raw and multipart bodies with the file, although the response is data."""


class ToolOptions(TypedDict, Generic[Request], total=False):
    """The options of `tool`. Only `tag` and `produces` are required."""

    tag: Required[Tag]
    """The group of the tool."""
    produces: Required[Sequence[str] | Mapping[str, str]]
    """Media types of the result. A mapping names the value of `format` or `to` that chooses each one; otherwise that is
    the name of the format, such as `png`."""
    raw: Mapping[str, str]
    """Media types accepted as a raw body (`image/*` for any image), each with the field that it fills."""
    errors: Sequence[type[MediakitError]]
    """Errors beyond those of every tool (400, 401, 403, 429, 503)."""
    examples: Sequence[Example]
    """Calls for the documentation, the demo and the tests; the first one is the simplest."""
    needs_browser: bool | str
    """Whether the tool needs a browser; the name of a field if it needs one only with that field."""
    licensed_packages: Mapping[str, str]
    """Packages that the tool needs and that some do not install because of their license (GPL, LGPL), each with the
    calls that need it; an empty text if all calls do."""
    deadline_seconds: int
    """Time in which a call ends, with the time that it waits for a slot; 60 by default, which is longer than a worker
    process has for a file. A server holds the credit of a call at most this long."""
    too_large_error: type[MediakitError]
    """The error for a body that is too large; 400 by default."""
    alt: Callable[[Request], str]
    """Returns the alt text of a request's result."""
    pixel_ratio: Callable[[Request], int]
    """Returns the image pixels in a CSS pixel of a request's result; 1 by default."""
    media_type_of: Callable[[Mapping[str, Any]], str]
    """Returns the media type of the result of a call's values, where its format alone does not choose it. Code of calls
    uses it to name the file."""
    meta: Mapping[str, Mapping[str, Any]]
    """JSON Schemas of what the tool adds to `meta`, by name, for the description of the HTTP API."""
    adapt: Callable[[Mapping[str, Any]], dict[str, Any]]
    """Turns values that only Python callers can pass, such as a data frame, into values of the request."""
    columns_field: str
    """The field, an object, that takes the columns of a batch that are not fields."""
    uses_file_names: bool
    """Whether the names of files change the result, so that code of calls has to send them."""
