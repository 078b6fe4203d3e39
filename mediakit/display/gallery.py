"""Galleries: cards with a thumbnail, a title and facts, as HTML that every notebook front end displays."""

import html
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pybase64
from PIL import Image

THUMBNAIL_SIDE = 400
"""Longer side of a thumbnail, in pixels. It is displayed at half this size, for high-density screens."""

MAX_STORED_BYTES = 1_000_000
"""Maximum size of all thumbnails in a gallery. The cards after this limit have no thumbnail."""

CARD_STYLE = "display:inline-block;vertical-align:top;width:216px;margin:0 12px 16px 0;font-size:12px;line-height:1.45"
IMAGE_STYLE = "max-width:200px;max-height:200px;border:1px solid rgba(128,128,128,.35);border-radius:4px"


@dataclass(frozen=True)
class Card:
    """A result in a gallery."""

    title: str
    facts: str
    alt: str
    thumbnail: bytes
    """A WebP; empty for a card without an image."""


def thumbnail(bundle: Mapping[str, Any]) -> bytes:
    """Return a small WebP of the PNG or JPEG in a MIME bundle; empty bytes if it has neither."""
    content = bundle.get("image/png") or bundle.get("image/jpeg")
    if not content:
        return b""
    with Image.open(io.BytesIO(content)) as opened:
        image = opened.convert("RGBA")
    image.thumbnail((THUMBNAIL_SIDE, THUMBNAIL_SIDE))
    target = io.BytesIO()
    image.save(target, "WEBP", quality=80)
    return target.getvalue()


def gallery_html(cards: Iterable[Card]) -> str:
    """Return cards as HTML. Only thumbnails within `MAX_STORED_BYTES` are kept in memory."""
    remaining, parts = MAX_STORED_BYTES, []
    for card in cards:
        remaining -= len(card.thumbnail)
        image, title, facts = "", html.escape(card.title), html.escape(card.facts)
        if card.thumbnail and remaining > 0:
            source = f"data:image/webp;base64,{pybase64.b64encode(card.thumbnail).decode()}"
            image = f'<img alt="{html.escape(card.alt)}" src="{source}" style="{IMAGE_STYLE}"><br>'
        about = f'<b>{title}</b><br><span style="opacity:.75">{facts}</span>'
        parts.append(f'<div style="{CARD_STYLE}">{image}{about}</div>')
    return f"<div>{''.join(parts)}</div>"
