"""Input files: the field types `File` and `Files`, what callers can pass for them, and detection of data frames.

In JSON a file is base64 text, or `{"name": "report.pdf", "file": "<base64>"}`. Python callers can also pass bytes,
a path, a binary file object, the result of another tool, or an image of another library: a Pillow image, a NumPy array,
or a figure or axes of matplotlib. No library is imported for other objects.
"""

import glob
import io
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from pathlib import Path, PurePath, PurePosixPath
from pickle import PickleBuffer
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Protocol, SupportsIndex, runtime_checkable

import pybase64

from mediakit.core.media import NAMES, FileKind, extension_of, kind_of, type_of
from mediakit.core.messages import quote
from mediakit.core.suggestions import Synonyms

if TYPE_CHECKING:
    import numpy as np
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema


class _PillowImage(Protocol):
    def getbands(self) -> tuple[str, ...]:
        """Return the names of the bands."""


class _Array(Protocol):
    def __array_namespace__(self) -> Any:
        """Return the functions for arrays."""


class _Artist(Protocol):
    def get_figure(self) -> Any:
        """Return the figure."""


class _Document(Protocol):
    def save(self, target: Any, /) -> Any:
        """Write the file to a path or a stream."""


OtherObject = _PillowImage | _Array | _Artist | _Document
"""Images, charts and documents of other libraries, as type checkers see them."""

_SAVING_PACKAGES = frozenset(("altair", "docx", "openpyxl", "pikepdf", "pptx", "pymupdf"))
"""Packages whose charts and documents write their file to a stream."""

MAX_PNG_BYTES = 20_000_000
"""Opaque images whose PNG file is larger are JPEG files."""

JPEG_QUALITY = 95

_PNG_MODES = frozenset(("1", "L", "LA", "I", "I;16", "P", "RGB", "RGBA"))
_ALPHA_MODES = frozenset(("PA", "La", "RGBa"))

MEGABYTE = 1024 * 1024
MAX_FILE_BYTES = 20 * MEGABYTE
MAX_TOTAL_FILE_BYTES = 50 * MEGABYTE
MAX_FILES = 20
MAX_NAME_LENGTH = 255
MAX_FULL_NAME_LENGTH = 1000
"""Characters of a name with its folders."""
MAX_PATH_LENGTH = 4096
MAX_ITERATED = 10_000
"""Files that are taken from an iterator, which may never end."""
MAX_LISTED_FILES = 5
"""Omitted files that a warning names."""
BASE64_LENGTH = -(-MAX_FILE_BYTES // 3) * 4
"""Number of base64 characters of the largest file."""

_DATA_URI = re.compile(r"data:[^,]{0,200};base64,", re.ASCII)

_ADDRESS = re.compile(r"(https?|ftp|file|s3|gs):/", re.ASCII | re.IGNORECASE)

_NAME = re.compile(r"/?[A-Z]?[a-z]+\d*(?:/[A-Z]?[a-z]+\d*)*", re.ASCII)
"""A word such as `photos`, or words with slashes, of which base64 text has few."""

MAX_WORD_LENGTH = 60
"""Longer texts without spaces are base64."""


class SourceFile(Protocol):
    """A file of a result."""

    @property
    def content(self) -> bytes:
        """The bytes of the file."""

    @property
    def mime_type(self) -> str:
        """The media type of the file."""

    @property
    def filename(self) -> str:
        """The name of the file; empty if it has none."""


@runtime_checkable
class FileSource(Protocol):
    """The result of a tool; its file can be the input of another tool."""

    def _saved(self) -> SourceFile:
        """Return the file that stands for the result."""


FILE_KINDS = (
    "bytes, a path, a binary file object, the result of a tool, or an image, a chart or a document of another library"
)
"""What Python callers can pass as a file, for errors."""

FileInput = (
    bytes | bytearray | memoryview | os.PathLike[str] | FileSource | BinaryIO | OtherObject | Mapping[str, Any] | str
)


FilesInput = Iterable[FileInput] | FileInput


class FileBytes(bytes):
    """The content of an input file, with its name and path where they are known."""

    name: str = ""
    """File name without folders; empty if unknown."""
    full_name: str = ""
    """The name as the caller passed it, with folders: for archives only. It is not safe."""
    path: Path | None = None
    """The path that a Python caller passed."""

    @classmethod
    def named(cls, content: bytes, name: str = "", path: Path | None = None) -> "FileBytes":
        """Return content with a name; folders and control characters of the name are removed."""
        file = cls(content)
        file.name = "".join(char for char in re.split(r"[/\\]", name)[-1] if char.isprintable())[:MAX_NAME_LENGTH]
        file.full_name = name
        file.path = path
        return file

    @property
    def stem(self) -> str:
        """The file name without its extension."""
        return PurePosixPath(self.name).stem

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        """Return the content as a buffer, which protocol 5 need not copy, and the names, but not the path."""
        content = PickleBuffer(self) if int(protocol) >= 5 else bytes(self)
        return FileBytes, (content,), {"name": self.name, "full_name": self.full_name}


def file_of(file: FileInput) -> FileBytes:
    """Return the file in a validated request field."""
    return file if isinstance(file, FileBytes) else load_file(file)


def files_of(files: FilesInput) -> list[FileBytes]:
    """Return the files in a validated request field."""
    return [file_of(file) for file in _as_list(files)]


def load_file(value: Any, *, allow_empty: bool = False) -> FileBytes:
    """Read a file from any accepted value.

    Raises:
        ValueError: The value is of another type, cannot be read, is empty, or is larger than 20 MB.
    """
    file = _load(value)
    if not file and not allow_empty:
        raise ValueError("must not be empty.")
    if len(file) > MAX_FILE_BYTES:
        raise ValueError(f"must have at most {MAX_FILE_BYTES // MEGABYTE} MB.")
    return file


def local_file(value: Any) -> Any:
    """Return a `Path` for text that names an existing file, the file of an image object, or the value unchanged.

    Only Python calls use this: over HTTP, text is always base64.

    Raises:
        ValueError: The text is neither the path of a file nor base64; or the object cannot be an image.
    """
    if not isinstance(value, str):
        file = object_file(value)
        return FileBytes.named(*file) if file else value
    if _DATA_URI.match(value):
        return value
    if path := existing_path(value):
        return path
    with suppress(OSError):  # the text is too long for a name
        if 0 < len(value) <= MAX_PATH_LENGTH and expanded(value).is_dir():
            raise ValueError(f"must be a file, but {value!r} is a folder.")
    shown = value if len(value) <= 80 else f"{value[:80]}…"
    if address := _ADDRESS.match(value):
        way = "its path" if address[1].lower() == "file" else "its content, such as httpx.get(url).content"
        raise ValueError(f'must be a file, but "{shown}" is a URL, which is not opened; pass {way}.')
    if len(value) <= MAX_WORD_LENGTH and _NAME.fullmatch(value):
        raise ValueError(
            f'there is no file or folder "{shown}". A file is {FILE_KINDS}; '
            f'base64 text that is so short needs a prefix, "data:;base64,{shown}".'
        )
    try:
        _decode(value)
    except ValueError:
        raise ValueError(f'there is no file "{shown}", and the text is not base64.') from None
    return value


def existing_path(text: str) -> Path | None:
    """Return the path of the file that a text of one line names; None if there is no such file."""
    if not text or len(text) > MAX_PATH_LENGTH or "\n" in text or "\0" in text:
        return None
    try:
        path = expanded(text)
        return path if path.is_file() else None
    except OSError:  # the name is too long
        return None


def expanded(path: str | os.PathLike[str]) -> Path:
    """Return a path with the home folder in place of `~`, as a shell does; unchanged if there is no such user."""
    with suppress(RuntimeError):
        return Path(path).expanduser()
    return Path(path)


def paths_in(path: Path, *, deep: bool = False) -> list[Path]:
    """Return the files of a folder, or those that match a pattern such as `photos/*.jpg`; empty for other paths.

    Hidden files are omitted, and links that lead out of the folder as well, with a warning. The files of the folders in
    it are included only if `deep`.

    Raises:
        ValueError: The folder has no files, or none matches.
    """
    try:
        is_folder = path.is_dir()
        if not is_folder and (not glob.has_magic(str(path)) or path.exists()):
            return []
    except OSError:  # the text is too long for a name
        return []
    base = path if is_folder else pattern_base(path)
    try:
        if is_folder:
            found = path.rglob("*") if deep else path.iterdir()
        else:
            found = base.glob(path.relative_to(base).as_posix())
        shown = [each for each in found if not any(part.startswith(".") for part in each.relative_to(base).parts)]
        files = sorted(each for each in shown if each.is_file() or (deep and each.is_symlink()))
    except OSError as error:
        raise ValueError(f"cannot read {str(path)!r}: {error.strerror or error}.") from None
    root = base.resolve()
    is_inside = cache(lambda each: each.resolve().is_relative_to(root))
    inside = [each for each in files if is_inside(each if each.is_symlink() else each.parent)]
    if len(inside) < len(files):
        _warn_of_omitted(base, sorted({*files}.difference(inside)), "a link that leads out of the folder")
    inside = [each for each in inside if each.is_file()]
    if not inside:
        raise ValueError(f"{path} {'has no files' if is_folder else 'matches no file'}.")
    return inside


def _warn_of_omitted(base: Path, files: Sequence[Path], reason: str) -> None:
    names = ", ".join(each.relative_to(base).as_posix() for each in files[:MAX_LISTED_FILES])
    more = f" and {len(files) - MAX_LISTED_FILES:,} more" if files[MAX_LISTED_FILES:] else ""
    each = "It is" if len(files) == 1 else "Each is"
    warnings.warn(f"{base}: omitted {names}{more}. {each} {reason}.", UserWarning, stacklevel=2)


def pattern_base(path: Path) -> Path:
    """Return the folder of a pattern: its parts before the first one with a wildcard."""
    return next((each for each in path.parents if not glob.has_magic(str(each))), Path())


def files_in(value: Any, limit: int, takes: Sequence[FileKind] = ()) -> list[FileBytes] | None:
    """Return the files of a folder or of a pattern, whose names begin below the folder; None for other values.

    Args:
        value: What a Python caller passed.
        limit: Number of files at most.
        takes: Kinds of files that the field takes, empty for all. Others in a folder are omitted, with a warning.

    Raises:
        ValueError: There are no files, too many, or one cannot be read.
    """
    text = os.fsdecode(value) if isinstance(value, str | os.PathLike) else ""
    if not text or len(text) > MAX_PATH_LENGTH or "\0" in text:
        return None
    path = expanded(text)
    found = paths_in(path, deep=True)
    if not found:
        return None
    base = path if path.is_dir() else pattern_base(path)
    if takes:
        fitting = [each for each in found if kind_of(type_of(each) or "") in takes]
        names = " or ".join(NAMES[each] for each in takes)
        if not fitting:
            raise ValueError(f"{path} has no file that is {names}.")
        if len(fitting) < len(found):
            _warn_of_omitted(base, sorted({*found}.difference(fitting)), f"not {names}")
        found = fitting
    if len(found) > limit:
        raise ValueError(f"must have at most {limit} files, but {path} has {len(found):,}.")
    return [FileBytes.named(read_path(each), each.relative_to(base).as_posix(), each) for each in found]


def _load(value: Any) -> FileBytes:  # noqa: PLR0911  # one return per kind
    match value:
        case FileBytes():
            return value
        case bytes() | bytearray() | memoryview():
            return FileBytes(value)
        case str():
            return FileBytes(_decode(value))
        case os.PathLike():
            return read_path(expanded(value))
        case Mapping():
            if results := [name for name, each in value.items() if isinstance(each, FileSource)]:
                raise ValueError(
                    f"must be one file, got {len(results)} results. Pass one of them, or use mediakit.batch."
                )
            unknown = value.keys() - {"name", "file"}
            content, name = value.get("file"), value.get("name", "")
            if unknown or not isinstance(content, str | bytes) or not isinstance(name, str):
                raise ValueError('must have the members "file" (base64 text) and optionally "name" (text).')
            return FileBytes.named(_decode(content) if isinstance(content, str) else content, name)
        case FileSource():
            file = value._saved()
            is_data = file.mime_type == "application/json" and not hasattr(value, "filename")
            return FileBytes.named(file.content, "" if is_data else file.filename)
    return _load_object(value)


def _load_object(value: Any) -> FileBytes:
    if file := object_file(value):
        return FileBytes.named(*file)
    if callable(getattr(value, "read", None)):
        parts, size = [], 0
        # A pipe or a socket returns less than the requested bytes at once.
        while size <= MAX_FILE_BYTES and (part := _read_part(value, MAX_FILE_BYTES + 1 - size)):
            parts.append(part)
            size += len(part)
        if not size and _position(value):
            raise ValueError("must not be empty, but the file object is at its end; call its .seek(0) first.")
        name = getattr(value, "name", "")  # the number of a file descriptor is not a name, and neither is `<stdin>`
        path = os.fsdecode(name) if isinstance(name, str | bytes) else ""
        name = "" if path.startswith("<") else PurePath(path).name
        return FileBytes.named(b"".join(parts), name)  # one part is not copied
    if callable(getattr(value, "read_bytes", None)):  # a path inside of an archive or a package
        return FileBytes.named(read_path(value), value.name)
    if value is None or isinstance(value, bool | int | float | list):  # of a JSON body
        raise ValueError('must be base64 text, or an object such as {"name": "report.pdf", "file": "<base64>"}.')
    raise ValueError(_no_file(value))


def _no_file(value: Any) -> str:
    hint = " Pass its .content." if hasattr(type(value), "content") else ""  # an HTTP response
    return f"must be {FILE_KINDS}, got {quote(value)}.{hint}"


def _decode(text: str) -> bytes:
    start = _DATA_URI.match(text)
    try:
        return pybase64.b64decode("".join(text[start.end() if start else 0 :].split()), validate=True)
    except ValueError:
        raise ValueError("must be base64 text (standard alphabet, with padding).") from None


def read_path(path: Path) -> FileBytes:
    """Return the file at a path, and at most one byte more than a file may have.

    Raises:
        ValueError: The file cannot be read.
    """
    try:
        with path.open("rb") as file:
            return FileBytes.named(file.read(MAX_FILE_BYTES + 1), path.name, path)
    except OSError as error:
        raise ValueError(f"cannot read {str(path)!r}: {error.strerror or error}.") from None


def _position(file: Any) -> int:
    """Return the position of a file object; 0 for a pipe, which has none."""
    try:
        return int(file.tell())
    except (AttributeError, OSError, ValueError):
        return 0


def _read_part(file: Any, size: int) -> bytes:
    part = None
    if isinstance(file, io.StringIO) or not isinstance(file, io.TextIOBase):
        try:
            part = file.read(size)
            part = part.encode() if isinstance(file, io.StringIO) else part
        except (OSError, ValueError) as error:  # such as a closed file
            raise ValueError(f"cannot read the file object: {str(error).rstrip('.')}.") from None
        except (TypeError, LookupError):  # `read` of an HTTP response or an archive
            raise ValueError(_no_file(file)) from None
    if not isinstance(part, bytes):
        raise ValueError(  # noqa: TRY004  # pydantic turns ValueError into a message
            'must be a file opened in binary mode, such as open(path, "rb").'
        )
    return part


@dataclass(frozen=True)
class FileRule:
    """Annotation of a field that takes a file."""

    load: Callable[[Any], FileBytes] = load_file
    """Returns the file in a value, or raises ValueError."""
    takes: tuple[FileKind, ...] = ()
    """Kinds of results that fit, the field's own first; empty for all."""

    def __get_pydantic_core_schema__(self, _source: Any, _handler: "GetCoreSchemaHandler") -> "CoreSchema":
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(self.load)

    def __get_pydantic_json_schema__(self, _schema: "CoreSchema", _handler: "GetJsonSchemaHandler") -> dict[str, Any]:
        return {**file_schema(), "x-kind": "file", "x-takes": self.takes}


def file_schema() -> dict[str, Any]:
    """Return the JSON Schema of a file as base64 text, alone or with its name."""
    text = {"type": "string", "contentEncoding": "base64", "maxLength": BASE64_LENGTH}
    named = {
        "type": "object",
        "properties": {"name": {"type": "string", "maxLength": MAX_FULL_NAME_LENGTH}, "file": text},
        "required": ["file"],
        "additionalProperties": False,
    }
    return {"anyOf": [text, named]}


FILE_SYNONYMS = Synonyms("path, input, source, src, image, picture, photo, pdf, document, filename, file_path, upload")
File = Annotated[FileInput, FileRule(), FILE_SYNONYMS]
"""A file of at most 20 MB. Use `file_of` to get its content and name."""

ImageFile = Annotated[FileInput, FileRule(takes=("image",))]
PdfFile = Annotated[FileInput, FileRule(takes=("pdf",)), FILE_SYNONYMS]
ImageOrPdfFile = Annotated[FileInput, FileRule(takes=("image", "pdf")), FILE_SYNONYMS]


@dataclass(frozen=True)
class FileList:
    """Annotation of a field that takes several files. A single file is accepted as a list of one."""

    max_items: int = MAX_FILES
    max_bytes: int = MAX_TOTAL_FILE_BYTES
    allow_empty: bool = False
    """Whether files without content are accepted."""
    takes: tuple[FileKind, ...] = ()
    """Kinds of results that fit; empty for all."""

    def __get_pydantic_core_schema__(self, _source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        from pydantic_core import core_schema

        load = partial(load_file, allow_empty=self.allow_empty)
        file = core_schema.no_info_plain_validator_function(load)
        items = core_schema.list_schema(file, min_length=1, max_length=self.max_items)
        listed = core_schema.no_info_before_validator_function(_as_list, items)
        return core_schema.no_info_after_validator_function(self._check_total, listed)

    def __get_pydantic_json_schema__(self, _schema: "CoreSchema", _handler: "GetJsonSchemaHandler") -> dict[str, Any]:
        marks = {"x-kind": "files", "x-takes": self.takes}
        return {"type": "array", "items": file_schema(), "minItems": 1, "maxItems": self.max_items, **marks}

    def _check_total(self, files: list[FileBytes]) -> list[FileBytes]:
        if sum(map(len, files)) > self.max_bytes:
            raise ValueError(f"must have at most {self.max_bytes // MEGABYTE} MB in total.")
        return files


def listed_files(value: Any) -> Any:
    """Return files by name, such as the results of a batch, and the items of an iterable as a list.

    An iterable is an iterator such as `folder.glob("*.pdf")`, a view of a dictionary, or a Series or an array of
    objects, such as paths. Any other value is returned unchanged.
    """
    is_view = isinstance(value, KeysView | ValuesView)
    if (is_view or isinstance(value, Iterator)) and not hasattr(value, "read"):
        return list(islice(value, MAX_ITERATED))
    if (is_table(value) and type(value).__name__ == "Series") or (is_array(value) and value.dtype.kind in "OUS"):
        return list(value)
    is_named = isinstance(value, Mapping) and value and not value.keys() <= {"name", "file"}
    if not is_named or not all(
        isinstance(each, FileSource | bytes | bytearray | os.PathLike) for each in value.values()
    ):
        return value
    return [FileBytes.named(_load(each), _file_name(str(name), each)) for name, each in value.items()]


def _file_name(name: str, source: Any) -> str:
    """Return a name with the extension of a result."""
    mime_type = source._saved().mime_type if isinstance(source, FileSource) else ""
    has_own = not mime_type or type_of(PurePath(name)) == mime_type
    return name if has_own else f"{name}.{extension_of(mime_type)}"


def _as_list(value: Any) -> list[Any]:
    value = listed_files(value)
    is_list = isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray | memoryview)
    return list(value) if is_list else [value]


FILES_SYNONYMS = Synonyms("file, path, paths, images, pictures, photos, pdfs, documents, inputs, urls")
Files = Annotated[FilesInput, FileList(), FILES_SYNONYMS]
"""One to 20 files of at most 50 MB in total. Use `files_of` to get their contents and names."""


ImagesOrPdfs = Annotated[FilesInput, FileList(takes=("pdf", "image")), FILES_SYNONYMS]


TABLE_ATTRIBUTES = ("__dataframe__", "__arrow_c_stream__", "to_frame", "collect_schema", "__dask_graph__")
"""Attributes of the Series and DataFrames of pandas, PyArrow, Polars and Dask."""


def is_table(value: Any) -> bool:
    """Return whether a value is a Series or a DataFrame. Arrays, lists and indexes are not."""
    return any(hasattr(value, name) for name in TABLE_ATTRIBUTES) and not type(value).__name__.endswith("Index")


def is_array(value: Any) -> bool:
    """Return whether a value is an array of NumPy. Scalars are not."""
    return "numpy" in _libraries(value) and getattr(value, "ndim", 0) > 0


def _libraries(value: Any) -> set[str]:
    return {kind.__module__.partition(".")[0] for kind in type(value).__mro__}


def is_missing(value: Any) -> bool:
    """Return whether a value is None, NaN, or `NA` or `NaT` of pandas."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    # NaN is the only number that is not equal to itself.
    return hasattr(value, "__float__") and not hasattr(value, "__len__") and bool(value != value)  # noqa: PLR0124


def object_file(value: Any) -> tuple[bytes, str] | None:
    """Return the file of an image, a chart or a document of another library, and its name or an empty text.

    Arrays have the shape (height, width), (height, width, 3) or (height, width, 4), and values of uint8, booleans, or
    floats from 0 to 1, which are black to white.

    Returns:
        None for other objects.

    Raises:
        ValueError: The object cannot be a file; the message says how to convert it.
    """
    libraries = _libraries(value)
    if "PIL" in libraries and hasattr(value, "getbands"):
        name = PurePath(getattr(value, "filename", "") or "").name
        source = getattr(value, "fp", None)
        if getattr(value, "n_frames", 1) > 1 and source is not None:  # its pixels are those of its file
            position = source.tell()
            source.seek(0)
            content: bytes = source.read()
            source.seek(position)
            return content, name
        return _encoded(value), f"{PurePath(name).stem}.png" if name else ""
    if is_array(value):
        return _array_file(value), ""
    if "matplotlib" in libraries and hasattr(value, "get_figure"):
        artist = value
        while not hasattr(artist, "savefig"):
            owner = artist.get_figure()
            if owner is None or owner is artist:
                raise ValueError("must be part of a figure.")
            artist = owner
        target = io.BytesIO()
        artist.savefig(target, format="png")
        return target.getvalue(), "figure.png"
    if libraries & _SAVING_PACKAGES and callable(getattr(value, "save", None)):
        target = io.BytesIO()
        try:
            value.save(target, **({"format": "png"} if "altair" in libraries else {}))
        except Exception as error:  # noqa: BLE001  # a library raises any exception, such as for a closed document
            raise ValueError(f"cannot be saved by {type(value).__name__}.save: {error}.") from None
        return target.getvalue(), ""
    return None


def _encoded(image: Any) -> bytes:
    if image.mode not in _PNG_MODES:
        if image.mode == "F":
            raise ValueError('must be an image of 8 bits, got the mode F. Convert it, such as with image.convert("L").')
        image = image.convert("RGBA" if image.mode in _ALPHA_MODES else "RGB")
    exif, target = image.getexif(), io.BytesIO()
    image.save(target, "PNG", compress_level=1, **({"exif": exif} if exif else {}))
    if target.tell() > MAX_PNG_BYTES and image.mode in ("L", "RGB"):
        target = io.BytesIO()
        image.save(target, "JPEG", quality=JPEG_QUALITY, subsampling=0, **({"exif": exif} if exif else {}))
    return target.getvalue()


def _array_file(array: "np.ndarray[Any, Any]") -> bytes:
    import numpy as np
    from PIL import Image

    shape = array.shape
    if array.ndim not in (2, 3) or (array.ndim == 3 and shape[2] not in (1, 3, 4)) or 0 in shape:
        is_first = array.ndim == 3 and shape[0] in (1, 3, 4)
        hint = " Move the channels to the end with array.transpose(1, 2, 0)." if is_first else ""
        raise ValueError(
            f"must have the shape (height, width), (height, width, 3) or (height, width, 4), got {shape}.{hint}"
        )
    if array.dtype.kind == "f":
        low, high = array.min(), array.max()
        if not (low >= 0 and high <= 1):
            raise ValueError(
                f"floats must be from 0 to 1, got {low:g} to {high:g}. Convert the array, such as with array / 255 or "
                'array.clip(0, 255).astype("uint8").'
            )
        array = np.rint(array * 255).astype(np.uint8)
    elif array.dtype == bool:
        array = array.astype(np.uint8) * 255
    elif array.dtype != np.uint8:
        raise ValueError(
            f"must be an array of uint8, bool, or floats from 0 to 1, got {array.dtype}. Convert it, such as with "
            'array.clip(0, 255).astype("uint8").'
        )
    return _encoded(Image.fromarray(np.ascontiguousarray(array[:, :, 0] if shape[2:] == (1,) else array)))
