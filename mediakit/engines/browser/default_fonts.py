"""The font families that Chromium's windows use by default. Headless Chromium has no defaults of its own."""

import sys
from typing import Any

LINUX = {
    "fontFamilies": {
        "standard": "Times New Roman",
        "fixed": "Monospace",
        "serif": "Times New Roman",
        "sansSerif": "Arial",
        "cursive": "Comic Sans MS",
        "fantasy": "Impact",
    }
}

MAC = {
    "fontFamilies": {
        "standard": "Times",
        "fixed": "Courier",
        "serif": "Times",
        "sansSerif": "Helvetica",
        "cursive": "Apple Chancery",
        "fantasy": "Papyrus",
    },
    "forScripts": [
        {
            "script": script,
            "fontFamilies": {"standard": sans, "serif": serif, "sansSerif": sans},
        }
        for script, sans, serif in (
            ("jpan", "Hiragino Kaku Gothic ProN", "Hiragino Mincho ProN"),
            ("hang", "Apple SD Gothic Neo", "AppleMyungjo"),
            ("hans", ",PingFang SC,STHeiti", "Songti SC"),
            ("hant", ",PingFang TC,Heiti TC", "Songti TC"),
        )
    ],
}

DEFAULT_FONTS: dict[str, Any] = MAC if sys.platform == "darwin" else LINUX
"""Parameters of `Page.setFontFamilies`, by script of the text where scripts differ."""
