"""Saves PDFs: compact, and equal for equal input."""

import warnings
from io import BytesIO

import pikepdf


def save(pdf: pikepdf.Pdf, *, min_version: str = "1.5") -> bytes:
    """Return the bytes of a PDF, without a new date or a random identifier."""
    target = BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pdf.save(
            target,
            min_version=min_version,
            fix_metadata_version=False,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            deterministic_id=True,
        )
    return target.getvalue()
