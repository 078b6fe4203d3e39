"""Charsets of texts: detection by marks, structure and statistics, and decoding."""

from mediakit.engines.charsets.detection import (
    Charset,
    analyze,
    decode,
    detect,
    escape_charset,
    marked_charset,
    text_sample,
    wide_charset,
)
from mediakit.engines.charsets.names import iana_name, known_codec
from mediakit.engines.charsets.statistics import best_likelihood, guess, likelihood, plausibility

__all__ = [
    "Charset", "analyze", "best_likelihood", "decode", "detect", "escape_charset", "guess", "iana_name", "known_codec",
    "likelihood", "marked_charset", "plausibility", "text_sample", "wide_charset",
]  # fmt: skip
