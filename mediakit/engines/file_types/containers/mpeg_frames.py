"""Headers of MPEG audio frames (ISO/IEC 11172-3, 13818-3), of ADTS frames (13818-7) and of tags around them."""

from dataclasses import dataclass

_BITRATES = {
    (1, 3): (32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448),
    (1, 2): (32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384),
    (1, 1): (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    (2, 3): (32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256),
    (2, 2): (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
    (2, 1): (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
"""Kilobits per second by version and by the header's number of the layer: 3 is layer 1, 1 is layer 3."""

_RATES = {3: (44100, 48000, 32000), 2: (22050, 24000, 16000), 0: (11025, 12000, 8000)}
_ID3_HEADER_BYTES = 10
_APE_HEADER_BYTES = 32


@dataclass(frozen=True)
class MpegFrame:
    """An MPEG audio frame."""

    size: int
    """Bytes, with its header."""
    layer: int
    """The header's number: 1 is layer 3 (MP3), 2 is layer 2, 3 is layer 1."""
    rate: int
    """Samples per second."""
    samples: int
    bitrate: int
    """Bits per second."""
    is_mono: bool
    is_version_1: bool


def mpeg_frame(content: bytes, position: int) -> MpegFrame | None:
    """Return the MPEG audio frame at a position; None where there is none."""
    header = content[position : position + 4]
    if len(header) < 4 or header[0] != 0xFF or header[1] & 0xE0 != 0xE0:
        return None
    version, layer = header[1] >> 3 & 3, header[1] >> 1 & 3
    bitrate_index, rate_index = header[2] >> 4, header[2] >> 2 & 3
    if version == 1 or layer == 0 or bitrate_index in (0, 15) or rate_index == 3:
        return None
    bitrate = 1000 * _BITRATES[1 if version == 3 else 2, layer][bitrate_index - 1]
    rate = _RATES[version][rate_index]
    padding = header[2] >> 1 & 1
    if layer == 3:
        size, samples = (12 * bitrate // rate + padding) * 4, 384
    else:
        samples = 576 if layer == 1 and version != 3 else 1152
        size = samples // 8 * bitrate // rate + padding
    return MpegFrame(size, layer, rate, samples, bitrate, header[3] >> 6 == 3, version == 3)


def adts_frame(content: bytes, position: int) -> int:
    """Return the size of the ADTS frame at a position; 0 where there is none."""
    header = content[position : position + 7]
    if len(header) < 7 or header[0] != 0xFF or header[1] & 0xF6 != 0xF0 or header[2] >> 2 & 15 > 12:
        return 0
    size = (header[3] & 3) << 11 | header[4] << 3 | header[5] >> 5
    return size if size > 7 else 0


def skip_tags(content: bytes) -> int:
    """Return the position behind the ID3v2 and APE tags at the start of a file."""
    position = 0
    while content.startswith(b"ID3", position) and position + _ID3_HEADER_BYTES <= len(content):
        sizes = content[position + 6 : position + 10]
        if any(byte > 127 for byte in sizes):
            break
        footer = 10 if content[position + 5] & 0x10 else 0
        position += 10 + footer + (sizes[0] << 21 | sizes[1] << 14 | sizes[2] << 7 | sizes[3])
    if content.startswith(b"APETAGEX", position) and position + _APE_HEADER_BYTES <= len(content):
        position += _APE_HEADER_BYTES + int.from_bytes(content[position + 12 : position + 16], "little")
    return position
