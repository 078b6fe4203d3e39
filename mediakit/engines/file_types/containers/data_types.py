"""Binary data whose signature is too short to decide alone."""

import re
import struct

_DBASE_VERSIONS = (0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x63, 0x83, 0x8B, 0x8E, 0xCB, 0xF5, 0xFB)
_STL_HEADER_BYTES, _STL_FACET_BYTES = 84, 50
_OID_SIGNED, _OID_ENVELOPED, _OID_DATA = (bytes.fromhex(f"2a864886f70d0107{last}") for last in ("02", "03", "01"))
_TORRENT = re.compile(rb"d\d+:(?:announce|created by|creation date|comment|encoding|info|nodes|url-list|httpseeds)")
_FONT_TABLES = re.compile(rb"[A-Za-z0-9/ ]{4}")


def dbase(content: bytes) -> str | None:
    """Return `dbf` where version, date and the sizes of header and records are possible."""
    if len(content) < 33 or content[0] not in _DBASE_VERSIONS or not (content[2] <= 12 and content[3] <= 31):
        return None
    header, record = struct.unpack_from("<HH", content, 8)
    is_possible = header >= 33 and header <= len(content) and record > 0 and not any(content[12:14])
    return "dbf" if is_possible and content[header - 1 : header] in (b"\r", b"\0") else None


def binary_stl(content: bytes) -> str | None:
    """Return `stl` where the number of facets explains the size of the file exactly."""
    if len(content) <= _STL_HEADER_BYTES:
        return None
    (facets,) = struct.unpack_from("<L", content, 80)
    return "stl" if len(content) == _STL_HEADER_BYTES + _STL_FACET_BYTES * facets else None


def embedded_opentype(content: bytes) -> str | None:
    """Return `eot` where the header has its magic number and the file's size."""
    if len(content) < 82 or content[34:36] != b"LP":
        return None
    size, _, version = struct.unpack_from("<3L", content)
    return "eot" if version in (0x00010000, 0x00020001, 0x00020002) and size <= len(content) else None


def truetype_or_none(content: bytes) -> str | None:
    """Return `ttf` where the bytes `00 01 00 00` are followed by a directory of font tables."""
    if len(content) < 28:
        return None
    (tables,) = struct.unpack_from(">H", content, 4)
    return "ttf" if 0 < tables < 100 and _FONT_TABLES.match(content, 12) else None


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


def pickled(content: bytes) -> str | None:
    """Return `pickle` for protocols 2 to 5 that end with the opcode to stop."""
    is_pickle = content[0] == 0x80 and 2 <= content[1] <= 5 if len(content) > 3 else False
    return "pickle" if is_pickle and content.endswith(b".") else None


def compiled_python(content: bytes) -> str | None:
    """Return `pyc` where the magic number ends with the line break that all versions have."""
    is_compiled = len(content) > 16 and content[2:4] == b"\r\n" and content[1] in (0x0D, 0x0C, 0xF2, 0xF3, 0x0E)
    return "pyc" if is_compiled and any(byte < 9 for byte in content[4:16]) else None


def torrent(content: bytes) -> str | None:
    """Return `torrent` for a bencoded dictionary with a key that torrents have."""
    return "torrent" if _TORRENT.match(content) else None


def grib(content: bytes) -> str | None:
    """Return `grib` where the edition follows the signature."""
    return "grib" if content[:4] == b"GRIB" and content[7:8] in (b"\1", b"\2") else None


def pgp(content: bytes) -> str | None:
    """Return `pgp-binary` for packets that begin an encrypted message (RFC 9580, 4.3 and 5.1)."""
    if len(content) < 16:
        return None
    is_old = content[0] in (0x84, 0x85) and content[1:4] in (
        b"\x01\x0c\x03",
        b"\x02\x0c\x03",
        b"\x04\x0c\x03",
        b"\x01\x8c\x03",
    )
    is_new = content[0] == 0xC1 and content[2:4] in (b"\x4c\x03", b"\xcc\x03")
    return "pgp-binary" if is_old or is_new else None


def packet_capture(content: bytes) -> str | None:
    """Return `pcapng` for a section header with its byte order mark."""
    is_section = content[:4] == b"\n\r\r\n" and content[8:12] in (b"\x1a\x2b\x3c\x4d", b"\x4d\x3c\x2b\x1a")
    return "pcapng" if is_section else None


def model_3ds(content: bytes) -> str | None:
    """Return `3ds` where the main chunk spans the file."""
    if content[:2] != b"MM" or len(content) < 16:
        return None
    (size,) = struct.unpack_from("<L", content, 2)
    return "3ds" if size == len(content) else None


def palm(content: bytes) -> str | None:
    """Return `pdb` for a Palm database of one of the known types."""
    kinds = (
        b".pdfADBE",
        b"BVokBDIC",
        b"DataPlkr",
        b"PNRdPPrs",
        b"PNPdPPrs",
        b"SDocSilX",
        b"ToGoToGo",
        b"zTXTGPlm",
        b"TlDcTlPt",
    )
    return "pdb" if content[60:68] in kinds else None
