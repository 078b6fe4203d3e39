"""Ways in which a page may try to reach an address that it must not, as data.

A vector is markup, and what a public site answers for it. In both these stand for what is known when the test runs:

| in braces | stands for |
| --- | --- |
| `png`, `css`, `js`, `html`, `svg`, `vtt`, `json` | an address at the canary that names the vector and ends like this |
| `host` | host and port of the canary |
| `common` | the canary's common port |
| `own` | a port of the canary's that belongs to the vector alone, where no path would be sent |
| `public` | an address at the public site, below which the vector's `replies` are |
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tests.support.browser_kit import Site
from tests.support.canary import Canary

Reply = tuple[int, str, Mapping[str, str]]
"""Status, content and headers."""

CAPTURE, PDF, SCREENSHOT, BARE = "capture", "pdf", "screenshot", "bare Chromium"

HTML = frozenset({CAPTURE, PDF})
EVERYWHERE = HTML | {SCREENSHOT, BARE}
"""An open guard lets these through, whoever draws the page."""
UNSANDBOXED = frozenset({SCREENSHOT, BARE})
"""These need scripts, or what `Content-Security-Policy: sandbox` forbids to the HTML that users give."""
UNPROXIED = frozenset({BARE})
"""These pass no proxy (UDP) or are switched off by our flags: only a Chromium without them lets them out."""
NOWHERE: frozenset[str] = frozenset()
"""Even a Chromium without any guard does not follow these; they stay, one change of Chromium away."""

PUBLIC_HOST = "127.0.0.2"
"""Plays the public internet."""
CANARY_HOST = "127.0.0.1"

_PLACEHOLDER = re.compile(r"\{(png|css|js|html|svg|vtt|json|host|common|own|public)\}")


@dataclass(frozen=True)
class Vector:
    """One way to try it."""

    name: str
    """Unique; part of addresses, so letters, digits and hyphens."""
    html: str
    replies: Mapping[str, Reply] = field(default_factory=dict)
    """What the public site answers, by the path below the vector's own."""
    reaches: frozenset[str] = EVERYWHERE
    """Who reaches the canary when nothing forbids it."""

    def page(self, canary: Canary, public: Site) -> str:
        """Write the markup, and let the public site answer as the vector wants."""
        fill = self._filler(canary, public)
        for path, (status, content, headers) in self.replies.items():
            filled = {"Content-Type": "text/html"} | {name: fill(value) for name, value in headers.items()}
            public.replies[f"/{self.name}{path}"] = (status, fill(content).encode(), filled)
        return fill(self.html)

    def _filler(self, canary: Canary, public: Site) -> Callable[[str], str]:
        def value(match: re.Match[str]) -> str:
            match match[1]:
                case "host":
                    return f"{CANARY_HOST}:{canary.port}"
                case "common":
                    return str(canary.port)
                case "own":
                    return str(canary.port_of(self.name))
                case "public":
                    return public.url(f"/{self.name}", PUBLIC_HOST)
                case suffix:
                    return f"http:{canary.address(self.name, '.' + suffix, CANARY_HOST)}"

        return lambda text: _PLACEHOLDER.sub(value, text)


def framed(name: str, html: str, reaches: frozenset[str] = EVERYWHERE, **headers: str) -> Vector:
    """Make a vector that needs a document of its own: the public site has it, and a frame shows it."""
    fields = {key.replace("_", "-"): value for key, value in headers.items()}
    return Vector(name, "<iframe src={public}/page></iframe>", {"/page": (200, html, fields)}, reaches)


def named(vectors: list[Vector]) -> list[str]:
    """Give the names of vectors, as ids of tests."""
    return [vector.name for vector in vectors]
