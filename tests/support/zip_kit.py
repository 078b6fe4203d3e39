"""Builds ZIP files byte by byte, as broken and as hostile as a test needs."""

import struct
import zlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """An entry to write; what is None follows from the content."""

    name: bytes
    content: bytes = b"hello\n"
    method: int = 8
    flags: int = 0
    system: int = 3
    attributes: int = 0
    extra: bytes = b""
    size: int | None = None
    crc: int | None = None
    packed: bytes | None = None
    date: int = (44 << 9) | (5 << 5) | 17
    time: int = (13 << 11) | (30 << 5) | 10

    @property
    def body(self) -> bytes:
        """The packed content."""
        if self.packed is not None:
            return self.packed
        if self.method == 0:
            return self.content
        deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
        return deflate.compress(self.content) + deflate.flush()

    @property
    def claims(self) -> tuple[int, int, int]:
        """CRC, packed size and size, as the headers claim them."""
        crc = zlib.crc32(self.content) if self.crc is None else self.crc
        return crc, len(self.body), len(self.content) if self.size is None else self.size


def extra_field(number: int, content: bytes) -> bytes:
    """Return an extra field."""
    return struct.pack("<HH", number, len(content)) + content


def unicode_path(raw: bytes, name: str, crc: int | None = None) -> bytes:
    """Return a Unicode Path field for a name."""
    return extra_field(0x7075, b"\1" + struct.pack("<L", zlib.crc32(raw) if crc is None else crc) + name.encode())


def local(part: Part) -> bytes:
    """Return an entry: its local header and its content."""
    header = struct.pack(
        "<4s5H3L2H", b"PK\3\4", 20, part.flags, part.method, part.time, part.date, *part.claims, len(part.name), 0
    )
    return header + part.name + part.body


def central(part: Part, offset: int) -> bytes:
    """Return the entry of the directory."""
    made_by = part.system << 8 | 20
    header = struct.pack(
        "<4s6H3L5H2L", b"PK\1\2", made_by, 20, part.flags, part.method, part.time, part.date, *part.claims,
        len(part.name), len(part.extra), 0, 0, 0, part.attributes, offset,
    )  # fmt: skip
    return header + part.name + part.extra


def end(count: int, size: int, offset: int, comment: bytes = b"") -> bytes:
    """Return the end record."""
    return struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, count, count, size, offset, len(comment)) + comment


def archive(*parts: Part, comment: bytes = b"", prefix: bytes = b"") -> bytes:
    """Return a ZIP file; a prefix is not counted in its positions."""
    contents, directory, position = b"", b"", 0
    for part in parts:
        directory += central(part, position)
        body = local(part)
        contents += body
        position += len(body)
    return prefix + contents + directory + end(len(parts), len(directory), position, comment)


def archive64(part: Part) -> bytes:
    """Return a ZIP file whose sizes and positions are in ZIP64 records only."""
    crc, packed, size = part.claims
    wide = extra_field(1, struct.pack("<3Q", size, packed, 0))
    header = struct.pack(
        "<4s6H3L5H2L", b"PK\1\2", 3 << 8 | 45, 45, part.flags, part.method, part.time, part.date, crc, 0xFFFFFFFF,
        0xFFFFFFFF, len(part.name), len(wide), 0, 0, 0, 0, 0xFFFFFFFF,
    )  # fmt: skip
    body, directory = local(part), header + part.name + wide
    position = len(body) + len(directory)
    end64 = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, len(directory), len(body))
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, position, 1)
    return (
        body
        + directory
        + end64
        + locator
        + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    )


def overlapping(count: int, size: int = 500_000) -> bytes:
    """Return entries that all share the content of the first one (D. Fifield, 2019)."""
    first = Part(b"kernel", b"\0" * size)
    body = local(first)
    directory = b"".join(central(Part(b"f%03d" % number, first.content), 0) for number in range(count))
    return body + directory + end(count, len(directory), len(body))
