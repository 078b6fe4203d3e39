"""Evaluates PDF functions (ISO 32000-2, 7.10), to find out what colors they return."""

from collections.abc import Callable, Sequence

import pikepdf
from pikepdf import Array, Name, Stream

from mediakit.engines.pdf.geometry import read_numbers
from mediakit.engines.pdf.objects import items
from mediakit.tools.pdf.pdf_compress.gray.calculator import calculator
from mediakit.tools.pdf.pdf_compress.images.color_space import dictionary_of

Function = Callable[[Sequence[float]], list[float]]

MAX_DEPTH = 8
"""Stitching functions inside stitching functions."""


class UnknownFunctionError(ValueError):
    """A function is damaged, or of a kind that is not evaluated."""


def read_function(value: object, depth: int = 0) -> Function:
    """Return a function, or an array of functions with one output each, as a Python function.

    Raises:
        UnknownFunctionError: It cannot be evaluated.
    """
    if isinstance(value, Array):
        parts = [read_function(item, depth + 1) for item in value]
        return lambda values: [part(values)[0] for part in parts]
    entries = dictionary_of(value)
    domain, kind = read_numbers(entries.get(Name.Domain)), entries.get(Name.FunctionType)
    if depth > MAX_DEPTH or not domain:
        raise UnknownFunctionError("a function without a domain")
    match kind:
        case 0 if isinstance(value, Stream) and len(domain) == 2:
            inner = _sampled(value, domain)
        case 2:
            inner = _exponential(entries)
        case 3:
            inner = _stitching(entries, domain, depth)
        case 4 if isinstance(value, Stream):
            inner = calculator(value.read_bytes())
        case _:
            raise UnknownFunctionError(f"a function of type {kind}")
    limits = read_numbers(entries.get(Name.Range))
    return lambda values: _clamp(inner(_clamp(values, domain)), limits)


def _clamp(values: Sequence[float], limits: Sequence[float]) -> list[float]:
    if not limits:
        return list(values)
    pairs = zip(values, limits[::2], limits[1::2], strict=False)
    return [min(max(value, low), high) for value, low, high in pairs]


def _sampled(stream: pikepdf.Object, domain: Sequence[float]) -> Function:
    """Return a function of one input that interpolates between samples."""
    size, bits = int(items(stream.Size)[0]), int(stream.BitsPerSample)
    limits = read_numbers(stream.get(Name.Range))
    outputs = len(limits) // 2
    encode = read_numbers(stream.get(Name.Encode)) or [0, size - 1]
    decode = read_numbers(stream.get(Name.Decode)) or limits
    data = stream.read_bytes()
    if size < 1 or not outputs or bits > 32 or len(data) * 8 < size * outputs * bits:
        raise UnknownFunctionError("a sampled function without samples")
    whole, top = int.from_bytes(data), 2**bits - 1
    last = len(data) * 8 - bits
    samples = [(whole >> (last - index * bits)) & top for index in range(size * outputs)]

    def evaluate(values: Sequence[float]) -> list[float]:
        place = _interpolated(values[0], domain[0], domain[1], encode[0], encode[1])
        place = min(max(place, 0.0), size - 1.0)
        left = min(int(place), max(0, size - 2))
        right, part = min(left + 1, size - 1), place - left
        mixed = [
            samples[left * outputs + index] * (1 - part) + samples[right * outputs + index] * part
            for index in range(outputs)
        ]
        return [
            low + value * (high - low) / top for value, low, high in zip(mixed, decode[::2], decode[1::2], strict=True)
        ]

    return evaluate


def _exponential(entries: pikepdf.Object) -> Function:
    first = read_numbers(entries.get(Name.C0)) or [0.0]
    last = read_numbers(entries.get(Name.C1)) or [1.0]
    exponent = float(entries.get(Name.N, 1))

    def evaluate(values: Sequence[float]) -> list[float]:
        part = values[0] ** exponent if values[0] > 0 or exponent >= 1 else float(exponent == 0)
        return [low + part * (high - low) for low, high in zip(first, last, strict=False)]

    return evaluate


def _stitching(entries: pikepdf.Object, domain: Sequence[float], depth: int) -> Function:
    parts = [read_function(item, depth + 1) for item in items(entries.get(Name.Functions))]
    inner, encode = read_numbers(entries.get(Name.Bounds)), read_numbers(entries.get(Name.Encode))
    bounds = [domain[0], *inner, domain[1]]
    if not parts or len(bounds) != len(parts) + 1 or len(encode) < len(parts) * 2:
        raise UnknownFunctionError("a stitching function without parts")

    def evaluate(values: Sequence[float]) -> list[float]:
        index = sum(values[0] >= bound for bound in inner)
        low, high = bounds[index], bounds[index + 1]
        return parts[index]([_interpolated(values[0], low, high, encode[index * 2], encode[index * 2 + 1])])

    return evaluate


def _interpolated(value: float, low: float, high: float, first: float, last: float) -> float:
    return first if high == low else first + (value - low) * (last - first) / (high - low)
