"""Images, archives, programs and other binary files whose signature is too short or too common to decide alone."""

import re
import struct

from mediakit.engines.archives.inflate import ZLIB, InflateError, inflate_start

_TARGA_TYPES = (1, 2, 3, 9, 10, 11)
_TARGA_DEPTHS = (8, 15, 16, 24, 32)
_MAKE, _MAKER_TAGS = 271, ((b"NIKON", "nef"), (b"SONY", "arw"))
_DNG_VERSION = 50706
_SUB_DIRECTORIES = 330
_ZLIB_HEADERS = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
_COFF_MACHINES = (0x014C, 0x8664, 0x01C4, 0xAA64)
_DBASE_VERSIONS = (0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x63, 0x83, 0x8B, 0x8E, 0xCB, 0xF5, 0xFB)
_STL_HEADER_BYTES, _STL_FACET_BYTES = 84, 50
_OID_SIGNED, _OID_ENVELOPED, _OID_DATA = (bytes.fromhex(f"2a864886f70d0107{last}") for last in ("02", "03", "01"))
_PDF_HEADER_BYTES = 1024
"""A PDF's header may follow up to this many bytes (ISO 32000-1, implementation note 13)."""

_PDF_HEADER = re.compile(rb"%PDF-\d\.\d")
_PDF_STRUCTURE = re.compile(rb"\d+\s+\d+\s+obj\b|startxref|%%EOF")


def icon(content: bytes) -> str | None:
    """Return `ico` or `cur` where the directory's first image stands inside the file."""
    if len(content) < 22:
        return None
    _, kind, count = struct.unpack_from("<HHH", content)
    size, offset = struct.unpack_from("<LL", content, 14)
    is_whole = 0 < count < 1000 and 6 + 16 * count <= offset < len(content) and size > 0 and content[9] == 0
    return {1: "ico", 2: "cur"}.get(kind) if is_whole else None


def tiff(content: bytes) -> str:
    """Return `tiff`, or the type of the raw photo that a TIFF is."""
    tags = tiff_tags(content)
    if _DNG_VERSION in tags:
        return "dng"
    maker = tags.get(_MAKE)
    if maker and _SUB_DIRECTORIES in tags:
        name = content[maker[1] : maker[1] + 16].upper()
        return next((kind for start, kind in _MAKER_TAGS if name.startswith(start)), "tiff")
    return "tiff"


def tiff_tags(content: bytes) -> dict[int, tuple[int, int]]:
    """Return the count and value of each tag of the first directory (TIFF 6.0, section 2)."""
    order = "<" if content[:2] == b"II" else ">"
    if content[2:4] not in (b"*\0", b"\0*") or len(content) < 8:
        return {}
    start = struct.unpack_from(f"{order}L", content, 4)[0]
    if start + 2 > len(content):
        return {}
    entries = min(struct.unpack_from(f"{order}H", content, start)[0], (len(content) - start - 2) // 12)
    found = {}
    for position in range(start + 2, start + 2 + 12 * entries, 12):
        tag, kind, count, value = struct.unpack_from(f"{order}HHLL", content, position)
        if kind == 3 and count == 1:
            value = struct.unpack_from(f"{order}H", content, position + 8)[0]
        found[tag] = (count, value)
    return found


def png(content: bytes) -> str:
    """Return `apng` where the chunk `acTL` stands before the first image data, else `png`."""
    position = 8
    while position + 8 <= len(content):
        size, chunk = int.from_bytes(content[position : position + 4]), content[position + 4 : position + 8]
        if chunk == b"acTL":
            return "apng"
        if chunk == b"IDAT":
            break
        position += 12 + size
    return "png"


def targa(content: bytes) -> str | None:
    """Return `tga` where all fields of the header are possible; the format has no signature at its start."""
    if content[-18:-2] == b"TRUEVISION-XFILE":
        return "tga"
    if len(content) < 20 or content[1] > 1 or content[2] not in _TARGA_TYPES or content[16] not in _TARGA_DEPTHS:
        return None
    width, height = struct.unpack_from("<HH", content, 12)
    has_map = content[1] == 1
    is_possible = content[7] in (15, 16, 24, 32) if has_map else not any(content[3:8])
    is_size = 0 < width <= 16384 and 0 < height <= 16384 and content[17] & 0xC0 == 0
    return "tga" if is_possible and is_size and has_map == (content[2] in (1, 9)) else None


def flic(content: bytes) -> str | None:
    """Return `fli` for an Autodesk animation whose header states its size."""
    is_animation = len(content) > 128 and content[4:6] in (b"\x11\xaf", b"\x12\xaf")
    return "fli" if is_animation and struct.unpack_from("<L", content)[0] <= len(content) + 128 else None


def zlib_stream(content: bytes) -> str | None:
    """Return `zlib` for a file that begins with a zlib header whose data unpacks."""
    try:
        return "zlib" if content.startswith(_ZLIB_HEADERS) and inflate_start(content[:4096], 4096, ZLIB) else None
    except InflateError:
        return None


def lzma(content: bytes) -> str | None:
    """Return `lzma` for the header of an LZMA file: properties, dictionary size and size of the data."""
    if len(content) < 14 or content[0] != 0x5D or content[13] != 0:
        return None
    dictionary, size = struct.unpack_from("<LQ", content, 1)
    is_usual = dictionary & (dictionary - 1) == 0 or (dictionary & (dictionary - 1)) & (dictionary - 1) == 0
    return "lzma" if is_usual and dictionary >= 4096 and (size == 2**64 - 1 or size < 2**40) else None


def dos_or_windows(content: bytes) -> str | None:
    """Return the type of a file that begins with `MZ`; None for a text that only begins like one."""
    if len(content) < 28:
        return None
    header = struct.unpack_from("<L", content, 60)[0] if len(content) >= 64 else 0
    if content.startswith(b"PE\0\0", header) and len(content) >= header + 24:
        return "dll" if struct.unpack_from("<H", content, header + 22)[0] & 0x2000 else "exe"
    if content.startswith((b"NE", b"LE", b"LX"), header):
        return "dos"
    return "dos" if any(byte < 9 for byte in content[:28]) else None


def object_file(content: bytes) -> str | None:
    """Return `coff` for the header of a COFF object whose symbol table ends inside the file."""
    if len(content) < 20:
        return None
    machine, sections, _, symbols, count, optional, _ = struct.unpack_from("<HHLLLHH", content)
    if machine not in _COFF_MACHINES or not 0 < sections < 1000 or optional:
        return None
    return "coff" if symbols >= 20 + 40 * sections and symbols + 18 * count + 4 <= len(content) else None


def dbase(content: bytes) -> str | None:
    """Return `dbf` where version, date and the sizes of header and records are possible."""
    if len(content) < 33 or content[0] not in _DBASE_VERSIONS or not (content[2] <= 12 and content[3] <= 31):
        return None
    header, record = struct.unpack_from("<HH", content, 8)
    is_possible = header >= 33 and header <= len(content) and record > 0 and not any(content[12:14])
    return "dbf" if is_possible and content[header - 1 : header] in (b"\r", b"\0") else None


def binary_stl(content: bytes) -> str | None:
    """Return `stl` where the number of facets explains the size of the file exactly."""
    facets, rest = divmod(len(content) - _STL_HEADER_BYTES, _STL_FACET_BYTES)
    return "stl" if facets > 0 and not rest and content[80:84] == facets.to_bytes(4, "little") else None


def der(content: bytes) -> str | None:
    """Return the type of an ASN.1 structure: a certificate, a signed message or a key store."""
    if len(content) < 20 or content[0] != 0x30 or content[1] not in (0x80, 0x81, 0x82, 0x83):
        return None
    head = content[:32]
    if _OID_SIGNED in head or _OID_ENVELOPED in head:
        return "pkcs7"
    if _OID_DATA in content[:48] and b"\x02\x01\x03" in head[:10]:
        return "pkcs12"
    length = content[1] & 0x7F
    stated = 2 + length + int.from_bytes(content[2 : 2 + length])
    is_whole = length > 0 and stated in (len(content), len(content) - 1)
    return "der" if is_whole and content[2 + length] == 0x30 else None


def model_3ds(content: bytes) -> str | None:
    """Return `3ds` where the main chunk of a file that begins with `MM` spans the file."""
    return "3ds" if len(content) >= 16 and struct.unpack_from("<L", content, 2)[0] == len(content) else None


def is_pdf(content: bytes) -> bool:
    """Return whether a PDF begins in the first bytes of a file: a header, followed by objects."""
    found = _PDF_HEADER.search(content[: _PDF_HEADER_BYTES + 8])
    return bool(found and _PDF_STRUCTURE.search(content, found.end()))
