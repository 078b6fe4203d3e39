"""Samples to try the tools on, made for mediakit."""

from pathlib import Path

LANDSCAPE = Path(__file__).parent / "landscape.jpg"
"""A lake at dusk, with a small red tent at the lower right: 1600 x 1000 pixels, JPEG."""

PAGE = Path(__file__).parent / "page" / "index.html"
"""A web page with an article, a script, colours for the dark, and LANDSCAPE as `landscape.jpg` beside it."""

LOGO = Path(__file__).parent / "logo.png"
"""A mountain and the sun in a circle: 512 x 512 pixels, PNG with transparent corners."""

LABEL = Path(__file__).parent / "label.png"
"""A jar's label with an EAN-13, a QR code, a GS1 Data Matrix and a Code 128: 1200 x 800 pixels, PNG."""
