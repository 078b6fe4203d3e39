"""Images and fonts in the folder of a template, inserted into its HTML and CSS as data: URIs."""

import re
from collections.abc import Mapping
from pathlib import Path

import pybase64

MAX_FILE_KB = 2048

MEDIA_TYPES: Mapping[str, str] = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".woff": "font/woff",
    ".ttf": "font/ttf",
    ".otf": "font/otf",
}

_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_ ./-]*\.[A-Za-z0-9]+", re.ASCII)
FILE_URL = re.compile(r"url\(\s*([\"']?)([A-Za-z0-9_][A-Za-z0-9_ ./-]*\.[A-Za-z0-9]+)\1\s*\)", re.ASCII)


def is_file_name(text: str) -> bool:
    """Return whether a URL is the name of a file, such as `seal.png`."""
    return bool(_FILE_NAME.fullmatch(text))


def file_uri(folder: Path, name: str) -> str:
    """Return a file of the folder as a data: URI.

    Raises:
        ValueError: It is not in the folder, is too large, or is not an image or font.
    """
    file = (folder / name).resolve()
    media_type = MEDIA_TYPES.get(file.suffix.lower())
    if media_type is None:
        raise ValueError(f"{name}: must be an image or a font ({', '.join(MEDIA_TYPES)}).")
    if not file.is_relative_to(folder.resolve()) or not file.is_file():
        raise ValueError(f"{name}: is not a file in the folder of the template.")
    if file.stat().st_size > MAX_FILE_KB * 1024:
        raise ValueError(f"{name}: must have at most {MAX_FILE_KB // 1024} MB, got {file.stat().st_size // 1024} KB.")
    return f"data:{media_type};base64,{pybase64.b64encode(file.read_bytes()).decode()}"


def with_file_uris(css: str, folder: Path) -> str:
    """Return CSS in which the `url()` of files are data: URIs.

    Raises:
        ValueError: A file cannot be used.
    """
    return FILE_URL.sub(lambda match: f"url({file_uri(folder, match[2])})", css)
