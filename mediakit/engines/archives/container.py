"""Reads documents that are ZIP files, such as DOCX, XLSX, ODT and EPUB, within limits: entries, size, ratio, overlaps.

The limits are those of the document tools: 10,000 entries, 300 MB in all, and a ratio of 200 above 1 MB.
"""

from zlib_ng import zlib_ng

from mediakit.engines.archives.entries import is_bomb
from mediakit.engines.archives.zip_archive import READ_METHODS, Damaged, TooLong, packed_content, unpack
from mediakit.engines.archives.zip_directory import FLAG_UTF8, Directory, RawEntry, overlap, read_directory
from mediakit.errors import InvalidInput

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
            self._entries = {_name(entry): entry for entry in self._directory.entries}
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
    """Return the content of an entry.

    Raises:
        Damaged: It is not what the container claims, is encrypted, or packed by a method that cannot be read.
    """
    if entry.is_encrypted or entry.method not in READ_METHODS:
        raise Damaged("cannot be read")
    unpacked = unpack(packed_content(content, entry, end), entry.method, entry.size_bytes)
    if zlib_ng.crc32(unpacked) != entry.crc32:
        raise Damaged("is damaged; its CRC is wrong")
    return unpacked


def _name(entry: RawEntry) -> str:
    """Return the name of an entry: UTF-8 if it says so, else cp437 (APPNOTE, appendix D)."""
    return entry.name.decode("utf-8" if entry.flags & FLAG_UTF8 else "cp437")


def _damaged(field: str) -> InvalidInput:
    return InvalidInput(f"{field}: is a damaged file or ZIP archive.")


def _bomb(field: str, name: str) -> InvalidInput:
    return InvalidInput(f"{field}: is a decompression bomb: its part {name[:100]} unpacks to more than it declares.")
