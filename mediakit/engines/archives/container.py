"""Unpacks ZIP files within limits: archives (`ZipArchive`), and documents such as DOCX, ODT and EPUB (`Container`).

The limits of documents are 10,000 entries, 300 MB in all, and a ratio of 200 above 1 MB.
"""

import bz2
import lzma
import stat
import struct
from collections.abc import Sequence
from datetime import datetime

from zlib_ng import zlib_ng

from mediakit.engines.archives import Entry, check_sizes, encryption, is_bomb, shown, unsafe_reason, without_links
from mediakit.engines.archives.inflate import InflateError, inflate_start
from mediakit.engines.archives.name_charset import decode_names, decode_text
from mediakit.engines.archives.zip_directory import (
    FLAG_UTF8,
    Directory,
    RawEntry,
    content_start,
    overlap,
    read_directory,
)
from mediakit.errors import InvalidInput

STORED, DEFLATED, BZIP2, LZMA = 0, 8, 12, 14

METHODS = {
    0: "stored", 1: "shrink", 2: "reduce", 3: "reduce", 4: "reduce", 5: "reduce", 6: "implode", 8: "deflate",
    9: "deflate64", 10: "pkware-implode", 12: "bzip2", 14: "lzma", 16: "cmpsc", 18: "terse", 19: "lz77", 20: "zstd",
    93: "zstd", 94: "mp3", 95: "xz", 96: "jpeg", 97: "wavpack", 98: "ppmd",
}  # fmt: skip
"""Names of the methods; those of `READ_METHODS` can be read."""

READ_METHODS = frozenset({STORED, DEFLATED, BZIP2, LZMA})

_SPECIAL = (stat.S_IFBLK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFSOCK)


class Damaged(ValueError):  # noqa: N818  # what is said of an entry
    """The content of an entry is not what its archive claims; the message says why."""


class TooLong(Damaged):
    """An entry has more bytes than it claims."""


class Archive:
    """An archive whose entries are read by their places, one by one and within limits."""

    name_encoding = "utf-8"
    """Charset of the names that do not say theirs."""
    comment = ""
    is_cut = False
    """Whether only the first entries are listed, because the archive unpacks to too much."""
    entries: Sequence[Entry] = ()
    """All entries, in the order of the archive."""

    def __init__(self, field: str) -> None:
        self.field = field
        """Name of the request's field, for errors."""

    def read(self, chosen: Sequence[int], password: str | None = None) -> list[bytes]:
        """Return the contents of entries by their places.

        Raises:
            InvalidInput: They are too large, damaged, encrypted, or packed by a method that cannot be read.
        """
        check_sizes([self.entries[index] for index in chosen], self.field)
        return [self._read(index, password) for index in chosen]

    def _read(self, index: int, password: str | None) -> bytes:
        raise NotImplementedError


class ZipArchive(Archive):
    """The entries of a ZIP file."""

    def __init__(self, content: bytes, name_encoding: str = "auto", field: str = "file") -> None:
        """Read the directory; `auto` detects the charset of the names that do not say theirs.

        Raises:
            InvalidInput: The file is damaged, its directory is encrypted, or the charset is unknown.
        """
        super().__init__(field)
        self._content = content
        self._directory = read_directory(content, field)
        self._raw = self._directory.entries
        names, self.name_encoding = decode_names(self._raw, name_encoding)
        self.comment = decode_text(self._directory.comment)
        self.entries = list(without_links(list(map(_entry, self._raw, names))))

    def read(self, chosen: Sequence[int], password: str | None = None) -> list[bytes]:
        """Return the contents of entries by their places."""
        if overlap(self._directory):
            raise InvalidInput(f"{self.field}: entries overlap; this is a decompression bomb.")
        for index in chosen:
            raw, name = self._raw[index], shown(self.entries[index].name)
            if raw.is_encrypted and password is None:
                raise InvalidInput(f"{self.field}: {name} is encrypted; send its password.")
            method = encryption.real_method(raw)
            if method not in READ_METHODS:
                known = _method_name(method)
                number = "" if str(method) in known else f" (method {method})"
                raise InvalidInput(f"{self.field}: {name} is compressed with {known}{number}, which cannot be read.")
        return super().read(chosen, password)

    def _read(self, index: int, password: str | None) -> bytes:
        raw = self._raw[index]
        name = shown(self.entries[index].name)
        try:
            packed = packed_content(self._content, raw, self._directory.start)
            if raw.is_encrypted:
                packed = encryption.decrypt(packed, raw, password or "")
            content = unpack(packed, encryption.real_method(raw), raw.size_bytes)
        except encryption.WrongPasswordError as error:
            raise _wrong_password(name) from error
        except encryption.UnknownEncryptionError as error:
            raise InvalidInput(f"{self.field}: {name} is encrypted by a method that cannot be read.") from error
        except Damaged as error:
            if raw.is_encrypted and raw.method != encryption.AES_METHOD:
                raise _wrong_password(name) from error  # ZipCrypto checks 1 byte only, so the content decides
            raise InvalidInput(f"{self.field}: {name} {error}.") from error
        if encryption.has_crc(raw) and zlib_ng.crc32(content) != raw.crc32:
            if raw.is_encrypted:
                raise _wrong_password(name)
            raise InvalidInput(f"{self.field}: {name} is damaged; its CRC is wrong.")
        return content


def _wrong_password(name: str) -> InvalidInput:
    return InvalidInput(f"password: is wrong for {name}.")


def packed_content(content: bytes, raw: RawEntry, end: int) -> bytes:
    """Return the packed bytes of an entry of a ZIP file whose directory is at `end`.

    Raises:
        Damaged: They are not in front of the directory.
    """
    start = content_start(content, raw)
    if start is None or start + raw.compressed_bytes > end:
        raise Damaged("is cut")
    return content[start : start + raw.compressed_bytes]


def unpack(packed: bytes, method: int, size: int) -> bytes:
    """Return unpacked content of exactly `size` bytes, and never keep more in memory.

    Raises:
        Damaged: The content is longer, shorter or not packed by this method.
    """
    content, limit = packed, size + 1
    try:
        if method == LZMA:
            decompressor, rest = _lzma(packed, size)
            content = decompressor.decompress(rest, limit)
        elif method == BZIP2:
            content = bz2.BZ2Decompressor().decompress(packed, limit)
        elif method != STORED:
            content = inflate_start(packed, limit)
    except (OSError, EOFError, ValueError, struct.error, lzma.LZMAError, InflateError) as error:
        raise Damaged("is damaged") from error
    if len(content) > size:
        raise TooLong("has more bytes than it claims; this is a decompression bomb")
    if len(content) < size:
        raise Damaged("is cut")
    return content


def _lzma(packed: bytes, size: int) -> tuple[lzma.LZMADecompressor, bytes]:
    """Return a decompressor and what it reads: the content begins with a version, and the properties of the filter."""
    _, length = struct.unpack_from("<HH", packed)
    properties = packed[4 : 4 + length]
    if len(properties) != 5:
        raise lzma.LZMAError("the properties are damaged")
    bits, dictionary = struct.unpack("<BL", properties)
    rest, lc = divmod(bits, 9)
    pb, lp = divmod(rest, 5)
    needed = max(4096, min(dictionary, size))  # no content refers to more bytes than it has
    options = {"id": lzma.FILTER_LZMA1, "dict_size": needed, "lc": lc, "lp": lp, "pb": pb}
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[options]), packed[4 + length :]


def _entry(raw: RawEntry, name: str) -> Entry:
    mode = raw.attributes >> 16 if raw.system in (3, 19) else 0  # Unix and macOS
    is_dos_folder = not mode and bool(raw.attributes & stat.FILE_ATTRIBUTE_DIRECTORY)
    is_folder = name.endswith(("/", "\\")) or stat.S_ISDIR(mode) or is_dos_folder
    kind = "link" if stat.S_ISLNK(mode) else "device" if stat.S_IFMT(mode) in _SPECIAL else None
    return Entry(
        name=name,
        size_bytes=raw.size_bytes,
        compressed_bytes=raw.compressed_bytes,
        modified=_date(raw.date, raw.time),
        crc32=f"{raw.crc32:08x}" if encryption.has_crc(raw) else None,
        encrypted=raw.is_encrypted,
        method=_method_name(encryption.real_method(raw)),
        is_folder=is_folder,
        unsafe=kind or unsafe_reason(name),
    )


def _method_name(method: int) -> str:
    """Return the name of a method, such as `deflate`."""
    return METHODS.get(method, f"method {method}")


def _date(date: int, time: int) -> str | None:
    """Return an MS-DOS date and time as ISO 8601; None if there is no such day or time."""
    year, month, day = 1980 + (date >> 9), date >> 5 & 15, date & 31
    try:
        return datetime(year, month, day, time >> 11, time >> 5 & 63, (time & 31) * 2).isoformat()  # noqa: DTZ001
    except ValueError:
        return None


MAX_ENTRIES = 10_000
MAX_UNPACKED_BYTES = 300_000_000


class Container:
    """The entries of a ZIP container, read by name."""

    def __init__(self, content: bytes, field: str = "file") -> None:
        """Check the limits of a container.

        Raises:
            InvalidInput: It is damaged, or its content is larger than allowed.
        """
        self.field = field
        self._content = content
        self._directory = check_archive(content, field)
        try:
            # a name is UTF-8 if it says so, else cp437 (APPNOTE, appendix D)
            charsets = ((entry, "utf-8" if entry.flags & FLAG_UTF8 else "cp437") for entry in self._directory.entries)
            self._entries = {entry.name.decode(charset): entry for entry, charset in charsets}
        except UnicodeDecodeError as error:
            raise _damaged(field) from error

    @property
    def names(self) -> list[str]:
        """The names of the entries, in the order of the archive; the last entry of a name counts."""
        return list(self._entries)

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def read(self, name: str) -> bytes:
        """Return the bytes of an entry.

        Raises:
            KeyError: There is no entry of this name.
            InvalidInput: The entry is damaged, or encrypted.
        """
        try:
            return _unpacked(self._content, self._entries[name], self._directory.start)
        except TooLong:
            raise _bomb(self.field, name) from None
        except Damaged as error:
            raise InvalidInput(f"{self.field}: its part {name} is damaged.") from error


def check_archive(content: bytes, field: str) -> Directory:
    """Return the directory of a ZIP container.

    Raises:
        InvalidInput: It is damaged, or its content is larger than allowed.
    """
    try:
        directory = read_directory(content, field)
    except InvalidInput as error:
        raise _damaged(field) from error
    entries = directory.entries
    if len(entries) > MAX_ENTRIES:
        raise InvalidInput(f"{field}: must have at most {MAX_ENTRIES:,} entries in its archive, got {len(entries):,}.")
    if sum(entry.size_bytes for entry in entries) > MAX_UNPACKED_BYTES:
        raise InvalidInput(f"{field}: unpacks to more than {MAX_UNPACKED_BYTES // 1_000_000} MB.")
    if overlap(directory) or any(is_bomb(entry.size_bytes, entry.compressed_bytes) for entry in entries):
        raise InvalidInput(f"{field}: is a decompression bomb.")
    return directory


def check_unpacked_sizes(content: bytes, field: str) -> None:
    """Check that no entry of a ZIP container unpacks to more than the container declares, by unpacking all of them.

    Readers that unpack containers themselves report such files as damaged: this names the cause.

    Raises:
        InvalidInput: The container is damaged, larger than allowed, or an entry has more bytes than it declares.
    """
    directory = check_archive(content, field)
    for entry in directory.entries:
        try:
            _unpacked(content, entry, directory.start)
        except TooLong:
            raise _bomb(field, entry.name.decode("utf-8", "replace")) from None
        except Damaged:
            continue


def _unpacked(content: bytes, entry: RawEntry, end: int) -> bytes:
    """Return the content of an entry; raise `Damaged` where it is encrypted, or not what the container claims."""
    if entry.is_encrypted or entry.method not in READ_METHODS:
        raise Damaged("cannot be read")
    unpacked = unpack(packed_content(content, entry, end), entry.method, entry.size_bytes)
    if zlib_ng.crc32(unpacked) != entry.crc32:
        raise Damaged("is damaged; its CRC is wrong")
    return unpacked


def _damaged(field: str) -> InvalidInput:
    return InvalidInput(f"{field}: is a damaged file or ZIP archive.")


def _bomb(field: str, name: str) -> InvalidInput:
    return InvalidInput(f"{field}: is a decompression bomb: its part {name[:100]} unpacks to more than it declares.")
