"""What snippets and help texts need of a tool. The class of tools is in `mediakit.core.tool`."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mediakit.core.parameters import Parameter


@dataclass(frozen=True)
class Example:
    """An example call for the API description, the documentation, the demo and the tests."""

    title: str
    values: Mapping[str, Any]


class CalledTool(Protocol):
    """A tool as those see it that write its calls."""

    @property
    def __signature__(self) -> inspect.Signature:
        """The signature, with readable types."""

    @property
    def name(self) -> str:
        """The name of the tool in Python."""

    @property
    def command(self) -> str:
        """The name of the tool in the shell."""

    @property
    def path(self) -> str:
        """The HTTP path of the tool."""

    @property
    def summary(self) -> str:
        """What the tool does, in one sentence."""

    @property
    def description(self) -> str:
        """More about the tool; may be empty."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The fields of the request, in their order."""

    @property
    def raw(self) -> Mapping[str, str]:
        """The field that a raw body fills, by media type."""

    @property
    def uses_file_names(self) -> bool:
        """Whether the names of files change the result, so that code of calls has to send them."""

    @property
    def formats(self) -> Mapping[str, str]:
        """Media types of the result by the value of the option that chooses them."""

    @property
    def produces(self) -> Sequence[str]:
        """Media types of the result."""

    @property
    def media_type_of(self) -> Callable[[Mapping[str, Any]], str] | None:
        """Returns the media type of the result of a call's values, where its format alone does not choose it."""

    @property
    def wire(self) -> Any:
        """How HTTP sends the results."""

    @property
    def kinds(self) -> tuple[type[Any], ...]:
        """The classes of the results."""

    @property
    def examples(self) -> Sequence[Example]:
        """Example calls; the first one is the simplest."""
