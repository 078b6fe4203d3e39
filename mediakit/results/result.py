"""The results of tools: files, data, meta and a view.

    Result                  meta, alt, file, save(), data_uri(), to_dict(), to_json(), call
    ├── FileResult          content, mime_type, filename: one file
    │   ├── ImageResult     to_pil(), width, height, img()
    │   ├── PdfResult       to_pil(page), pages
    │   └── ZipResult       several files: a FilesResult in Python, as a file a ZIP
    └── Data                the fields of a subclass, which is a frozen dataclass
        ├── JsonResult      content: as a file it is JSON
        │   └── DataResult  mime_type, code(): the file that the call made, or JSON
        │       └── MadeData  filename: for data with a field `made`, a file
        └── TextData        for data with a field `content`, a text, which is the file

`ListResult` gives a result with a list the length and the iteration of that list.

The public names of these classes are final: a subclass adds names, and defines only private hooks. A class whose
field or method shadows a public name is an error at import. `files.py` and `data.py` have the subclasses.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self, TypeVar, final

from mediakit.core.inputs import FileBytes, expanded
from mediakit.core.introspection import PublicNames, readable
from mediakit.core.media import detect, extension_of
from mediakit.core.messages import quote, readable_size
from mediakit.core.suggestions import SynonymTable
from mediakit.core.tool import Tool, Wire
from mediakit.errors import InvalidInput
from mediakit.results.item import Json, refuse_shadows, to_plain
from mediakit.results.saving import SavedFile, save_all, save_one, write

if TYPE_CHECKING:
    from mediakit.display.images import Card


Language = Literal["python", "curl", "javascript", "http", "shell"]

Bundle = tuple[dict[str, Any], dict[str, Any]]
"""A MIME bundle and its metadata, as IPython's display protocol has them."""

OTHER_NAMES: SynonymTable = json.loads(Path(__file__).with_name("other_names.json").read_text("utf-8"))
"""What other libraries call the names of results."""

USAGE_FIELDS = ("used", "remaining", "unlimited")
"""Members of a response's meta that describe the account, not the result."""


@dataclass(frozen=True)
class Call:
    """The call that returned a result."""

    tool: Tool[..., Any]
    request: Any
    """The validated request. That of an unpickled result has the names of its files, without their content."""

    def code(self, language: Language = "python") -> str:
        """Return the call as code, to copy.

        Options at their defaults are omitted. Calls over HTTP use the server that runs in this process, or say how to
        start one, and read the API key from `MEDIAKIT_API_KEY`.

        Args:
            language: `python`, `curl`, `javascript` (for Node.js), `http` (the raw request) or `shell` (the `mediakit`
                command).

        Raises:
            InvalidInput: The language is unknown.
        """
        from mediakit.core import snippets

        values = {name: _named(value) for name, value in vars(self.request).items()}
        return snippets.write(language, self.tool, values)

    def without_content(self) -> "Call":
        """Return the call with the paths or names of its files in place of their content."""
        request = copy(self.request)
        for name, value in vars(request).items():
            vars(request)[name] = _named(value, always=True)
        return Call(self.tool, request)


class Result(PublicNames):
    """What a tool returned."""

    _internal_names = frozenset(("attach_call", "envelope", "from_envelope"))
    _other_names = OTHER_NAMES

    meta: Mapping[str, Any]
    _wire: ClassVar[Wire]
    """How HTTP sends the result."""
    _view: ClassVar[str] = ""
    """`module:function` of the function that returns the MIME bundle of a result, loaded when a notebook shows one."""
    _saves_json: ClassVar[bool] = False
    """Whether `save` writes the data as JSON to a path that ends with `.json`."""
    _call: Call | None = None
    _alt: str = ""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        refuse_shadows(cls)

    @property
    @final
    def file(self) -> bytes:
        """The bytes of the file that stands for the result."""
        return self._saved().content

    @property
    def alt(self) -> str:
        """Text alternative for people who cannot see the result; empty if there is none."""
        if self._alt or self._call is None or self._call.tool.spec.alt is None:
            return self._alt
        return self._call.tool.spec.alt(self._call.request)

    @alt.setter
    def alt(self, text: str) -> None:
        vars(self)["_alt"] = text

    @final
    def attach_call(self, tool: Tool[..., Any], request: Any) -> None:
        """Store the call that returned this result."""
        vars(self)["_call"] = Call(tool, request)
        self._complete()

    def _complete(self) -> None:
        """Add to the result what only its call knows, also to the result of a client."""

    @property
    @final
    def call(self) -> Call:
        """The call that returned this result; `result.call.code("curl")` returns it as code.

        Raises:
            InvalidInput: The result does not come from a tool's call.
        """
        if self._call is None:
            raise InvalidInput("code: only results of a tool's call have code.")
        return self._call

    @final
    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the file and return its path. Missing folders are created.

        A path without an extension gets the usual one. A file that has a name can be saved into a folder. Several
        files are written into a folder, or as an archive if the path ends with `.zip`. Data is written as JSON if the
        path ends with `.json`, unless the file itself is JSON of another type, such as a JSON patch.

        Raises:
            InvalidInput: The path is a folder and the file has no name, the extension belongs to another format, or
                the path is an existing file where a folder is needed.
        """
        if not isinstance(path, str | os.PathLike):
            raise InvalidInput(f"path: must be a path, got {quote(path)}. The bytes of the file are in .file.")
        target, files = expanded(path), self._parts()
        if self._saves_json and target.suffix.lower() == ".json" and not target.is_dir():
            file = self._saved() if files is None else None
            is_json = file is not None and file.mime_type.endswith("+json")  # such as a patch
            return write(target, file.content if file and is_json else self.to_json().encode())
        if files is None:
            return save_one(self._saved(), target)
        return save_all(files, target, with_folders=self._saves_json)

    @final
    def data_uri(self) -> str:
        """Return the file as a `data:` URI for HTML and CSS.

        An image with two or three pixels in a CSS pixel is wrapped in an SVG of its size in CSS pixels.
        """
        return self._shown_file().data_uri()

    @final
    def to_dict(self) -> dict[str, Any]:
        """Return the data and the meta. Files are not in it."""
        return {**self._members(), "meta": dict(self.meta)}

    @final
    def to_json(self) -> str:
        """Return the data and the meta as JSON."""
        from pydantic_core import to_json

        return to_json(self.to_dict(), indent=2).decode()

    @final
    def envelope(self, usage: Mapping[str, Any] | None = None) -> bytes:
        """Return the JSON body of the HTTP response; `usage` is added to the meta."""
        from pydantic_core import to_json

        parts = [b'{"success":true']
        for name, value in (*self._wire_members(), ("meta", {**self.meta, **(usage or {})})):
            parts += (b",", to_json(name), b":", value if isinstance(value, Json) else to_json(value))
        return b"".join((*parts, b"}"))

    @classmethod
    @final
    def from_envelope(cls, body: Mapping[str, Any], annotation: Any = None) -> Self:
        """Return the result in the JSON body of a server's response, without the account's usage.

        Args:
            body: The body.
            annotation: The generic alias of the class, if it has one.

        Raises:
            InvalidInput: The body does not have the members of such results.
        """
        try:
            meta = {name: value for name, value in body["meta"].items() if name not in USAGE_FIELDS}
            return cls._parsed(body, meta, annotation or cls)
        except (KeyError, TypeError, ValueError) as error:
            problems: list[Any] = error.errors() if hasattr(error, "errors") else []
            wrong = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in problems]
            reason = f"{error} is missing" if isinstance(error, KeyError) else (wrong or [str(error)])[0]
            raise InvalidInput(f"The server's response does not fit {cls.__name__}: {reason}.") from None

    def _wire_members(self) -> Iterator[tuple[str, Any]]:
        """Yield the members of the JSON envelope between `success` and `meta`."""
        raise NotImplementedError

    @classmethod
    def _parsed(cls, body: Mapping[str, Any], meta: Mapping[str, Any], annotation: Any) -> Self:
        """Return the result in a response."""
        raise NotImplementedError

    def _saved(self) -> SavedFile:
        """Return the file that stands for the result."""
        raise NotImplementedError

    def _shown_file(self) -> SavedFile:
        """Return the file that a web page shows in the place of the result."""
        return self._saved()

    def _parts(self) -> Sequence[SavedFile] | None:
        """Return the files that are saved into a folder; None if there is only the file of `_saved`."""
        return None

    def _has_file(self) -> bool:
        """Return whether HTTP can send a file; data may have one only for some requests."""
        return True

    def _members(self) -> Mapping[str, Any]:
        """Return the data by the names of its members in JSON, without files."""
        raise NotImplementedError

    def _compared(self) -> Any:
        """Return what is equal in equal results."""
        raise NotImplementedError

    def _facts(self) -> str:
        """Return the size of the content, such as `1200 × 630` or `3 pages`; empty if it has none."""
        return ""

    def _gist(self) -> str:
        """Return what a gallery says of the content: its size, or what data says."""
        return self._facts()

    def _card_image(self) -> bytes:
        """Return a small image of the result as WebP; empty if it has none."""
        from mediakit.display import images

        saved = self._saved()
        if images.has_thumbnail(saved.mime_type):
            return images.file_thumbnail(saved.content, saved.mime_type)
        return images.thumbnail(self._repr_mimebundle_()[0])

    def _caption(self) -> str:
        """Return the line that a notebook shows below the result; empty for none."""
        return ""

    def _notes(self) -> Sequence[str]:
        """Return the warnings that a notebook shows below the result: those that its view does not show."""
        return ()

    def _bundle(self) -> Bundle:
        """Return the MIME bundle without plain text, where the class has no `_view`."""
        return {}, {}

    @final
    def _repr_mimebundle_(self, **_filters: object) -> Bundle:
        if self._view:
            module, _, function = self._view.partition(":")
            data, metadata = getattr(import_module(module), function)(self)
        else:
            data, metadata = self._bundle()
        return {"text/plain": repr(self), **data}, metadata

    @final
    def _ipython_display_(self) -> None:
        lines = [*filter(None, (self._caption(), *self._notes()))]
        if not lines:
            raise NotImplementedError  # IPython goes on with the MIME bundle
        from mediakit.display import images

        images.display(*self._repr_mimebundle_(), "\n".join(lines))

    def __bytes__(self) -> bytes:
        return self.file

    def __bool__(self) -> bool:
        return True  # also without items

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and bool(self._compared() == other._compared())

    def __hash__(self) -> int:
        return hash(self.file)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle: without the thumbnail, and with names in place of the files of the call."""
        call = self._call
        state = vars(self) | ({} if call is None else {"_alt": self.alt, "_call": call.without_content()})
        state.pop("_card", None)
        return state

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update(state)

    def __repr__(self) -> str:
        saved = self._saved()
        about = ", ".join(filter(None, (saved.filename, self._facts(), readable_size(len(saved.content)))))
        return f"<{type(self).__name__} {about}>"


class Coded(Result):
    """Results whose data has no field `code`."""

    @final
    def code(self, language: Language = "python") -> str:
        """Return the call that made the result, to copy. See `Call.code`.

        Args:
            language: `python`, `curl`, `javascript` (for Node.js), `http` (the raw request) or `shell` (the `mediakit`
                command).

        Raises:
            InvalidInput: The language is unknown, or the result does not come from a tool.
        """
        return self.call.code(language)


T = TypeVar("T")


class ListResult(Result, Generic[T]):
    """Results with a list of items in a field: `len()`, iteration and the rows of data are those of the list."""

    _items: ClassVar[str]
    """Name of the field."""

    def _listed(self) -> Sequence[T]:
        """Return the items; none if the field is None."""
        items: Sequence[T] | None = getattr(self, self._items)
        return items or ()

    def _rows(self) -> Sequence[Mapping[str, Any]]:
        return [to_plain(item) for item in self]

    def __iter__(self) -> Iterator[T]:
        return iter(self._listed())

    def __len__(self) -> int:
        return len(self._listed())


def card(result: Result) -> "Card":
    """Return what a gallery shows of a result. It is made once, and kept with the result."""
    from mediakit.display.images import Card

    found: Card | None = vars(result).get("_card")
    if found is None:
        saved = result._saved()
        about = (saved.extension.upper(), result._gist(), readable_size(len(saved.content)))
        found = Card(" · ".join(filter(None, about)), "", result._card_image())
        vars(result)["_card"] = found
    return replace(found, alt=result.alt)


def _named(value: Any, *, always: bool = False) -> Any:
    """Return a value of a request as code shows it: files by their path or name, where they are known."""
    if isinstance(value, FileBytes):
        name = value.path or (Path(value.name) if value.name else None)
        return name or (Path(f"file.{extension_of(detect(value) or '')}") if always else value)
    return [_named(item, always=always) for item in value] if isinstance(value, list) else value


R = TypeVar("R", bound=Result)

MAX_SHOWN = 60
"""Results that a notebook shows."""
MAX_LISTED = 5
"""Names in an error."""


class Gallery(PublicNames, Mapping[str, R], Generic[R]):
    """Results by name; a notebook shows them side by side."""

    def __init__(self, results: Mapping[str, R]) -> None:
        self._results = results

    @property
    def results(self) -> list[R]:
        """The results without names, in order."""
        return list(self.values())

    def __getitem__(self, name: str) -> R:
        try:
            return self._results[name]
        except (KeyError, TypeError):  # a slice cannot be a name
            known = ", ".join(map(quote, islice(self, MAX_LISTED))) + (", …" if len(self) > MAX_LISTED else "")
            problem = f"{quote(name)} is not the name of a result; names are {known}. .results is a list of them."
            raise KeyError(problem) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def _repr_html_(self) -> str:
        from mediakit.display.images import gallery_html

        shown = [(name, self._card(name)) for name in islice(self, MAX_SHOWN)]
        style, count = "font-size:12px;opacity:.7;margin:2px 0 8px", len(self) - len(shown)
        return gallery_html(shown) + (f'<div style="{style}">and {count:,} more</div>' if count else "")

    def _card(self, name: str) -> "Card":
        """Return what is shown of a result."""
        return card(self[name])

    def __repr__(self) -> str:
        more = ", …" if len(self) > MAX_SHOWN else ""
        return f"<Gallery of {len(self)}: {', '.join(map(repr, islice(self.values(), MAX_SHOWN)))}{more}>"


@readable
def gallery(results: Mapping[Any, R] | Iterable[R]) -> Gallery[R]:
    """Return a gallery, which a notebook shows as thumbnails side by side.

    Args:
        results: Results, or a mapping from names to results. Results without a name are numbered from 1.

    Raises:
        InvalidInput: An item is not a result.
    """
    if not isinstance(results, Iterable):
        results = [results]
    pairs = results.items() if isinstance(results, Mapping) else enumerate(results, 1)
    named = {str(name): result for name, result in pairs}
    for name, result in named.items():
        if not isinstance(result, Result):
            raise InvalidInput(f"results: {quote(name)} must be the result of a tool, got {quote(result)}.")
    return Gallery(named)
