"""The type of a ZIP file by its directory: Office documents, books, packages. Damaged files have types as well."""

import re
from collections.abc import Mapping

from mediakit.engines.archives.inflate import InflateError, inflate_start
from mediakit.engines.archives.zip_directory import RawEntry, content_start, found_entries

_MAX_ENTRIES = 10_000
_MAX_CONTENT_TYPES_BYTES = 200_000
_CONTENT_TYPES = "[Content_Types].xml"
_STORED, _DEFLATED = 0, 8

_MIMETYPES = {
    "application/epub+zip": "epub",
    "application/hwp+zip": "hwpx",
    "application/vnd.oasis.opendocument.base": "odb",
    "application/vnd.oasis.opendocument.database": "odb",
    **{
        f"application/vnd.sun.xml.{application}{template}": name
        for application, name in (("writer", "sxw"), ("calc", "sxc"), ("impress", "sxi"), ("draw", "sxd"))
        for template in ("", ".template")
    },
}
_OPEN_DOCUMENT = {
    "text": "odt", "text-template": "ott", "text-master": "odm", "text-web": "oth", "spreadsheet": "ods",
    "spreadsheet-template": "ots", "presentation": "odp", "presentation-template": "otp", "graphics": "odg",
    "graphics-template": "otg", "chart": "odc", "formula": "odf", "image": "odi",
}  # fmt: skip

_MAIN_PARTS = (
    ("wordprocessingml.document.main", "docx"),
    ("wordprocessingml.template.main", "dotx"),
    ("ms-word.document.macroenabled.main", "docm"),
    ("ms-word.template.macroenabledtemplate.main", "dotm"),
    ("spreadsheetml.sheet.main", "xlsx"),
    ("spreadsheetml.template.main", "xltx"),
    ("ms-excel.sheet.macroenabled.main", "xlsm"),
    ("ms-excel.template.macroenabled.main", "xltm"),
    ("ms-excel.addin.macroenabled.main", "xlam"),
    ("ms-excel.sheet.binary.macroenabled.main", "xlsb"),
    ("presentationml.presentation.main", "pptx"),
    ("presentationml.template.main", "potx"),
    ("presentationml.slideshow.main", "ppsx"),
    ("ms-powerpoint.presentation.macroenabled.main", "pptm"),
    ("ms-powerpoint.template.macroenabled.main", "potm"),
    ("ms-powerpoint.slideshow.macroenabled.main", "ppsm"),
    ("ms-powerpoint.addin.macroenabled.main", "ppam"),
    ("ms-visio.drawing.main", "vsdx"),
    ("ms-visio.drawing.macroenabled.main", "vsdm"),
    ("ms-visio.template.main", "vstx"),
    ("ms-visio.stencil.main", "vssx"),
    ("3dmanufacturing-3dmodel", "3mf"),
    ("3dmanufacturing.3dmodel", "3mf"),
    ("package.xps-fixeddocumentsequence", "xps"),
)
"""What the media types of the main parts contain (ECMA-376, part 1, 15.2)."""

_FOLDERS = (("word/", "docx"), ("xl/", "xlsx"), ("ppt/", "pptx"), ("visio/", "vsdx"), ("3D/", "3mf"))
_MANIFEST_TYPE = re.compile(rb'full-path="/"[^>]*media-type="([^"]+)"|media-type="([^"]+)"[^>]*full-path="/"')
_APP_STORE = re.compile(r"Payload/[^/]+\.app/")


def zip_type(content: bytes) -> str:
    """Return the name of an archive's type, `zip` for a plain one."""
    entries = found_entries(content)[:_MAX_ENTRIES]
    by_name = {entry.name.decode("utf-8", "replace").replace("\\", "/").removeprefix("./"): entry for entry in entries}
    return _by_mimetype(content, by_name) or _office(content, by_name) or _by_names(by_name) or "zip"


def _by_mimetype(content: bytes, entries: Mapping[str, RawEntry]) -> str | None:
    """Return the type that an entry `mimetype` or an OpenDocument manifest states."""
    media = _stated_type(content, entries)
    if media in _MIMETYPES:
        return _MIMETYPES[media]
    prefix, _, name = media.rpartition(".")
    return _OPEN_DOCUMENT.get(name) if prefix == "application/vnd.oasis.opendocument" else None


def _stated_type(content: bytes, entries: Mapping[str, RawEntry]) -> str:
    if entry := entries.get("mimetype"):
        return _read_start(content, entry, 200).decode("latin-1").strip("\ufeff\0 \t\r\n")
    if "META-INF/container.xml" in entries and any(name.endswith(".opf") for name in entries):
        return "application/epub+zip"
    manifest = entries.get("META-INF/manifest.xml")
    found = _MANIFEST_TYPE.search(_read_start(content, manifest, 100_000)) if manifest else None
    return (found[1] or found[2]).decode("latin-1") if found else ""


def _office(content: bytes, entries: Mapping[str, RawEntry]) -> str | None:
    """Return the type of an Office document by the media type of its main part, or by its folders."""
    entry = entries.get(_CONTENT_TYPES)
    if entry is None:
        return None
    types = _read_start(content, entry, _MAX_CONTENT_TYPES_BYTES).decode("utf-8", "replace").lower()
    if "extension.vsixmanifest" in entries:
        return "vsix"
    if any(name.endswith(".nuspec") and "/" not in name for name in entries):
        return "nupkg"
    found = next((name for part, name in _MAIN_PARTS if part in types), None)
    return found or next((name for folder, name in _FOLDERS if any(part.startswith(folder) for part in entries)), None)


def _by_names(entries: Mapping[str, RawEntry]) -> str | None:
    """Return the type of a package by the names of its entries."""
    rules = (
        ("apk", "AndroidManifest.xml" in entries),
        ("ipa", any(_APP_STORE.match(name) for name in entries)),
        ("xpi", "install.rdf" in entries or "META-INF/mozilla.rsa" in entries),
        ("jar", "META-INF/MANIFEST.MF" in entries),
        ("xps", "FixedDocSeq.fdseq" in entries or "FixedDocumentSequence.fdseq" in entries),
        ("keynote", "index.apxl" in entries or "index.apxl.gz" in entries),
        ("keynote", any(name.startswith("Index/Slide") for name in entries)),
        (
            "numbers",
            any(name.startswith("Index/Tables/") for name in entries) and "Index/CalculationEngine.iwa" in entries,
        ),
        ("pages", "Index/Document.iwa" in entries and "Index/CalculationEngine.iwa" not in entries),
        ("iwork", "Index/Document.iwa" in entries or "Index.zip" in entries),
        ("npz", bool(entries) and all(name.endswith(".npy") for name in entries)),
        ("whl", any(name.endswith(".dist-info/WHEEL") for name in entries)),
        ("usdz", next(iter(entries), "").endswith((".usdc", ".usda", ".usd"))),
    )
    return next((name for name, is_true in rules if is_true), None)


def _read_start(content: bytes, entry: RawEntry, limit: int) -> bytes:
    """Return the first bytes of an entry; empty where it is damaged, encrypted or packed by another method."""
    start = content_start(content, entry)
    if start is None or entry.is_encrypted or entry.method not in (_STORED, _DEFLATED):
        return b""
    packed = content[start : start + entry.compressed_bytes]
    try:
        return packed[:limit] if entry.method == _STORED else inflate_start(packed, limit)
    except InflateError:
        return b""
