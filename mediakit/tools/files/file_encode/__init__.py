"""`file_encode`: encodes files and text as base64 and other text, or compresses them, and back."""

from mediakit.tools.files.file_encode.tool import file_encode

__all__ = ["file_encode"]
