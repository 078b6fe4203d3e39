"""How a page is seen: the fields that every tool has that takes the picture of one."""

from dataclasses import KW_ONLY
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mediakit.core.fields import CssSelector
from mediakit.core.request import request


@request
class Look:
    """What of a page is pictured, and on what screen. Requests inherit it; engines take it as it is."""

    _: KW_ONLY
    selector: CssSelector | None = None
    """CSS selector of an element to picture alone, the first that it matches."""
    padding: Annotated[int, Field(ge=0, le=500)] = 0
    """Space to leave around the element of `selector`, in CSS pixels."""
    transparent: bool = False
    """Leave the page's background transparent where the page paints none; jpeg has no transparency."""
    device_scale_factor: Annotated[int, Field(ge=1, le=3)] = 1
    """Pixels of the picture for each CSS pixel: 2 is as sharp as a phone's screen."""
    color_scheme: Literal["light", "dark"] = "light"
    """Colours that the page is asked for, by `prefers-color-scheme`."""

    @model_validator(mode="after")
    def _padding_has_an_element(self) -> Self:
        if self.padding and self.selector is None:
            raise ValueError("padding: goes with selector.")
        return self
