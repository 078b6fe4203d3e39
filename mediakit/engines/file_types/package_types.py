"""Files that hold files: OLE compound files ([MS-CFB]) by their streams, ZIP files by their entries."""

import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mediakit.engines.archives.inflate import InflateError, inflate_start
from mediakit.engines.archives.zip_directory import RawEntry, content_start, found_entries
from mediakit.engines.file_types import FILE_TYPES

_ENTRY_BYTES = 128
_END_OF_CHAIN = 0xFFFFFFFA

_CLASSES = {
    "00020906": "doc", "00020900": "doc", "00020907": "doc", "00020810": "xls", "00020820": "xls", "64818d10": "ppt",
    "00021a14": "vsd", "00021a13": "vsd", "00021201": "pub", "000c1084": "msi", "000c1086": "msi", "000c1082": "msi",
    "74b78f3a": "mpp", "00020d0b": "msg", "00028302": "works",
}  # fmt: skip
"""First part of the class identifier of the root, by type."""

_STREAMS = (
    ("EncryptedPackage", "office-encrypted"),
    ("WordDocument", "doc"),
    ("Workbook", "xls"),
    ("Book", "xls"),
    ("PowerPoint Document", "ppt"),
    ("PP40", "ppt"),
    ("VisioDocument", "vsd"),
    ("__properties_version1.0", "msg"),
    ("__nameid_version1.0", "msg"),
    ("Quill", "pub"),
    ("FileHeader", "hwp"),
    ("MatOST", "works"),
    ("Catalog", "thumbs-db"),
)


@dataclass(frozen=True)
class OleEntry:
    """A storage or stream."""

    name: str
    class_id: str
    """First part of the class identifier, in hexadecimal digits."""
    sector: int
    size: int


def ole_type(content: bytes) -> str:
    """Return the name of a compound file's type, `ole` for an unknown one."""
    entries = read_entries(content)
    names = {entry.name for entry in entries}
    found = next((kind for stream, kind in _STREAMS if stream in names), None)
    if found == "hwp" and "BodyText" not in names:
        found = None
    if found is None and entries:
        found = _CLASSES.get(entries[0].class_id)
    if found is None and any("\u4840" in name for name in names):  # the encoded table names of [MS-MSI] installers
        found = "msi"
    return found or "ole"


def read_entries(content: bytes) -> list[OleEntry]:
    """Return the entries of the directory; empty where it cannot be found."""
    if not (size := _sector_bytes(content)):
        return []
    sectors = _chain(content, struct.unpack_from("<L", content, 48)[0], size)
    starts = ((sector + 1) * size for sector in sectors)
    entries = []
    for offset in (offset for start in starts for offset in range(start, start + size, _ENTRY_BYTES)):
        length, kind = (
            struct.unpack_from("<HB", content, offset + 64) if offset + _ENTRY_BYTES <= len(content) else (0, 0)
        )
        if kind in (1, 2, 5) and 2 <= length <= 64:
            name = content[offset : offset + length - 2].decode("utf-16-le", "replace")
            sector, stream_size = struct.unpack_from("<LL", content, offset + 116)
            entries.append(OleEntry(name, content[offset + 80 : offset + 84][::-1].hex(), sector, stream_size))
    return entries


def stream_start(content: bytes, name: str) -> bytes:
    """Return the first sector of a stream; empty for streams of less than 4096 bytes, which are stored elsewhere."""
    size = _sector_bytes(content)
    entry = next((entry for entry in read_entries(content) if entry.name == name), None)
    if entry is None or entry.size < 4096:
        return b""
    return content[(entry.sector + 1) * size : (entry.sector + 2) * size]


def _sector_bytes(content: bytes) -> int:
    shift = struct.unpack_from("<H", content, 30)[0] if len(content) >= 512 else 0
    return 1 << shift if shift in (9, 12) else 0


def _chain(content: bytes, sector: int, size: int) -> Iterator[int]:
    """Yield the sectors of a chain, as the file allocation table links them."""
    tables = [one for one in struct.unpack_from("<109L", content, 76) if one < _END_OF_CHAIN]
    per_table = size // 4
    seen: set[int] = set()
    while sector < _END_OF_CHAIN and sector not in seen and len(seen) < 4096:
        seen.add(sector)
        yield sector
        table = sector // per_table
        if table >= len(tables):
            return
        position = (tables[table] + 1) * size + 4 * (sector % per_table)
        if position + 4 > len(content):
            return
        sector = struct.unpack_from("<L", content, position)[0]


_STORED, _DEFLATED = 0, 8

_STATED = (
    "application/vnd.oasis.opendocument.",
    "application/vnd.sun.xml.",
    "application/epub+zip",
    "application/hwp+zip",
)
"""How the media types begin that packages state."""

_NAMES = {one.mime_type.lower(): name for name, one in FILE_TYPES.items()}
_NAMES["application/vnd.oasis.opendocument.database"] = "odb"
_NAMES["application/vnd.ms-word.template.macroenabledtemplate"] = "dotm"
_MAIN_PART = re.compile(r"(?<![a-z0-9./+-])([a-z0-9./+-]+)\.main\b")
"""The media type of a main part (ECMA-376, part 1, 15.2): that of its document with another ending. A match begins at
the start of a word only: one at each letter of a long word takes time that grows with its square."""

_OTHER_PARTS = (
    ("3dmanufacturing-3dmodel", "3mf"),
    ("3dmanufacturing.3dmodel", "3mf"),
    ("package.xps-fixeddocumentsequence", "xps"),
)
_FOLDERS = (("word/", "docx"), ("xl/", "xlsx"), ("ppt/", "pptx"), ("visio/", "vsdx"), ("3D/", "3mf"))
_MANIFEST_TYPE = re.compile(rb'full-path="/"[^>]*media-type="([^"]+)"|media-type="([^"]+)"[^>]*full-path="/"')
_APP_STORE = re.compile(r"Payload/[^/]+\.app/")


def zip_type(content: bytes) -> str:
    """Return the name of an archive's type, `zip` for a plain one."""
    entries = found_entries(content)[:10_000]
    by_name = {entry.name.decode("utf-8", "replace").replace("\\", "/").removeprefix("./"): entry for entry in entries}
    media = _stated_type(content, by_name).removesuffix(".template")
    stated = _NAMES.get(media) if media.startswith(_STATED) else None
    return stated or _office(content, by_name) or _by_names(by_name) or "zip"


def _stated_type(content: bytes, entries: Mapping[str, RawEntry]) -> str:
    """Return the media type that an entry `mimetype` or an OpenDocument manifest states; empty without one."""
    if entry := entries.get("mimetype"):
        return _read_start(content, entry, 200).decode("latin-1").strip("\ufeff\0 \t\r\n")
    if "META-INF/container.xml" in entries and any(name.endswith(".opf") for name in entries):
        return "application/epub+zip"
    manifest = entries.get("META-INF/manifest.xml")
    found = _MANIFEST_TYPE.search(_read_start(content, manifest, 100_000)) if manifest else None
    return (found[1] or found[2]).decode("latin-1") if found else ""


def _office(content: bytes, entries: Mapping[str, RawEntry]) -> str | None:
    """Return the type of an Office document by the media type of its main part, or by its folders."""
    if (entry := entries.get("[Content_Types].xml")) is None:
        return None
    types = _read_start(content, entry, 200_000).decode("utf-8", "replace").lower()
    if "extension.vsixmanifest" in entries:
        return "vsix"
    if any(name.endswith(".nuspec") and "/" not in name for name in entries):
        return "nupkg"
    main_parts = (f"{part}{ending}" for part in _MAIN_PART.findall(types) for ending in ("", ".12", ".main+xml"))
    found = next((_NAMES[part] for part in main_parts if part in _NAMES), None)
    found = found or next((name for part, name in _OTHER_PARTS if part in types), None)
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
