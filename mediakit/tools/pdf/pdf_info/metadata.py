"""Title, author and the other properties of a document: read from Info or XMP, and written to both."""

import re
import warnings
from collections.abc import Iterable, Mapping

import pikepdf
from pikepdf import Dictionary, Name, String

from mediakit.engines.pdf.objects import iso_of, name_of, pdf_of, text_of
from mediakit.engines.pdf.opening import Source

PROPERTIES: Mapping[str, tuple[str, str]] = {
    "title": ("/Title", "dc:title"),
    "author": ("/Author", "dc:creator"),
    "subject": ("/Subject", "dc:description"),
    "keywords": ("/Keywords", "pdf:Keywords"),
    "creator": ("/Creator", "xmp:CreatorTool"),
    "producer": ("/Producer", "pdf:Producer"),
    "created": ("/CreationDate", "xmp:CreateDate"),
    "modified": ("/ModDate", "xmp:ModifyDate"),
}
"""Names of the properties in the Info dictionary and in XMP."""

DATES = ("created", "modified")

MAX_XMP_BYTES = 5_000_000


def read_properties(source: Source) -> dict[str, str | None]:
    """Return the properties; None for those that the document does not have."""
    info, xmp = info_of(source.pdf), read_xmp(source.pdf)
    found: dict[str, str | None] = {}
    for name, (key, path) in PROPERTIES.items():
        text: str | None = _text(info.get(key))
        found[name] = (iso_of(text) if text and name in DATES else text) or xmp.get(path)
    return {**found, "language": _text(source.root.get(Name.Lang)) or None}


def conformance(source: Source) -> list[str]:
    """Return the standards that the file claims to follow, such as `PDF/A-2B`."""
    xmp, info = read_xmp(source.pdf), info_of(source.pdf)
    found = []
    if part := xmp.get("pdfaid:part"):
        found.append(f"PDF/A-{part}{xmp.get('pdfaid:conformance', '').upper()}")
    if part := xmp.get("pdfuaid:part"):
        found.append(f"PDF/UA-{part}")
    exchange = xmp.get("pdfxid:GTS_PDFXVersion") or xmp.get("pdfx:GTS_PDFXVersion")
    if exchange := exchange or _text(info.get("/GTS_PDFXVersion")):
        found.append(re.sub(r":.*", "", exchange))
    if engineering := xmp.get("pdfe:ISO_PDFEVersion"):
        found.append(engineering)
    return found


def info_of(pdf: pikepdf.Pdf) -> pikepdf.Object:
    """Return the Info dictionary, or an empty one."""
    info = pdf.trailer.get(Name.Info)
    return info if isinstance(info, Dictionary) else Dictionary()


def read_xmp(pdf: pikepdf.Pdf) -> dict[str, str]:
    """Return the properties of XMP that this tool reads; none if it cannot be parsed."""
    stream = pdf.Root.get(Name.Metadata)
    if not isinstance(stream, pikepdf.Stream) or len(stream.read_raw_bytes()) > MAX_XMP_BYTES:
        return {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            metadata = pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False, strict=False)
            return {path: text for path in _PATHS if (text := _joined(metadata.get(path)))}
    except (ValueError, KeyError, TypeError, AttributeError, pikepdf.PdfError):
        return {}


_PATHS = (
    *(path for _, path in PROPERTIES.values()),
    "pdfaid:part", "pdfaid:conformance", "pdfuaid:part", "pdfxid:GTS_PDFXVersion", "pdfx:GTS_PDFXVersion",
    "pdfe:ISO_PDFEVersion",
)  # fmt: skip


def _joined(value: object) -> str:
    if isinstance(value, str):
        return value.strip()
    return ", ".join(map(str, value)) if isinstance(value, Iterable) else ""


def _text(value: object) -> str:
    if isinstance(value, Name):  # /Trapped and some broken writers
        return name_of(value)[1:]
    return text_of(value).strip("\0 \t\r\n")


def write_metadata(source: Source, values: Mapping[str, str | None]) -> None:
    """Write properties; None removes one. XMP gets those of the Info dictionary that it does not have."""
    info = source.pdf.docinfo
    for name, value in values.items():
        if name not in PROPERTIES:
            continue
        key = PROPERTIES[name][0]
        if value is not None:
            info[key] = String(pdf_of(value) if name in DATES else value)
        elif key in info:
            del info[key]
    if language := values.get("language"):
        source.root.Lang = String(language)
    elif "language" in values and Name.Lang in source.root:
        del source.root.Lang
    _write_xmp(source.pdf, values)


def _write_xmp(pdf: pikepdf.Pdf, values: Mapping[str, str | None]) -> None:
    wanted = {PROPERTIES[name][1]: value for name, value in values.items() if name in PROPERTIES}
    known, info = read_xmp(pdf), info_of(pdf)
    for name, (key, path) in PROPERTIES.items():
        if path not in wanted and path not in known and isinstance(info.get(key), String):
            text = text_of(info[key])
            wanted[path] = iso_of(text) if name in DATES else text
    if "language" in values:
        wanted["dc:language"] = values["language"]
    if "keywords" in values:
        wanted["dc:subject"] = None  # keywords as a list, which some programs write beside `pdf:Keywords`
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False, strict=False) as metadata:
            for path, value in wanted.items():
                if value:
                    metadata[path] = {"dc:creator": [value], "dc:language": {value}}.get(path, value)
                elif path in metadata:
                    del metadata[path]
