"""Decrypts entries of ZIP files, and encrypts them with AES-256 (WinZip AE-2). ZipCrypto is read, never written."""

import struct
import zlib
from types import SimpleNamespace

from mediakit.engines.archives.zip_directory import EXTRA_AES, FLAG_STREAMED, FLAG_STRONG, RawEntry

AES_METHOD = 99
"""The method that stands for AES; the real one is in an extra field."""

_SALT_BYTES = {1: 8, 2: 12, 3: 16}
_CHECK_BYTES, _MAC_BYTES = 2, 10
_STRENGTH_256, _VERSION_2 = 3, 2
_AES_FIELD_BYTES = 7
_ZIPCRYPTO_HEADER_BYTES = 12


class WrongPasswordError(ValueError):
    """The password does not open an entry."""


class UnknownEncryptionError(ValueError):
    """The entry is encrypted by another method than ZipCrypto and AES."""


def real_method(entry: RawEntry) -> int:
    """Return the compression method of an entry, which AES hides in its extra field."""
    if entry.method != AES_METHOD:
        return entry.method
    field = entry.extras.get(EXTRA_AES, b"")
    return int.from_bytes(field[5:7], "little") if len(field) >= _AES_FIELD_BYTES else AES_METHOD


def has_crc(entry: RawEntry) -> bool:
    """Return whether the directory has the CRC of the content: AE-2 has none, its own code checks the content."""
    if entry.method != AES_METHOD:
        return True
    return entry.extras.get(EXTRA_AES, b"")[:2] != _VERSION_2.to_bytes(2, "little")


def decrypt(packed: bytes, entry: RawEntry, password: str) -> bytes:
    """Return the compressed content of an entry.

    Raises:
        WrongPasswordError: The password is wrong, or the content was changed.
        UnknownEncryptionError: The method of encryption is unknown.
    """
    if entry.flags & FLAG_STRONG and entry.method != AES_METHOD:
        raise UnknownEncryptionError
    candidates = [password.encode()]  # what programs make of it: UTF-8, or the charset of their system
    for charset in () if password.isascii() else ("cp1252", "cp437", "cp850"):
        encoded = password.encode(charset, "ignore")
        if encoded.decode(charset) == password and encoded not in candidates:
            candidates.append(encoded)
    read = _decrypt_aes if entry.method == AES_METHOD else _decrypt_zipcrypto
    for candidate in candidates:
        if (content := read(packed, entry, candidate)) is not None:
            return content
    raise WrongPasswordError


def _decrypt_aes(packed: bytes, entry: RawEntry, password: bytes) -> bytes | None:
    """Return decrypted content; None if its authentication code does not fit."""
    from pyzipper.zipfile_aes import AESZipDecrypter

    field = entry.extras.get(EXTRA_AES, b"")
    strength = field[4] if len(field) >= _AES_FIELD_BYTES else 0
    if strength not in _SALT_BYTES:
        raise UnknownEncryptionError
    start = _SALT_BYTES[strength] + _CHECK_BYTES
    if len(packed) < start + _MAC_BYTES:
        return None
    facts = SimpleNamespace(filename="", wz_aes_strength=strength)
    try:
        decrypter = AESZipDecrypter(facts, password, packed[:start])
    except RuntimeError:
        return None
    content: bytes = decrypter.decrypt(packed[start:-_MAC_BYTES])
    return content if decrypter.hmac.digest()[:_MAC_BYTES] == packed[-_MAC_BYTES:] else None


def _decrypt_zipcrypto(packed: bytes, entry: RawEntry, password: bytes) -> bytes | None:
    """Return decrypted content; None if its check byte does not fit, which one wrong password in 256 does."""
    if len(packed) < _ZIPCRYPTO_HEADER_BYTES:
        return None
    cipher = _ZipCrypto(password)
    header = cipher.decrypt(packed[:_ZIPCRYPTO_HEADER_BYTES])
    expected = entry.time >> 8 if entry.flags & FLAG_STREAMED else entry.crc32 >> 24
    if header[-1] != expected:
        return None
    return cipher.decrypt(packed[_ZIPCRYPTO_HEADER_BYTES:])


_CRC_TABLE = [zlib.crc32(bytes((~value & 0xFF,))) ^ 0xFF000000 for value in range(256)]


class _ZipCrypto:
    """The cipher of PKZIP 2.0 (APPNOTE 6.1)."""

    def __init__(self, password: bytes) -> None:
        table = _CRC_TABLE
        low, middle, high = 0x12345678, 0x23456789, 0x34567890
        for byte in password:
            low = (low >> 8) ^ table[(low ^ byte) & 0xFF]
            middle = ((middle + (low & 0xFF)) * 134775813 + 1) & 0xFFFFFFFF
            high = (high >> 8) ^ table[(high ^ (middle >> 24)) & 0xFF]
        self._keys = low, middle, high

    def decrypt(self, content: bytes) -> bytes:
        """Return the next bytes of the content."""
        table, plain = _CRC_TABLE, bytearray(content)
        low, middle, high = self._keys
        for position, byte in enumerate(content):
            mask = high | 2
            byte ^= ((mask * (mask ^ 1)) >> 8) & 0xFF  # noqa: PLW2901  # the hottest line of the module
            plain[position] = byte
            low = (low >> 8) ^ table[(low ^ byte) & 0xFF]
            middle = ((middle + (low & 0xFF)) * 134775813 + 1) & 0xFFFFFFFF
            high = (high >> 8) ^ table[(high ^ (middle >> 24)) & 0xFF]
        self._keys = low, middle, high
        return bytes(plain)


def encrypt(packed: bytes, password: str, method: int) -> tuple[bytes, bytes]:
    """Return content encrypted with AES-256 and a random salt, with its code, and the extra field of its entry."""
    from pyzipper.zipfile_aes import AESZipEncrypter

    encrypter = AESZipEncrypter(password.encode(), nbits=256, force_wz_aes_version=_VERSION_2)
    content = b"".join((encrypter.encryption_header(), encrypter.encrypt(packed), encrypter.flush()))
    return content, struct.pack("<3H2sBH", EXTRA_AES, _AES_FIELD_BYTES, _VERSION_2, b"AE", _STRENGTH_256, method)
