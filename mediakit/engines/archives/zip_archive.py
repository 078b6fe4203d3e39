"""Reads the entries of a ZIP file: `ZipArchive`."""

from collections.abc import Sequence
from functools import cached_property

from mediakit.engines.archives import encryption, packed
from mediakit.engines.archives.directory import content_start, read_directory
from mediakit.engines.archives.entry import Entry
from mediakit.engines.archives.limits import check_overlap, check_sizes, shown
from mediakit.engines.archives.listing import describe
from mediakit.engines.archives.name_charset import decode_names, decode_text
from mediakit.errors import InvalidInput


class ZipArchive:
    """The entries of a ZIP file, which are read one by one within limits."""

    def __init__(self, content: bytes, name_encoding: str = "auto", field: str = "file") -> None:
        """Read the directory.

        Args:
            content: The file.
            name_encoding: Charset of the names that do not say theirs; `auto` detects it.
            field: Name of the request's field, for errors.

        Raises:
            InvalidInput: The file is damaged, its directory is encrypted, or the charset is unknown.
        """
        self._content, self._field = content, field
        self._directory = read_directory(content, field)
        self._raw = self._directory.entries
        self._names, self.name_encoding = decode_names(self._raw, name_encoding)
        self.comment = decode_text(self._directory.comment)
        self.is_cut = False

    @cached_property
    def entries(self) -> Sequence[Entry]:
        """All entries, in the order of the directory."""
        return describe(self._raw, self._names)

    def read(self, chosen: Sequence[int], password: str | None = None) -> list[bytes]:
        """Return the contents of entries by their places.

        Raises:
            InvalidInput: They are too large, damaged, encrypted, or packed by a method that cannot be read.
        """
        check_overlap(self._directory, self._field)
        for index in chosen:
            self._check_readable(index, password)
        check_sizes([self.entries[index] for index in chosen], self._field)
        return [self._read(index, password) for index in chosen]

    def _check_readable(self, index: int, password: str | None) -> None:
        raw, name = self._raw[index], shown(self.entries[index].name)
        if raw.is_encrypted and password is None:
            raise InvalidInput(f"{self._field}: {name} is encrypted; send its password.")
        method = encryption.real_method(raw)
        if method not in packed.READ_METHODS:
            known = packed.method_name(method)
            number = "" if str(method) in known else f" (method {method})"
            raise InvalidInput(f"{self._field}: {name} is compressed with {known}{number}, which cannot be read.")

    def _read(self, index: int, password: str | None) -> bytes:
        raw = self._raw[index]
        name = shown(self.entries[index].name)
        try:
            content = packed.unpack(self._packed(index, password), encryption.real_method(raw), raw.size_bytes)
        except packed.Damaged as error:
            if raw.is_encrypted and raw.method != encryption.AES_METHOD:
                raise _wrong_password(name) from error  # ZipCrypto checks 1 byte only, so the content decides
            raise InvalidInput(f"{self._field}: {name} {error}.") from error
        if encryption.has_crc(raw) and packed.crc32(content) != raw.crc32:
            if raw.is_encrypted:
                raise _wrong_password(name)
            raise InvalidInput(f"{self._field}: {name} is damaged; its CRC is wrong.")
        return content

    def _packed(self, index: int, password: str | None) -> bytes:
        """Return the compressed content of an entry, decrypted."""
        raw, name = self._raw[index], shown(self.entries[index].name)
        start = content_start(self._content, raw)
        if start is None or start + raw.compressed_bytes > self._directory.start:
            raise InvalidInput(f"{self._field}: {name} is cut.")
        content = self._content[start : start + raw.compressed_bytes]
        if not raw.is_encrypted:
            return content
        try:
            return encryption.decrypt(content, raw, password or "")
        except encryption.WrongPasswordError as error:
            raise _wrong_password(name) from error
        except encryption.UnknownEncryptionError as error:
            raise InvalidInput(f"{self._field}: {name} is encrypted by a method that cannot be read.") from error


def _wrong_password(name: str) -> InvalidInput:
    return InvalidInput(f"password: is wrong for {name}.")
