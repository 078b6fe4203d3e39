"""Charsets of texts: detection by marks, structure and statistics, and decoding."""

from mediakit.engines.charsets.detection import Charset, analyze, decode, detect
from mediakit.engines.charsets.names import iana_name, known_codec
from mediakit.engines.charsets.word_fit import plausibility

__all__ = ["Charset", "analyze", "decode", "detect", "iana_name", "known_codec", "plausibility"]
