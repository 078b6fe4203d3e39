"""Animations built byte by byte, with any disposal and offset, and how Chromium decodes them."""

import base64
import io
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from mediakit.engines.browser.command import find
from mediakit.settings import BrowserSettings

Color = tuple[int, int, int]


class Part(NamedTuple):
    """A frame: a rectangle of one color with a transparent hole in its middle."""

    box: tuple[int, int, int, int]
    """Left, top, width and height."""
    color: Color
    disposal: int
    """0: leave, 1: clear to transparent, 2: restore what was there before."""
    delay_ms: int
    blends: bool = True

    def pixels(self) -> NDArray[np.uint8]:
        """Return the RGBA pixels."""
        _, _, width, height = self.box
        pixels = np.zeros((height, width, 4), np.uint8)
        pixels[...] = (*self.color, 255)
        pixels[height // 3 : height // 2, width // 3 : width // 2] = 0
        return pixels


class Seen(NamedTuple):
    """What Chromium shows."""

    frames: list[NDArray[np.uint8]]
    """RGBA pixels of each frame."""
    delays_ms: list[float]
    repetitions: float
    """How often it plays after the first time; infinite for endless animations."""


def gif(size: tuple[int, int], parts: Sequence[Part], plays: int) -> bytes:
    """Return a GIF with a global palette whose first color, the background, is red."""
    palette = [(255, 0, 0), (0, 0, 0), *(part.color for part in parts)]
    table = b"".join(map(bytes, palette)).ljust(3 * 16, b"\0")
    out = [b"GIF89a", struct.pack("<HHBBB", *size, 0x80 | 3, 0, 0), table]
    if plays != 1:
        out.append(b"!\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<H", plays and plays - 1) + b"\0")
    for number, part in enumerate(parts):
        indexes = np.where(part.pixels()[..., 3] > 0, number + 2, 1).astype(np.uint8)
        control = ((0, 2, 3)[part.disposal] << 2 | 1, part.delay_ms // 10, 1)
        out += [b"!\xf9\x04", struct.pack("<BHB", *control), b"\0,", struct.pack("<HHHHB", *part.box, 0), b"\x04"]
        out += [Image.fromarray(indexes).tobytes("gif", "L", 4, 0), b"\0"]
    return b"".join((*out, b";"))


def png(size: tuple[int, int], parts: Sequence[Part], plays: int) -> bytes:
    """Return an animated PNG; its default image is not a frame, so that the first frame can be a part."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    def rows(pixels: NDArray[np.uint8]) -> bytes:
        return zlib.compress(b"".join(b"\0" + row.tobytes() for row in pixels))

    default = np.zeros((size[1], size[0], 4), np.uint8)
    out = [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", struct.pack(">IIBBBBB", *size, 8, 6, 0, 0, 0))]
    out += [chunk(b"acTL", struct.pack(">II", len(parts), plays)), chunk(b"IDAT", rows(default))]
    for number, part in enumerate(parts):
        left, top, width, height = part.box
        control = (2 * number, width, height, left, top, part.delay_ms, 1000, part.disposal, part.blends)
        out.append(chunk(b"fcTL", struct.pack(">IIIIIHHBB", *control)))
        out.append(chunk(b"fdAT", struct.pack(">I", 2 * number + 1) + rows(part.pixels())))
    return b"".join((*out, chunk(b"IEND", b"")))


def webp(size: tuple[int, int], parts: Sequence[Part], plays: int) -> bytes:
    """Return an animated WebP, which has no disposal to the previous frame: such frames are left."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) & 1)

    def three(value: int) -> bytes:
        return value.to_bytes(3, "little")

    head = struct.pack("<I", 0x12) + three(size[0] - 1) + three(size[1] - 1)
    body = [b"WEBP", chunk(b"VP8X", head), chunk(b"ANIM", struct.pack("<IH", 0xFF0000FF, plays))]
    for part in parts:
        left, top, width, height = part.box
        buffer = io.BytesIO()
        Image.fromarray(part.pixels()).save(buffer, "WEBP", lossless=True, exact=True)
        numbers = (left // 2, top // 2, width - 1, height - 1, part.delay_ms)
        flags = (part.disposal == 1) | (not part.blends) << 1
        body.append(chunk(b"ANMF", b"".join(map(three, numbers)) + bytes([flags]) + _pixel_chunks(buffer.getvalue())))
    content = b"".join(body)
    return b"RIFF" + struct.pack("<I", len(content)) + content


def _pixel_chunks(file: bytes) -> bytes:
    start = 30 if file[12:16] == b"VP8X" else 12
    return file[start:]


_DECODE = """async ([data, type]) => {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const decoder = new ImageDecoder({data: bytes, type});
  await decoder.tracks.ready;
  await decoder.completed;
  const track = decoder.tracks.selectedTrack;
  const frames = [];
  for (let frameIndex = 0; frameIndex < track.frameCount; frameIndex++) {
    const {image} = await decoder.decode({frameIndex});
    const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data;
    frames.push([image.displayWidth, image.displayHeight, image.duration, Array.from(pixels)]);
  }
  return [String(track.repetitionCount), frames];
}"""


@contextmanager
def decoding_page() -> Iterator[Page]:
    """Open a page of Chromium in which `ImageDecoder` works: it needs a secure origin."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(BrowserSettings()))
        page = browser.new_page()
        page.route("**/*", lambda route: route.fulfill(body="<p>Decoder</p>", content_type="text/html"))
        page.goto("https://localhost/")
        yield page
        browser.close()


def seen_by_chromium(page: Page, content: bytes, mime_type: str) -> Seen:
    """Return the frames, delays and repetitions of an animation."""
    repetitions, frames = page.evaluate(_DECODE, [base64.b64encode(content).decode(), mime_type])
    pixels = [np.array(values, np.uint8).reshape(height, width, 4) for width, height, _, values in frames]
    return Seen(pixels, [_milliseconds(frame) for frame in frames], float(repetitions))


def _milliseconds(frame: list[Any]) -> float:
    return float(frame[2]) / 1000
