"""`file_info` compared with puremagic, and `text_repair` with chardet and ftfy."""

from collections.abc import Mapping
from typing import Any

import mediakit
from bench.package_worker import Job
from bench.race import Bench, Case
from bench.worker import ours, python_peer
from mediakit.samples import LANDSCAPE, REPORT, SALES

FILES = {"JPEG": LANDSCAPE, "PDF": REPORT, "CSV": SALES}
LINE = "Logroño: vino, jamón y una noche en la calle Laurel – «la mejor del año»\n"


def info_with_mediakit(values: Mapping[str, Any]) -> Job:
    content = FILES[values["file"]].read_bytes()

    def identify() -> bytes:
        return mediakit.file_info(content).mime_type.encode()

    return identify


def info_with_puremagic(values: Mapping[str, Any]) -> Job:
    import puremagic  # type: ignore[import-not-found]

    content = FILES[values["file"]].read_bytes()

    def identify() -> bytes:
        name: str = puremagic.from_string(content, mime=True)
        return name.encode()

    return identify


def repair_with_mediakit(values: Mapping[str, Any]) -> Job:
    content = (LINE * values["lines"]).encode("cp1252")
    return lambda: mediakit.text_repair(content).content


def repair_with_chardet(values: Mapping[str, Any]) -> Job:
    import chardet
    import ftfy

    content = (LINE * values["lines"]).encode("cp1252")

    def repair() -> bytes:
        encoding = chardet.detect(content)["encoding"] or "cp1252"
        return ftfy.fix_encoding(content.decode(encoding)).encode()

    return repair


def shown(_case: Case, content: bytes) -> str:
    """Return the start of an answer."""
    return content[:40].decode("utf-8", "replace").strip()


BENCHES = [
    Bench(
        tool="files: file_info",
        about="The media type of a file. mediakit reads it in a separate process, with details and a hash.",
        cases=[Case(name, {"file": name}) for name in FILES],
        ours=ours("bench.files:info_with_mediakit"),
        peers=[python_peer("puremagic", "bench.files:info_with_puremagic")],
        inspect=shown,
    ),
    Bench(
        tool="files: text_repair",
        about="Text in windows-1252 becomes UTF-8. mediakit works in a separate process.",
        cases=[Case(f"{lines:,} lines", {"lines": lines}) for lines in (10, 5000)],
        ours=ours("bench.files:repair_with_mediakit"),
        peers=[python_peer("chardet", "bench.files:repair_with_chardet")],
        inspect=shown,
    ),
]
