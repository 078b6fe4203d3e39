"""`code_reader`: find and read the QR codes and barcodes of a picture or a PDF."""

from mediakit.tools.code_reader.tool import code_reader

__all__ = ["code_reader"]
