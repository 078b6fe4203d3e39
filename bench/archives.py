"""`zip` and `unzip` compared with zipfile and pyzipper."""

import io
import zipfile
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import pyzipper

import mediakit
from bench.data_convert import csv_content
from bench.package_worker import Job
from bench.race import Bench, Case
from bench.worker import Worker, ours, python
from mediakit.samples import LANDSCAPE

PASSWORD = "correct horse"
FILES = 10
SIZES = (("1 MB", 1000), ("12 MB", 17_000))
"""Names and rows of each file."""


def files(rows: int) -> dict[str, bytes]:
    """Return CSV files, and a photo that does not shrink."""
    tables = {f"table-{number}.csv": csv_content(rows + number) for number in range(FILES)}
    return {**tables, "photo.jpg": LANDSCAPE.read_bytes()}


def archive(values: Mapping[str, Any]) -> bytes:
    named = [{"name": name, "file": content} for name, content in files(values["rows"]).items()]
    password = PASSWORD if values.get("encrypted") else None
    return mediakit.zip(named, password=password).content


def zip_with_mediakit(values: Mapping[str, Any]) -> Job:
    named = [{"name": name, "file": content} for name, content in files(values["rows"]).items()]
    password = PASSWORD if values.get("encrypted") else None
    return lambda: mediakit.zip(named, password=password).content


def zip_with_zipfile(values: Mapping[str, Any]) -> Job:
    named = files(values["rows"])

    def pack() -> bytes:
        with zipfile.ZipFile(target := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as written:
            for name, content in named.items():
                written.writestr(name, content)
        return target.getvalue()

    return pack


def zip_with_pyzipper(values: Mapping[str, Any]) -> Job:
    named = files(values["rows"])

    def pack() -> bytes:
        options = {"encryption": pyzipper.WZ_AES} if values.get("encrypted") else {}
        with pyzipper.AESZipFile(target := io.BytesIO(), "w", zipfile.ZIP_DEFLATED, **options) as written:
            if options:
                written.setpassword(PASSWORD.encode())
            for name, content in named.items():
                written.writestr(name, content)
        return bytes(target.getvalue())

    return pack


def unzip_with_mediakit(values: Mapping[str, Any]) -> Job:
    content = archive(values)
    password = PASSWORD if values.get("encrypted") else None
    return lambda: b"".join(each.file for each in mediakit.unzip(content, password=password))


def unzip_with_zipfile(values: Mapping[str, Any]) -> Job:
    content = archive(values)

    def unpack() -> bytes:
        with zipfile.ZipFile(io.BytesIO(content)) as opened:
            return b"".join(opened.read(name) for name in opened.namelist())

    return unpack


def unzip_with_pyzipper(values: Mapping[str, Any]) -> Job:
    content = archive(values)

    def unpack() -> bytes:
        with pyzipper.AESZipFile(io.BytesIO(content)) as opened:
            opened.setpassword(PASSWORD.encode())
            return b"".join(opened.read(name) for name in opened.namelist())

    return unpack


def size_of(_case: Case, content: bytes) -> str:
    return f"{len(content):,} bytes"


def cases(*, encrypted: bool) -> list[Case]:
    """Return archives of about 1 MB and of 12 MB."""
    options = {"encrypted": True} if encrypted else {}
    return [Case(f"{size}, {'AES-256' if encrypted else 'plain'}", {"rows": rows, **options}) for size, rows in SIZES]


BENCHES = [
    Bench(
        tool="archives: zip",
        about="Ten CSV files and a photo become a ZIP file. mediakit packs in a separate process.",
        cases=cases(encrypted=False),
        ours=ours("bench.archives:zip_with_mediakit"),
        peers=[Worker("zipfile", python("bench.archives:zip_with_zipfile"))],
        inspect=size_of,
    ),
    Bench(
        tool="archives: zip",
        about="The same with a password.",
        cases=cases(encrypted=True),
        ours=ours("bench.archives:zip_with_mediakit"),
        peers=[Worker(f"pyzipper {version('pyzipper')}", python("bench.archives:zip_with_pyzipper"))],
        inspect=size_of,
    ),
    Bench(
        tool="archives: unzip",
        about="The ZIP file is unpacked. mediakit checks it and unpacks in a separate process.",
        cases=cases(encrypted=False),
        ours=ours("bench.archives:unzip_with_mediakit"),
        peers=[
            Worker("zipfile", python("bench.archives:unzip_with_zipfile")),
            Worker(f"pyzipper {version('pyzipper')}", python("bench.archives:unzip_with_pyzipper")),
        ],
        inspect=size_of,
    ),
    Bench(
        tool="archives: unzip",
        about="The same with a password.",
        cases=cases(encrypted=True),
        ours=ours("bench.archives:unzip_with_mediakit"),
        peers=[Worker(f"pyzipper {version('pyzipper')}", python("bench.archives:unzip_with_pyzipper"))],
        inspect=size_of,
    ),
]
