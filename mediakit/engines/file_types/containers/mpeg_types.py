"""MPEG audio and transport streams, recognized by frames and packets that follow each other."""

from collections.abc import Callable

from mediakit.engines.file_types.containers.mpeg_frames import adts_frame, mpeg_frame, skip_tags

_PACKET_BYTES = (188, 192, 204)
_SYNC = 0x47
_PACKETS = 4
_MIN_FRAMES = 2
_LAYERS = {1: "mp3", 2: "mp2", 3: "mp1"}
_SEARCH_BYTES = 4096


def audio_type(content: bytes) -> str | None:
    """Return the type of MPEG or AAC audio, with or without an ID3 tag; None for anything else.

    A tag followed by no known frames is that of an MP3 file.
    """
    start = skip_tags(content)
    is_tagged = start > 0
    after = content[start : start + 16]
    for magic, name in (
        (b"fLaC", "flac"),
        (b"MAC ", "ape"),
        (b"wvpk", "wavpack"),
        (b"TTA1", "tta"),
        (b"MP+", "musepack"),
    ):
        if is_tagged and after.startswith(magic):
            return name
    found = _frames_at(content, start)
    if found is None and is_tagged:
        found = _search(content, start) or "mp3"
    return found


def _search(content: bytes, start: int) -> str | None:
    """Return the type of the first frames after padding."""
    position = content.find(b"\xff", start, start + _SEARCH_BYTES)
    while position >= 0:
        if found := _frames_at(content, position):
            return found
        position = content.find(b"\xff", position + 1, start + _SEARCH_BYTES)
    return None


def _frames_at(content: bytes, position: int) -> str | None:
    if content[position : position + 1] != b"\xff":
        return None
    if _follow(content, position, adts_frame):
        return "aac"
    frame = mpeg_frame(content, position)
    return _LAYERS[frame.layer] if frame and _follow(content, position, _mpeg_size) else None


def _mpeg_size(content: bytes, position: int) -> int:
    frame = mpeg_frame(content, position)
    return frame.size if frame else 0


def _follow(content: bytes, position: int, size_at: Callable[[bytes, int], int]) -> bool:
    """Return whether frames follow each other, or one frame is the whole file."""
    for _ in range(_MIN_FRAMES):
        size = size_at(content, position)
        if not size:
            return False
        position += size
        if position >= len(content):
            return True
    return True


def is_transport_stream(content: bytes) -> bool:
    """Return whether packets of 188, 192 or 204 bytes begin with the sync byte (ISO/IEC 13818-1)."""
    for size in _PACKET_BYTES:
        offset = 4 if size == 192 else 0
        positions = range(offset, min(len(content), offset + _PACKETS * size), size)
        if len(positions) == _PACKETS and all(content[position] == _SYNC for position in positions):
            return True
    return False
