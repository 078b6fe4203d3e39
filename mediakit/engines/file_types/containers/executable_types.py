"""Programs: the headers behind `MZ`, and the two formats that begin with `CAFEBABE`."""

import struct

_DLL = 0x2000
_MAX_ARCHITECTURES = 43
"""Java class files have a version of at least 45 where universal Mach-O files count their architectures."""

_COFF_MACHINES = (0x014C, 0x8664, 0x01C4, 0xAA64)


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


def is_object_file(content: bytes) -> bool:
    """Return whether a file has the header of a COFF object whose symbol table ends inside it."""
    if len(content) < 20:
        return False
    machine, sections, _, symbols, count, optional, _ = struct.unpack_from("<HHLLLHH", content)
    if machine not in _COFF_MACHINES or not 0 < sections < 1000 or optional:
        return False
    return bool(symbols >= 20 + 40 * sections and symbols + 18 * count + 4 <= len(content))
