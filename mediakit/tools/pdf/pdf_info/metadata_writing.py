"""Writes title, author and the other properties, to the Info dictionary and to XMP."""

import warnings
from collections.abc import Mapping
from typing import Any

import pikepdf
from pikepdf import Name, String

from mediakit.engines.pdf.dates import iso_of, pdf_of
from mediakit.engines.pdf.objects import text_of
from mediakit.engines.pdf.source import Source
from mediakit.tools.pdf.pdf_info.document_facts import DATES, PROPERTIES, info_of, read_xmp

LANGUAGE = "dc:language"

TAGS = "dc:subject"
"""Keywords as a list, which some programs write beside `pdf:Keywords`."""


def write_metadata(source: Source, values: Mapping[str, str | None]) -> None:
    """Write properties; None removes one. XMP gets those of the Info dictionary that it does not have."""
    _write_info(source.pdf, values)
    _write_language(source, values)
    _write_xmp(source.pdf, values)


def _write_info(pdf: pikepdf.Pdf, values: Mapping[str, str | None]) -> None:
    info = pdf.docinfo
    for name, value in values.items():
        if name not in PROPERTIES:
            continue
        key = PROPERTIES[name][0]
        if value is not None:
            info[key] = String(pdf_of(value) if name in DATES else value)
        elif key in info:
            del info[key]


def _write_language(source: Source, values: Mapping[str, str | None]) -> None:
    if "language" not in values:
        return
    if values["language"]:
        source.root.Lang = String(values["language"])
    elif Name.Lang in source.root:
        del source.root.Lang


def _write_xmp(pdf: pikepdf.Pdf, values: Mapping[str, str | None]) -> None:
    wanted = {PROPERTIES[name][1]: value for name, value in values.items() if name in PROPERTIES}
    known, info = read_xmp(pdf), info_of(pdf)
    for name, (key, path) in PROPERTIES.items():
        if path not in wanted and path not in known and isinstance(info.get(key), String):
            text = text_of(info[key])
            wanted[path] = iso_of(text) if name in DATES else text
    if "language" in values:
        wanted[LANGUAGE] = values["language"]
    if "keywords" in values:
        wanted[TAGS] = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False, strict=False) as metadata:
            for path, value in wanted.items():
                _set(metadata, path, value)


def _set(metadata: Any, path: str, value: str | None) -> None:
    if value:
        metadata[path] = {"dc:creator": [value], LANGUAGE: {value}}.get(path, value)
    elif path in metadata:
        del metadata[path]
