"""The pages on which the headings of a printed document stand: for a worker process."""

from io import BytesIO
from typing import Any
from urllib.parse import unquote

import pikepdf


def find_heading_pages(pdf: bytes) -> dict[str, int]:
    """Return the page number, from 1, of each destination of a PDF that Chromium printed.

    Chromium percent-encodes the names, and writes a destination for each target of a link only.
    """
    with pikepdf.open(BytesIO(pdf)) as document:
        numbers = {page.objgen: number for number, page in enumerate(document.pages, 1)}
        destinations: Any = document.Root.get("/Dests", {})
        return {
            unquote(str(name).removeprefix("/")): numbers[target[0].objgen]
            for name, target in destinations.items()
            if len(target) and target[0].objgen in numbers
        }
