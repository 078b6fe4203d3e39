"""Images, archives, programs and other binary files whose signature is too short or too common to decide alone."""

import re
import struct

from mediakit.engines.archives.inflate import ZLIB, InflateError, inflate_start

_BITMAP_HEADERS = (12, 16, 40, 52, 56, 64, 108, 124)
_NETPBM = re.compile(rb"P([1-6fF])(?:\s+#[^\n]*)*\s+\d+(?:\s+#[^\n]*)*\s+\d+\s")
_NETPBM_TYPES = {b"1": "pbm", b"4": "pbm", b"2": "pgm", b"5": "pgm", b"3": "ppm", b"6": "ppm", b"f": "pfm", b"F": "pfm"}
_TARGA_TYPES = (1, 2, 3, 9, 10, 11)
_TARGA_DEPTHS = (8, 15, 16, 24, 32)
_MAKE, _MAKER_TAGS = 271, ((b"NIKON", "nef"), (b"SONY", "arw"))
_DNG_VERSION = 50706
_RAW_MARKS = (330, 34665)
_ZLIB_HEADERS = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
_BZIP2_BLOCKS = (bytes.fromhex("314159265359"), bytes.fromhex("177245385090"))
_LHA = re.compile(rb"..-l(?:h[0-9dx]|z[s45]|hd|pm)", re.DOTALL)
_DLL = 0x2000
_MAX_ARCHITECTURES = 43
"""Java class files have a version of at least 45 where universal Mach-O files count their architectures."""

_COFF_MACHINES = (0x014C, 0x8664, 0x01C4, 0xAA64)
_DBASE_VERSIONS = (0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x63, 0x83, 0x8B, 0x8E, 0xCB, 0xF5, 0xFB)
_STL_HEADER_BYTES, _STL_FACET_BYTES = 84, 50
_OID_SIGNED, _OID_ENVELOPED, _OID_DATA = (bytes.fromhex(f"2a864886f70d0107{last}") for last in ("02", "03", "01"))
_TORRENT = re.compile(rb"d\d+:(?:announce|created by|creation date|comment|encoding|info|nodes|url-list|httpseeds)")
_FONT_TABLES = re.compile(rb"[A-Za-z0-9/ ]{4}")
_PGP_OLD = (b"\x01\x0c\x03", b"\x02\x0c\x03", b"\x04\x0c\x03", b"\x01\x8c\x03")
_PALM_TYPES = (
    b".pdfADBE", b"BVokBDIC", b"DataPlkr", b"PNRdPPrs", b"PNPdPPrs", b"SDocSilX", b"ToGoToGo", b"zTXTGPlm", b"TlDcTlPt",
)  # fmt: skip
_PDF_HEADER_BYTES = 1024
"""A PDF's header may follow up to this many bytes (ISO 32000-1, implementation note 13)."""

_PDF_HEADER = re.compile(rb"%PDF-\d\.\d")
_PDF_STRUCTURE = re.compile(rb"\d+\s+\d+\s+obj\b|startxref|%%EOF")


def bitmap(content: bytes) -> str | None:
    """Return `bmp` where `BM` begins a bitmap: the size of its second header is a known one."""
    if len(content) < 18:
        return None
    return "bmp" if struct.unpack_from("<L", content, 14)[0] in _BITMAP_HEADERS else None


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
    if maker and any(mark in tags for mark in _RAW_MARKS) and 330 in tags:
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


def netpbm(content: bytes) -> str | None:
    """Return the type of a PBM, PGM, PPM or PFM image."""
    found = _NETPBM.match(content[:512])
    return _NETPBM_TYPES[found[1]] if found else None


def pcx(content: bytes) -> str | None:
    """Return `pcx` where the header's version, packing and depth are possible."""
    if len(content) < 128 or content[0] != 10 or content[1] not in (0, 2, 3, 4, 5) or content[2] != 1:
        return None
    return "pcx" if content[3] in (1, 2, 4, 8, 24) and content[64] == 0 else None


def targa(content: bytes) -> str | None:
    """Return `tga` where all fields of the header are possible; the format has no signature at its start."""
    if content[-18:-2] == b"TRUEVISION-XFILE":
        return "tga"
    if len(content) < 20 or content[1] > 1 or content[2] not in _TARGA_TYPES or content[16] not in _TARGA_DEPTHS:
        return None
    width, height = struct.unpack_from("<HH", content, 12)
    has_map = content[1] == 1
    map_bits = content[7]
    is_possible = (map_bits in (15, 16, 24, 32)) if has_map else not any(content[3:8])
    return "tga" if is_possible and has_map == (content[2] in (1, 9)) and _is_size(width, height, content[17]) else None


def _is_size(width: int, height: int, flags: int) -> bool:
    return 0 < width <= 16384 and 0 < height <= 16384 and flags & 0xC0 == 0


def silicon_graphics(content: bytes) -> str | None:
    """Return `sgi` where the header's packing, depth and dimensions are possible."""
    if len(content) < 512 or content[2] > 1 or content[3] not in (1, 2) or content[4] or content[5] not in (1, 2, 3):
        return None
    return "sgi"


def flic(content: bytes) -> str | None:
    """Return `fli` for an Autodesk animation whose header states its size."""
    is_animation = len(content) > 128 and content[4:6] in (b"\x11\xaf", b"\x12\xaf")
    return "fli" if is_animation and struct.unpack_from("<L", content)[0] <= len(content) + 128 else None


def dolby_digital(content: bytes) -> str | None:
    """Return `ac3` where a known version follows the sync word (ATSC A/52)."""
    return "ac3" if len(content) > 6 and content[5] >> 3 <= 16 else None


def bzip2(content: bytes) -> str | None:
    """Return `bzip2` where `BZh` is followed by a level and a block."""
    return "bzip2" if content[3:4].isdigit() and content[4:10] in _BZIP2_BLOCKS else None


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


def lha(content: bytes) -> str | None:
    """Return `lha` for a header of LHA that names a method."""
    return "lha" if _LHA.match(content) and content[6:7] == b"-" else None


def disk_image(content: bytes) -> str | None:
    """Return `dmg` for a file that ends with the trailer of a macOS disk image."""
    return "dmg" if content[-512:].startswith(b"koly\0\0\0\4") else None


def electron(content: bytes) -> str | None:
    """Return `asar` for the pickled JSON header of an Electron archive."""
    return "asar" if content.startswith(b"\4\0\0\0") and content[16:18] == b'{"' else None


def dos_or_windows(content: bytes) -> str | None:
    """Return the type of a file that begins with `MZ`; None for a text that only begins like one."""
    if len(content) < 28:
        return None
    header = struct.unpack_from("<L", content, 60)[0] if len(content) >= 64 else 0
    if content.startswith(b"PE\0\0", header) and len(content) >= header + 24:
        return "dll" if struct.unpack_from("<H", content, header + 22)[0] & _DLL else "exe"
    if content.startswith((b"NE", b"LE", b"LX"), header):
        return "dos"
    return "dos" if any(byte < 9 for byte in content[:28]) else None


def java_or_mach(content: bytes) -> str | None:
    """Return the type of a file that begins with `CAFEBABE`."""
    if len(content) < 8:
        return None
    return "class" if int.from_bytes(content[4:8]) & 0xFFFF > _MAX_ARCHITECTURES else "macho"


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
    is_old = content[0] in (0x84, 0x85) and content[1:4] in _PGP_OLD
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
    return "pdb" if content[60:68] in _PALM_TYPES else None


def is_pdf(content: bytes) -> bool:
    """Return whether a PDF begins in the first bytes of a file: a header, followed by objects."""
    found = _PDF_HEADER.search(content[: _PDF_HEADER_BYTES + 8])
    return bool(found and _PDF_STRUCTURE.search(content, found.end()))
