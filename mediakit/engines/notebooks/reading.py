"""Reads a notebook's JSON as a `Notebook`, tolerant of values of wrong types. Run it in a worker process."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from mediakit.core.media import describe
from mediakit.engines.notebooks.model import Cell, Notebook
from mediakit.engines.notebooks.outputs import read_outputs
from mediakit.engines.notebooks.values import NOTHING, count_of, lines_of, mapping_of, mappings_in, word_of
from mediakit.errors import InvalidInput

OLDEST_FORMAT = 3
NEWEST_FORMAT = 4

MAX_CELLS = 50_000

WIDGET_STATE = "application/vnd.jupyter.widget-state+json"

_SURROGATES = re.compile("[\ud800-\udfff]")
_NOT_CHARACTERS = re.compile("[\0\ufffe\uffff]")
_MAY_BE_INVALID = re.compile(r"[\ufffe\uffff]|\\u(?:d[89a-f]|0000|fff[ef])", re.IGNORECASE)


def read_notebook(content: bytes) -> Notebook:
    """Read a notebook of nbformat 3 or 4.

    Raises:
        InvalidInput: The file is not a notebook, or one of nbformat 2 or older.
    """
    book = _parse(content)
    warnings: list[str] = []
    version = _version(book, warnings)
    raw_cells = list(_raw_cells(book))
    if len(raw_cells) > MAX_CELLS:
        raise InvalidInput(f"file: has {len(raw_cells):,} cells; the most is {MAX_CELLS:,}.")
    metadata = mapping_of(book.get("metadata"))
    language, extension = _language(metadata, raw_cells)
    return Notebook(
        cells=[_read_cell(raw, version) for raw in raw_cells],
        language=language,
        extension=extension,
        title=word_of(metadata.get("title")) or (word_of(metadata.get("name")) if version < NEWEST_FORMAT else ""),
        authors=_authors(metadata),
        widgets=_widgets(metadata),
        warnings=warnings,
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


def _version(book: Mapping[str, Any], warnings: list[str]) -> int:
    """Return the major version of the format.

    Raises:
        InvalidInput: It is too old, or the value is not a notebook.
    """
    version = book.get("nbformat", NEWEST_FORMAT if "cells" in book else OLDEST_FORMAT)
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise InvalidInput("file: is not a notebook (nbformat must be a whole number from 1).")
    if not isinstance(book.get("cells"), list) and not isinstance(book.get("worksheets"), list):
        raise InvalidInput("file: is not a notebook (no cells).")
    if version < OLDEST_FORMAT:
        raise InvalidInput(f"file: is nbformat {version}; open and save it in Jupyter first.")
    if version > NEWEST_FORMAT:
        warnings.append(f"The notebook is nbformat {version}, which is newer than {NEWEST_FORMAT}; check the result.")
    return version


def _raw_cells(book: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the cells of the notebook, or of its worksheets (nbformat 3)."""
    if isinstance(book.get("cells"), list):
        yield from mappings_in(book["cells"])
        return
    for sheet in mappings_in(book.get("worksheets")):
        yield from mappings_in(sheet.get("cells"))


def _read_cell(raw: Mapping[str, Any], version: int) -> Cell:
    kind, metadata = raw.get("cell_type"), mapping_of(raw.get("metadata"))
    tags = _tags(metadata)
    source = lines_of(raw.get("source", raw.get("input")))
    if kind == "code":
        source = lines_of(raw.get("input", raw.get("source"))) if version < NEWEST_FORMAT else source
        count = count_of(raw.get("execution_count", raw.get("prompt_number")))
        return Cell("code", source, read_outputs(mappings_in(raw.get("outputs"))), count, tags)
    if kind == "raw":
        media = word_of(metadata.get("raw_mimetype", metadata.get("format")))
        return Cell("raw", source, tags=tags, media_type=media.lower())
    if kind == "heading":
        level = min(6, max(1, count_of(raw.get("level")) or 1))
        source = f"{'#' * level} {' '.join(source.split())}"
    attachments = {
        name: mapping_of(forms) for name, forms in mapping_of(raw.get("attachments")).items() if isinstance(forms, dict)
    }
    return Cell("markdown", source, tags=tags, attachments=attachments)


def _tags(metadata: Mapping[str, Any]) -> frozenset[str]:
    tags = metadata.get("tags")
    return frozenset(map(tag_name, filter(None, map(word_of, tags)))) if isinstance(tags, list) else frozenset()


def tag_name(tag: str) -> str:
    """Return a tag as `Cell.tags` has it: `remove-cell` and `remove_cell` are the same tag."""
    return tag.strip().lower().replace("-", "_")


def _language(metadata: Mapping[str, Any], cells: list[Mapping[str, Any]]) -> tuple[str, str]:
    """Return the name of the language and the extension of its files."""
    info, kernel = mapping_of(metadata.get("language_info")), mapping_of(metadata.get("kernelspec"))
    named = (word_of(info.get("name")), word_of(kernel.get("language")), word_of(metadata.get("language")))
    language = next(filter(None, named), "")
    if not language:
        language = next(filter(None, (word_of(cell.get("language")) for cell in cells)), "")
    extension = word_of(info.get("file_extension"))
    return language.lower(), extension if re.fullmatch(r"\.\w{1,12}", extension) else ""


def _authors(metadata: Mapping[str, Any]) -> list[str]:
    authors = metadata.get("authors")
    items = authors if isinstance(authors, list) else []
    named = (word_of(item.get("name")) if isinstance(item, dict) else word_of(item) for item in items)
    return list(filter(None, named))


def _widgets(metadata: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    """Return the saved state of the widgets by the id of their model."""
    saved = mapping_of(mapping_of(metadata.get("widgets")).get(WIDGET_STATE, NOTHING))
    states = mapping_of(saved.get("state"))
    return {name: state for name, state in states.items() if isinstance(state, dict)}
