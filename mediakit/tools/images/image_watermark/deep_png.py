"""Reads and writes PNG files with 16 bits per channel, which Pillow reduces to 8."""

import struct
import zlib
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mediakit.engines.animations.png_rows import compress_rows
from mediakit.engines.png import SIGNATURE, chunk, icc_chunk
from mediakit.engines.raster.source import SourceImage, damage_as_invalid_input
from mediakit.errors import InvalidInput

CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}
"""Channels by color type (ISO/IEC 15948, 11.2.2)."""
COLOR_TYPES = {count: kind for kind, count in CHANNELS.items()}
ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""First column and row, and steps of the passes of interlaced files (ISO/IEC 15948, 8.2)."""
_TRANSPOSITIONS = {2: "h", 3: "hv", 4: "v", 5: "t", 6: "th", 7: "thv", 8: "tv"}
"""Transposition and flips that make an image upright, by EXIF orientation."""

Deep = NDArray[np.uint16]


def read_deep_png(source: SourceImage) -> tuple[Deep, bytes]:
    """Return the upright pixels (height, width, 1 to 4 channels) and the ICC profile of a 16-bit PNG.

    Raises:
        InvalidInput: The file is damaged.
    """
    with damage_as_invalid_input("png"):
        chunks = _chunks(source.content)
        width, height, _, kind, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
        channels = CHANNELS[kind]
        passes = ADAM7 if interlaced else ((0, 0, 1, 1),)
        sizes = [(max(0, -(-(width - x) // dx)), max(0, -(-(height - y) // dy))) for x, y, dx, dy in passes]
        sizes = [(w, h) if w and h else (0, 0) for w, h in sizes]
        raw = _inflate(chunks[b"IDAT"], sum((w * channels * 2 + 1) * h for w, h in sizes))
        pixels = np.zeros((height, width, channels * 2), np.uint8)
        start = 0
        for (x, y, dx, dy), (w, h) in zip(passes, sizes, strict=True):
            if not w:
                continue
            end = start + (w * channels * 2 + 1) * h
            _unfilter(raw[start:end], pixels[y::dy, x::dx])
            start = end
        deep = pixels.view(">u2").astype(np.uint16)
        del pixels, raw
        deep = _with_transparent_color(deep, chunks.get(b"tRNS"))
    return _upright(deep, source.orientation), _profile(chunks.get(b"iCCP"))


def write_deep_png(pixels: Deep, icc_profile: bytes) -> bytes:
    """Encode a PNG with 16 bits per channel."""
    height, width, channels = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 16, COLOR_TYPES[channels], 0, 0, 0)
    profile = icc_chunk(icc_profile) if icc_profile else b""
    rows = pixels.astype(">u2").view(np.uint8).reshape(height, width, channels * 2)
    data = chunk(b"IDAT", compress_rows(rows))
    return b"".join((SIGNATURE, chunk(b"IHDR", header), profile, data, chunk(b"IEND", b"")))


def _chunks(content: bytes) -> dict[bytes, bytes]:
    """Return the contents of the chunks by type; the parts of IDAT are joined."""
    found: dict[bytes, bytes] = {}
    data, start, kind = [], len(SIGNATURE), b""
    while kind != b"IEND" and start + 8 <= len(content):
        length, kind = struct.unpack_from(">I4s", content, start)
        body = content[start + 8 : start + 8 + length]
        if kind == b"IDAT":
            data.append(body)
        else:
            found.setdefault(kind, body)
        start += length + 12
    return {**found, b"IDAT": b"".join(data)}


def _inflate(data: bytes, size: int) -> NDArray[np.uint8]:
    raw = zlib.decompressobj().decompress(data, size)
    if len(raw) < size:
        raise InvalidInput("file: is truncated. Send the whole file.")
    return np.frombuffer(raw, np.uint8)


def _unfilter(raw: NDArray[np.uint8], target: NDArray[np.uint8]) -> None:
    """Decode filtered rows into `target`.

    A filter predicts each byte of a pixel from the same byte of neighboring pixels. Each byte position is thus an 8-bit
    gray image with the same filters, which Pillow decodes.
    """
    height, width, depth = target.shape
    rows = raw.reshape(height, width * depth + 1)
    planes = rows[:, 1:].reshape(height, width, depth)
    plane = np.empty((height, width + 1), np.uint8)
    plane[:, 0] = rows[:, 0]
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    for number in range(depth):
        plane[:, 1:] = planes[:, :, number]
        data = chunk(b"IDAT", zlib.compress(plane.tobytes(), 0))
        with Image.open(BytesIO(b"".join((SIGNATURE, header, data, chunk(b"IEND", b"")))), formats=["PNG"]) as image:
            target[:, :, number] = np.asarray(image)


def _with_transparent_color(pixels: Deep, transparent: bytes | None) -> Deep:
    """Add an alpha channel if one color is declared transparent."""
    channels = pixels.shape[2]
    if transparent is None or channels not in (1, 3) or len(transparent) < channels * 2:
        return pixels
    color = np.frombuffer(transparent[: channels * 2], ">u2")
    alpha = np.where((pixels == color).all(axis=2), 0, 0xFFFF).astype(np.uint16)
    return np.concatenate((pixels, alpha[..., None]), axis=2)


def _upright(pixels: Deep, orientation: int) -> Deep:
    for step in _TRANSPOSITIONS.get(orientation, ""):
        pixels = {"h": pixels[:, ::-1], "v": pixels[::-1], "t": pixels.transpose(1, 0, 2)}[step]
    return np.ascontiguousarray(pixels)


def _profile(content: bytes | None) -> bytes:
    """Return the ICC profile of a chunk; empty if it is damaged or huge."""
    if not content:
        return b""
    try:
        _, _, rest = content.partition(b"\0")
        decoder = zlib.decompressobj()
        profile = decoder.decompress(rest[1:], 4_000_000)
    except zlib.error:
        return b""
    return profile if decoder.eof else b""
