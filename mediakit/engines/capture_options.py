"""Request fields shared by the tools that take screenshots of pages."""

from dataclasses import KW_ONLY
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mediakit.core.fields import CssSelector
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms


@request
class CaptureOptions:
    """The part of the page to capture and the screen to emulate. Requests inherit it; engines read it."""

    _: KW_ONLY
    selector: Annotated[CssSelector | None, Synonyms("css, css_selector, element")] = None
    """CSS selector. Capture only the first element that it matches."""
    padding: Annotated[int, Field(ge=0, le=500), Synonyms("margin, border")] = 0
    """Space around the element of `selector`, in CSS pixels."""
    transparent: Annotated[bool, Synonyms("transparency, omit_background, no_background")] = False
    """Use a transparent page background where the page sets none. jpeg does not support transparency."""
    device_scale_factor: Annotated[
        int, Field(ge=1, le=3), Synonyms("scale, dpr, pixel_ratio, device_pixel_ratio, retina, zoom")
    ] = 1
    """Image pixels per CSS pixel. 2 is as sharp as a phone screen."""
    color_scheme: Annotated[Literal["light", "dark"], Synonyms("theme, dark_mode")] = "light"
    """Color scheme to emulate, for the media feature `prefers-color-scheme`."""

    @model_validator(mode="after")
    def _check_padding(self) -> Self:
        if self.padding and self.selector is None:
            raise ValueError("padding: requires selector.")
        return self
