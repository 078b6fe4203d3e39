"""Images whose signature is too short or too common to decide alone."""

import re
import struct

_BITMAP_HEADERS = (12, 16, 40, 52, 56, 64, 108, 124)
_NETPBM = re.compile(rb"P([1-6fF])(?:\s+#[^\n]*)*\s+\d+(?:\s+#[^\n]*)*\s+\d+\s")
_NETPBM_TYPES = {b"1": "pbm", b"4": "pbm", b"2": "pgm", b"5": "pgm", b"3": "ppm", b"6": "ppm", b"f": "pfm", b"F": "pfm"}
_TARGA_TYPES = (1, 2, 3, 9, 10, 11)
_TARGA_DEPTHS = (8, 15, 16, 24, 32)
_MAKE, _MAKER_TAGS = 271, ((b"NIKON", "nef"), (b"SONY", "arw"))
_DNG_VERSION = 50706
_RAW_MARKS = (330, 34665)


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
