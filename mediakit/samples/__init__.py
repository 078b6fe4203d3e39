"""Pictures to try the tools on, drawn for mediakit."""

from pathlib import Path

LANDSCAPE = Path(__file__).parent / "landscape.jpg"
"""A lake at dusk, with a small red tent at the lower right: 1600 x 1000 pixels, JPEG."""
