"""Gradients in gray (ISO 32000-2, 8.7.4.5)."""

from collections.abc import Iterator

import pikepdf
from pikepdf import Array, Name, Stream

from mediakit.engines.pdf.geometry import read_numbers
from mediakit.tools.pdf.pdf_compress.gray.functions import Function, read_function
from mediakit.tools.pdf.pdf_compress.gray.spaces import GraySpace, clamped, read_space

SAMPLES = 512
"""Samples of a gradient along its axis."""

GRID = 64
"""Samples a side of a gradient over a plane."""

_MESH_POINTS = {4: 1, 5: 1, 6: 12, 7: 16}
"""Points of a vertex or patch by type of shading."""

_MESH_COLORS = {4: 1, 5: 1, 6: 4, 7: 4}
_SHARED_POINTS, _SHARED_COLORS = 4, 2
"""Points and colors that a patch has from the one before."""


def make_shading_gray(pdf: pikepdf.Pdf, shading: pikepdf.Object) -> None:
    """Convert the colors of a shading.

    Raises:
        ValueError: It cannot be converted.
    """
    space = read_space(shading.get(Name.ColorSpace))
    if space.is_gray and shading.get(Name.ColorSpace) == Name.DeviceGray:
        return
    background = read_numbers(shading.get(Name.Background))
    kind = int(shading.get(Name.ShadingType, 0))
    if Name.Function in shading:
        shading.Function = _gray_function(pdf, shading, kind, space)
    elif kind in _MESH_POINTS and isinstance(shading, Stream):
        _convert_mesh(shading, kind, space)
    else:
        raise ValueError(f"a shading of type {kind}")
    shading.ColorSpace = Name.DeviceGray
    if background:
        shading.Background = Array([clamped(space.gray(background))])


def _gray_function(pdf: pikepdf.Pdf, shading: pikepdf.Object, kind: int, space: GraySpace) -> pikepdf.Object:
    function = read_function(shading.Function)
    if kind == 1:
        domain = read_numbers(shading.get(Name.Domain)) or [0.0, 1.0, 0.0, 1.0]
        points = [(x, y) for y in _steps(domain[2], domain[3], GRID) for x in _steps(domain[0], domain[1], GRID)]
        return _sampled(pdf, [_gray(function, point, space) for point in points], domain, [GRID, GRID])
    key = Name.Decode if kind in _MESH_POINTS else Name.Domain
    domain = (read_numbers(shading.get(key)) or [0.0, 1.0])[-2:]
    values = [_gray(function, (point,), space) for point in _steps(domain[0], domain[1], SAMPLES)]
    return _sampled(pdf, values, domain, [SAMPLES])


def _gray(function: Function, point: tuple[float, ...], space: GraySpace) -> float:
    try:
        return clamped(space.gray(function(point)))
    except (ArithmeticError, IndexError, TypeError) as error:
        raise ValueError(str(error)) from error


def _steps(first: float, last: float, count: int) -> list[float]:
    return [first + (last - first) * index / (count - 1) for index in range(count)]


def _sampled(pdf: pikepdf.Pdf, values: list[float], domain: list[float], size: list[int]) -> pikepdf.Object:
    function = pdf.make_stream(bytes(round(value * 255) for value in values))
    function.FunctionType, function.BitsPerSample = 0, 8
    function.Domain, function.Range, function.Size = Array(domain), Array([0, 1]), Array(size)
    return function


def _convert_mesh(shading: pikepdf.Object, kind: int, space: GraySpace) -> None:
    """Rewrite the vertices of a mesh, whose colors are stored with them."""
    decode = read_numbers(shading.Decode)
    depth = int(shading.BitsPerComponent)
    limits = list(zip(decode[4::2], decode[5::2], strict=True))
    if len(limits) != space.components:
        raise ValueError("a mesh without the limits of its colors")
    bits = _Bits(shading.read_bytes())
    written: list[tuple[int, int]] = []
    for plain, colors in _records(shading, kind, bits):
        written += plain
        for _ in range(colors):
            raw = [bits.read(depth) for _ in limits]
            color = [
                low + value * (high - low) / (2**depth - 1) for value, (low, high) in zip(raw, limits, strict=True)
            ]
            written.append((round(clamped(space.gray(color)) * (2**depth - 1)), depth))
        bits.align()
        written.append((0, -sum(size for _, size in written) % 8))
    shading.write(_packed(written))
    shading.Decode = Array([*decode[:4], 0, 1])


def _records(shading: pikepdf.Object, kind: int, bits: "_Bits") -> Iterator[tuple[list[tuple[int, int]], int]]:
    """Yield the flag and the points of each vertex or patch, with their sizes in bits, and how many colors follow."""
    flag_bits = 0 if kind == 5 else int(shading.BitsPerFlag)
    coordinate = int(shading.BitsPerCoordinate)
    while bits.left >= 8:
        flag = bits.read(flag_bits)
        joined = kind in (6, 7) and flag & 3
        points = _MESH_POINTS[kind] - (_SHARED_POINTS if joined else 0)
        plain = [(flag, flag_bits)]
        plain += [(bits.read(coordinate), coordinate) for _ in range(points * 2)]
        yield plain, _MESH_COLORS[kind] - (_SHARED_COLORS if joined else 0)


class _Bits:
    """Numbers of any number of bits, read one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> int:
        return len(self._data) * 8 - self._at

    def read(self, count: int) -> int:
        end = self._at + count
        if end > len(self._data) * 8:
            raise ValueError("a mesh that is cut off")
        chunk = int.from_bytes(self._data[self._at // 8 : -(-end // 8)])
        self._at = end
        return (chunk >> (-end % 8)) & ((1 << count) - 1)

    def align(self) -> None:
        self._at += -self._at % 8


def _packed(values: list[tuple[int, int]]) -> bytes:
    """Return numbers, each with its number of bits, as bytes."""
    text = "".join(f"{value:0{size}b}" for value, size in values if size)
    return int(text or "0", 2).to_bytes(-(-len(text) // 8))
