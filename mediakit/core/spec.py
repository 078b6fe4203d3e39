"""What a tool is: what it states about itself, its names, the fields of its request, and the classes of its results."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from types import UnionType
from typing import Any, Generic, Literal, ParamSpec, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from mediakit.core.media import format_names
from mediakit.core.parameters import Parameter, json_schema, parameters
from mediakit.errors import MediakitError

Tag = Literal["Images", "PDF", "Documents", "Files", "Validation", "Data", "Account"]
"""The groups of the service's tools, in the order of the documentation."""

OUTPUTS = ("json", "binary", "url", "image", "pdf")
"""Values of the `output` option of the HTTP API, in the order of the documentation."""

P = ParamSpec("P")
Request = TypeVar("Request")


@dataclass(frozen=True)
class Example:
    """An example call for the API description, the documentation, the demo and the tests."""

    title: str
    values: Mapping[str, Any]


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


@dataclass(frozen=True)
class ToolSpec(Generic[P, Request]):
    """What a tool states about itself, besides its function."""

    request: Callable[P, Request]
    """The request class; its constructor is the tool's signature."""
    _: KW_ONLY
    tag: Tag
    """The group of the tool."""
    produces: Sequence[str] | Mapping[str, str]
    """Media types of the result. A mapping names the value of `format` or `to` that chooses each one; otherwise that is
    the name of the format, such as `png`."""
    raw: Mapping[str, str] = field(default_factory=dict)
    """Media types accepted as a raw body (`image/*` for any image), each with the field that it fills."""
    errors: Sequence[type[MediakitError]] = ()
    """Errors beyond those of every tool (400, 401, 403, 429, 503)."""
    examples: Sequence[Example] = ()
    """Calls for the documentation, the demo and the tests; the first one is the simplest."""
    needs_browser: bool | str = False
    """Whether the tool needs a browser; the name of a field if it needs one only with that field."""
    licensed_packages: Mapping[str, str] = field(default_factory=dict)
    """Packages that the tool needs and that some do not install because of their license (GPL, LGPL), each with the
    calls that need it; an empty text if all calls do."""
    deadline_seconds: int = 60
    """Time in which a call ends, with the time that it waits for a slot; the default is longer than a worker process
    has for a file. A server holds the credit of a call at most this long."""
    too_large_error: type[MediakitError] | None = None
    """The error for a body that is too large; 400 by default."""
    alt: Callable[[Request], str] | None = None
    """Returns the alt text of a request's result."""
    pixel_ratio: Callable[[Request], int] | None = None
    """Returns the image pixels in a CSS pixel of a request's result; 1 by default."""
    media_type_of: Callable[[Mapping[str, Any]], str] | None = None
    """Returns the media type of the result of a call's values, where its format alone does not choose it. Code of calls
    uses it to name the file."""
    meta: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """JSON Schemas of what the tool adds to `meta`, by name, for the description of the HTTP API."""
    adapt: Callable[[Mapping[str, Any]], dict[str, Any]] = dict
    """Turns values that only Python callers can pass, such as a data frame, into values of the request."""
    columns_field: str = ""
    """The field, an object, that takes the columns of a batch that are not fields."""
    uses_file_names: bool = False
    """Whether the names of files change the result, so that code of calls has to send them."""


class DescribedTool:
    """A tool as documentation, snippets and help see it. Its subclass `Tool` can be called."""

    def __init__(self, spec: ToolSpec[..., Any], function: Callable[..., Any]) -> None:
        self.spec = spec
        self.function = function
        self.examples = spec.examples
        formats = spec.produces
        if not isinstance(formats, Mapping):
            formats = {name: media for media in formats for name in format_names(media)}
        self.formats = dict(formats)
        """Media types of the result by the value of the option that chooses them."""
        self.produces = tuple(dict.fromkeys(self.formats.values()))
        """Media types of the result."""

    @property
    def request(self) -> type[Any]:
        """The request class."""
        return cast("type[Any]", self.spec.request)

    @property
    def name(self) -> str:
        """The name of the tool in Python."""
        return self.function.__name__

    @property
    def command(self) -> str:
        """The name of the tool in the shell."""
        return self.name.replace("_", "-")

    @property
    def path(self) -> str:
        """The HTTP path of the tool."""
        return f"/{self.command}"

    @property
    def summary(self) -> str:
        """What the tool does, in one sentence."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @property
    def description(self) -> str:
        """The docstring of the function, without its summary and its Google-style sections."""
        text = (inspect.getdoc(self.function) or "").partition("\n")[2]
        return text.partition("\nRaises:")[0].partition("\nReturns:")[0].strip()

    @cached_property
    def returns(self) -> tuple[Any, ...]:
        """The classes of the results, or their generic aliases; several if an option chooses the class."""
        annotation = get_type_hints(self.function)["return"]
        return get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)

    @cached_property
    def kinds(self) -> tuple[type[Any], ...]:
        """The classes of the results, without the types of their items."""
        return tuple(get_origin(each) or each for each in self.returns)

    @cached_property
    def wire(self) -> Wire:
        """How HTTP sends the results."""
        wires: list[Wire] = [kind._wire for kind in self.kinds]
        outputs = dict.fromkeys(output for each in wires for output in each.outputs)
        return Wire(
            tuple(sorted(outputs, key=OUTPUTS.index)),
            is_data=all(each.is_data for each in wires),
            sends_file=any(each.sends_file for each in wires),
        )

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the request."""
        return json_schema(self.request)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The fields of the request, in their order."""
        return parameters(self.request, self.schema)

    def reset_schema(self) -> None:
        """Make the schema again on next use, because the choices of a field have changed."""
        for name in ("schema", "parameters", "_by_name"):
            self.__dict__.pop(name, None)

    @cached_property
    def file_fields(self) -> tuple[str, ...]:
        """Names of the fields of the request that hold one file or several."""
        return tuple(parameter.name for parameter in self.parameters if parameter.is_file)
