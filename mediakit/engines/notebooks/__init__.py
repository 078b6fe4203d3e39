"""Read Jupyter notebooks of nbformat 3 and 4, and write their cells as Markdown. Nothing of a notebook is run.

Files are read as they are, and not only as the format has them: a value of a wrong type is omitted, and the cells and
outputs of nbformat 3 get the shape of nbformat 4. Call it in a worker process only.

https://nbformat.readthedocs.io/en/latest/format_description.html
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

import pybase64

from mediakit.core.media import describe, detect
from mediakit.engines.notebooks.terminal import plain_text
from mediakit.errors import InvalidInput

if TYPE_CHECKING:
    from mediakit.engines.markdown.blocks import Block

OLDEST_FORMAT = 3
NEWEST_FORMAT = 4

MAX_CELLS = 50_000

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
HTML = "text/html"
MARKDOWN = "text/markdown"
LATEX = "text/latex"
TEXT = "text/plain"
SVG = "image/svg+xml"
JSON = "application/json"
JAVASCRIPT = ("application/javascript", "text/javascript", "application/ecmascript")
IMAGES: Mapping[str, str] = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/gif": "gif"}
"""Extensions of image files by media type."""

RICHEST_FIRST = (WIDGET_VIEW, SVG, *IMAGES, HTML, MARKDOWN, LATEX, TEXT, JSON)

_OLD_NAMES = {"text": TEXT, "html": HTML, "svg": SVG, "png": "image/png", "jpeg": "image/jpeg", "latex": LATEX}
_OLD_NAMES |= {"json": JSON, "javascript": JAVASCRIPT[0], "pdf": "application/pdf"}
"""Media types by their names in nbformat 3."""

MAX_TITLE_SOURCE = 20_000
"""Characters of a cell in which a heading is searched."""

MAX_TITLE_CELLS = 20
"""Cells with what looks like a heading that are parsed for one."""

_LABEL = re.compile(r"\\label\{[^{}]*\}")
_HEADING = re.compile(r"^ {0,3}(?:#{1,6}[ \t]|(?:=++|-++)[ \t]*+$)", re.MULTILINE)
"""What a heading has: a cell without it is not parsed for one."""

_NOTHING: Mapping[str, Any] = {}
_SURROGATES = re.compile("[\ud800-\udfff]")
_NOT_CHARACTERS = re.compile("[\0\ufffe\uffff]")
_MAY_BE_INVALID = re.compile(r"[\ufffe\uffff]|\\u(?:d[89a-f]|0000|fff[ef])", re.IGNORECASE)


@dataclass(frozen=True)
class Output:
    """One output of a code cell."""

    kind: Literal["stream", "data", "error"]
    name: str = ""
    """`stdout` or `stderr` of a stream; name of the error."""
    text: str = ""
    """Text of a stream; traceback of an error. It may contain escape sequences of a terminal."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """The forms of the same value by media type: text, or the value of a JSON type."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """Facts about the forms, such as the size of an image, by media type."""
    is_result: bool = False
    """Whether the output is the value of the cell's last expression."""
    count: int | None = None
    """Number of the execution that returned the value."""

    def forms(self) -> Iterator[tuple[str, Any]]:
        """Yield the forms of a value that can be shown without scripts, with their media types, richest first.

        Text of other media types, such as `text/x-rst`, comes last.
        """
        for media in RICHEST_FIRST:
            if self.data.get(media):
                yield media, self.data[media]
        for media, value in self.data.items():
            if media.startswith("text/") and media not in (*RICHEST_FIRST, *JAVASCRIPT) and isinstance(value, str):
                yield media, value


@dataclass(frozen=True)
class Cell:
    """One cell."""

    kind: Literal["code", "markdown", "raw"]
    source: str
    outputs: Sequence[Output] = ()
    count: int | None = None
    """Number of the execution; None for a cell that was not run."""
    tags: frozenset[str] = frozenset()
    """Tags in lower case, with underscores for hyphens."""
    attachments: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Images that Markdown refers to as `attachment:NAME`: by name, and by media type as base64."""
    media_type: str = ""
    """Media type of a raw cell."""


@dataclass(frozen=True)
class Notebook:
    """A notebook."""

    cells: Sequence[Cell]
    language: str = ""
    """Name of the kernel's language in lower case, such as `python`; empty if the notebook does not say."""
    extension: str = ""
    """Extension of the language's source files with the dot, as the kernel gives it; may be empty."""
    title: str = ""
    """Title in the metadata; may be empty."""
    authors: Sequence[str] = ()
    widgets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Saved state of widgets by the id of their model."""
    warnings: Sequence[str] = ()

    @property
    def first_heading(self) -> str:
        """The text of the first heading in a Markdown cell; empty if there is none."""
        from mediakit.engines.rich_text.markdown import parse_markdown

        sources = (cell.source[:MAX_TITLE_SOURCE] for cell in self.cells if cell.kind == "markdown")
        likely = islice((source for source in sources if _HEADING.search(source)), MAX_TITLE_CELLS)
        parsed = map(parse_markdown, likely)
        texts = (_LABEL.sub("", heading.text).strip() for document in parsed for heading in document.headings)
        return next(filter(None, texts), "")


def read_notebook(content: bytes) -> Notebook:
    """Read a notebook.

    Raises:
        InvalidInput: The file is not a notebook, one of nbformat 2 or older, or has more than 50,000 cells.
    """
    book = _parse(content)
    version = _version(book)
    sheets = [book] if isinstance(book.get("cells"), list) else mappings_in(book.get("worksheets"))
    cells = [cell for sheet in sheets for cell in mappings_in(sheet.get("cells"))]
    if len(cells) > MAX_CELLS:
        raise InvalidInput(f"file: has {len(cells):,} cells; the most is {MAX_CELLS:,}.")
    metadata = mapping_of(book.get("metadata"))
    info, kernel = mapping_of(metadata.get("language_info")), mapping_of(metadata.get("kernelspec"))
    languages = [info.get("name"), kernel.get("language"), metadata.get("language")]
    languages += [cell.get("language") for cell in cells]
    extension = word_of(info.get("file_extension"))
    authors = metadata.get("authors")
    names = [word_of(author.get("name") if isinstance(author, dict) else author) for author in _items(authors)]
    states = mapping_of(mapping_of(mapping_of(metadata.get("widgets")).get(WIDGET_STATE)).get("state"))
    newer = f"The notebook is nbformat {version}, which is newer than {NEWEST_FORMAT}; check the result."
    return Notebook(
        cells=[_read_cell(cell, version) for cell in cells],
        language=next(filter(None, map(word_of, languages)), "").lower(),
        extension=extension if re.fullmatch(r"\.\w{1,12}", extension) else "",
        title=word_of(metadata.get("title")) or (word_of(metadata.get("name")) if version < NEWEST_FORMAT else ""),
        authors=list(filter(None, names)),
        widgets={name: state for name, state in states.items() if isinstance(state, dict)},
        warnings=[newer] if version > NEWEST_FORMAT else [],
    )


def _parse(content: bytes) -> Mapping[str, Any]:
    try:
        text = content.decode(json.detect_encoding(content)).removeprefix("\ufeff")
        book = json.loads(text)
        book = _clean(book) if _MAY_BE_INVALID.search(text) else book
    except (ValueError, RecursionError):
        kind = describe(content)
        reason = "broken JSON" if kind == "a text file" and content.lstrip()[:1] == b"{" else kind
        raise InvalidInput(f"file: must be a Jupyter notebook (.ipynb), got {reason}.") from None
    if not isinstance(book, dict):
        raise InvalidInput("file: is not a notebook (no cells).")
    return book


def _clean(value: Any) -> Any:
    """Return a value whose texts have no characters that UTF-8 or XML cannot hold."""
    if isinstance(value, str):
        return _NOT_CHARACTERS.sub("", _SURROGATES.sub("\ufffd", value))
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {_clean(name): _clean(item) for name, item in value.items()}
    return value


def _version(book: Mapping[str, Any]) -> int:
    """Return the major version of the format."""
    version = book.get("nbformat", NEWEST_FORMAT if "cells" in book else OLDEST_FORMAT)
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise InvalidInput("file: is not a notebook (nbformat must be a whole number from 1).")
    if not isinstance(book.get("cells"), list) and not isinstance(book.get("worksheets"), list):
        raise InvalidInput("file: is not a notebook (no cells).")
    if version < OLDEST_FORMAT:
        raise InvalidInput(f"file: is nbformat {version}; open and save it in Jupyter first.")
    return version


def _read_cell(raw: Mapping[str, Any], version: int) -> Cell:
    kind, metadata = raw.get("cell_type"), mapping_of(raw.get("metadata"))
    tags = frozenset(tag_name(tag) for tag in map(word_of, _items(metadata.get("tags"))) if tag)
    names = ("source", "input") if version >= NEWEST_FORMAT or kind != "code" else ("input", "source")
    source = _source(raw.get(names[0], raw.get(names[1])))
    if kind == "code":
        count = _count(raw.get("execution_count", raw.get("prompt_number")))
        return Cell("code", source, read_outputs(mappings_in(raw.get("outputs"))), count, tags)
    if kind == "raw":
        media = word_of(metadata.get("raw_mimetype", metadata.get("format")))
        return Cell("raw", source, tags=tags, media_type=media.lower())
    if kind == "heading":
        level = min(6, max(1, _count(raw.get("level")) or 1))
        source = f"{'#' * level} {' '.join(source.split())}"
    attached = mapping_of(raw.get("attachments")).items()
    return Cell("markdown", source, tags=tags, attachments={name: mapping_of(forms) for name, forms in attached})


def tag_name(tag: str) -> str:
    """Return a tag as `Cell.tags` has it: `remove-cell` and `remove_cell` are the same tag."""
    return tag.strip().lower().replace("-", "_")


def read_outputs(outputs: Iterable[Mapping[str, Any]]) -> list[Output]:
    """Return the outputs of a cell. Parts of one stream that follow each other are joined."""
    read: list[Output] = []
    for output in filter(None, map(_read_output, outputs)):
        if output.kind == "stream" and read and (read[-1].kind, read[-1].name) == ("stream", output.name):
            read[-1] = Output("stream", output.name, read[-1].text + output.text)
        else:
            read.append(output)
    return read


def _read_output(raw: Mapping[str, Any]) -> Output | None:
    kind = raw.get("output_type")
    if kind == "stream":
        name = word_of(raw.get("name")) or word_of(raw.get("stream")) or "stdout"
        text = text_of(raw.get("text"))
        return Output("stream", name, text) if text else None
    if kind in ("error", "pyerr"):
        name, value = word_of(raw.get("ename")), text_of(raw.get("evalue"))
        traceback = "\n".join(line for line in _items(raw.get("traceback")) if isinstance(line, str))
        return Output("error", name, traceback or ": ".join(filter(None, (name, value))))
    named = mapping_of(raw.get("data"))
    if not named:
        named = {_OLD_NAMES[name]: value for name, value in raw.items() if name in _OLD_NAMES}
    data = {
        media: value if media == JSON or media.endswith("+json") else text_of(value)
        for media, value in named.items()
        if value is not None
    }
    if not data:
        return None
    count = _count(raw.get("execution_count", raw.get("prompt_number")))
    is_result = kind in ("execute_result", "pyout")
    return Output("data", data=data, metadata=mapping_of(raw.get("metadata")), is_result=is_result, count=count)


def text_of(value: Any) -> str:
    """Return a text; lines in a list are joined. Empty for other types."""
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _source(value: Any) -> str:
    """Return the source of a cell, whose lines in a list may have no line breaks at their ends, as in nbformat 2."""
    if isinstance(value, list) and not any(isinstance(part, str) and part.endswith("\n") for part in value):
        return "\n".join(part for part in value if isinstance(part, str))
    return text_of(value)


def word_of(value: Any) -> str:
    """Return a short text of one line; empty for anything else."""
    return " ".join(value.split())[:200] if isinstance(value, str) else ""


def mapping_of(value: Any) -> Mapping[str, Any]:
    """Return an object; an empty one for other types."""
    return value if isinstance(value, dict) else _NOTHING


def mappings_in(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a list."""
    return (item for item in _items(value) if isinstance(item, dict))


def _items(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _count(value: Any) -> int | None:
    """Return a number from 0; None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


@dataclass(frozen=True)
class NotebookImage:
    """An image of a known format."""

    media_type: str
    content: bytes

    @property
    def extension(self) -> str:
        """The usual file name extension, without the dot."""
        return IMAGES[self.media_type]

    @property
    def data_uri(self) -> str:
        """The image as a `data:` URI."""
        return f"data:{self.media_type};base64,{pybase64.b64encode(self.content).decode()}"


def read_image(value: Any) -> NotebookImage | None:
    """Return the image in base64 text; None for anything that is not an image by its first bytes."""
    if not isinstance(value, str):
        return None
    try:
        content = pybase64.b64decode("".join(value.split()), validate=True)
    except ValueError:
        return None
    media = detect(content) or ""
    return NotebookImage(media, content) if media in IMAGES else None


def read_attachment(forms: Mapping[str, Any]) -> NotebookImage | None:
    """Return the image of an attachment of a Markdown cell; None if it is not an image of a known format."""
    return next(filter(None, map(read_image, forms.values())), None)


def display_size(metadata: Mapping[str, Any], media: str) -> tuple[int | None, int | None]:
    """Return the width and height at which an image is displayed, in CSS pixels, each None if not set."""
    found = metadata.get(media)
    sizes = found if isinstance(found, dict) else metadata
    return _pixels(sizes.get("width")), _pixels(sizes.get("height"))


def _pixels(value: Any) -> int | None:
    if isinstance(value, str) and re.fullmatch(r"\d{1,5}(?:px)?", value):
        value = int(value.removesuffix("px"))
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if is_number and 0 < value < 20_000 else None


RAW_AS_IS = ("", MARKDOWN, HTML)
"""Media types of raw cells that are written as they are."""
FENCE_NAMES = {"": "python", "ipython": "python"}
_CELL_MAGIC = re.compile(r"%%(bash|sh|html|javascript|js|latex|markdown|perl|ruby|svg|sql|R)\b")


class CellWriter:
    """Writes cells as Markdown, or as text without markup: of each output, the richest form that needs no scripts."""

    def __init__(
        self,
        notebook: Notebook,
        add_image: Callable[[bytes, str, str], str],
        *,
        plain: bool = False,
        html_images: bool = False,
        omit: Callable[[Literal["broken_image", "not_shown"]], None] = lambda _kind: None,
    ) -> None:
        """Prepare.

        Args:
            notebook: The notebook.
            add_image: Takes the content of an image, its extension and alternative text, and returns its address;
                empty if it is omitted.
            plain: Write text without markup.
            html_images: Keep the images in HTML outputs.
            omit: Called for each image and output that is omitted.
        """
        self._notebook, self._add_image, self._plain, self._omit = notebook, add_image, plain, omit
        self._html_images = html_images
        self._images = 0

    def blocks(self, cell: Cell, *, has_input: bool = True) -> Iterator["Block"]:
        """Yield the blocks of a cell and its outputs."""
        source = cell.source.replace("\r\n", "\n").strip("\n")
        if cell.kind == "markdown":
            yield from self._markdown(self._with_attachments(source, cell))
        elif cell.kind == "raw" and cell.media_type in RAW_AS_IS and source:
            yield self._text(source)
        elif source and has_input:
            magic = _CELL_MAGIC.match(source)
            language = FENCE_NAMES.get(self._notebook.language, self._notebook.language)
            yield self._code(source, "" if cell.kind == "raw" else magic[1].lower() if magic else language)
        for output in cell.outputs:
            yield from self._output(output)

    def _text(self, text: str) -> "Block":
        from mediakit.engines.markdown.blocks import Block

        return Block("text", text.strip("\n").rstrip())

    def _markdown(self, source: str) -> Iterator["Block"]:
        if self._plain:
            from markdown_it import MarkdownIt

            yield from self._html(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(source))
        elif source.strip():
            yield self._text(source)

    def _with_attachments(self, source: str, cell: Cell) -> str:
        for name, forms in sorted(cell.attachments.items(), key=lambda item: -len(item[0])):
            image, alt = read_attachment(forms), re.search(rf"!\[([^\]\n]*)\]\(<?attachment:{re.escape(name)}", source)
            if image and (address := self._add_image(image.content, image.extension, alt[1] if alt else name)):
                self._images += 1
                for written in {name, name.replace(" ", "%20")}:
                    source = source.replace(f"attachment:{written}", address)
        return source

    def _code(self, text: str, language: str = "") -> "Block":
        from mediakit.engines.markdown.blocks import Block, fenced_code

        text = text.strip("\n")
        return Block("code", text if self._plain else fenced_code(text, language))

    def _output(self, output: Output) -> Iterator["Block"]:
        if output.kind != "data":
            if (text := plain_text(output.text)).strip():
                yield self._code(text)
            return
        for media, value in output.forms():
            if blocks := list(self._form(media, value)):
                yield from blocks
                return
        self._omit("not_shown")

    def _form(self, media: str, value: Any) -> Iterator["Block"]:
        """Yield the blocks of one form of an output; nothing if it cannot be written."""
        if media == JSON:
            with suppress(RecursionError):
                yield self._code(json.dumps(value, indent=2, ensure_ascii=False), "json")
        elif media == WIDGET_VIEW or not isinstance(value, str) or not value.strip():
            return
        elif media in IMAGES or media == SVG:
            yield from self._image(media, value)
        elif media == HTML:
            yield from self._html(value)
        elif media == MARKDOWN:
            yield from self._markdown(value)
        elif media == LATEX:
            formula = formula_of(value)
            is_text = self._plain or "$" in formula
            yield self._text(value.strip() if is_text else f"$$\n{formula}\n$$")
        else:
            yield self._code(plain_text(value))

    def _image(self, media: str, value: str) -> Iterator["Block"]:
        image = None if media == SVG else read_image(value)
        if media != SVG and image is None:
            self._omit("broken_image")
            return
        content, extension = (image.content, image.extension) if image else (value.encode(), "svg")
        alt = f"Output {self._images + 1}"
        if not self._plain and (address := self._add_image(content, extension, alt)):
            self._images += 1
            yield self._text(f"![{alt}]({address})")

    def _html(self, source: str) -> list["Block"]:
        from mediakit.engines.markdown.html.elements import MarkdownOptions
        from mediakit.engines.markdown.html.parser import body_of, parse_html
        from mediakit.engines.markdown.html.writer import write_blocks

        options = MarkdownOptions(plain=self._plain, include_images=self._html_images, keep_tables=True)
        return write_blocks(body_of(parse_html(source)), options)


_FORMULA_SIGNS = (("$$", "$$"), ("$", "$"), (r"\\[", r"\\]"), (r"\\(", r"\\)"), (r"\[", r"\]"), (r"\(", r"\)"))


def formula_of(text: str) -> str:
    """Return LaTeX without the dollar signs or brackets around it."""
    latex = text.strip()
    for start, end in _FORMULA_SIGNS:
        if latex.startswith(start) and latex.endswith(end) and len(latex) > len(start) + len(end):
            return latex[len(start) : -len(end)].strip()
    return latex
