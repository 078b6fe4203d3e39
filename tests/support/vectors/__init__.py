"""Attack vectors: ways in which a page can try to reach an address that it must not reach.

A vector is markup, and the responses of a public site that the markup uses. Both can contain placeholders, which are
replaced when the test runs:

| placeholder | replaced by |
| --- | --- |
| `png`, `css`, `js`, `html`, `svg`, `vtt`, `json` | a URL of the canary that names the vector, with this suffix |
| `host` | host and port of the canary |
| `common` | the canary's common port |
| `own` | a port of the canary for this vector only, for requests without a path |
| `public` | a URL of the public site, the base of the vector's `responses` |
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tests.support.browser_kit import Site
from tests.support.canary import Canary

Response = tuple[int, str, Mapping[str, str]]
"""Status, content and headers."""

CAPTURE, PDF, SCREENSHOT, UNGUARDED = "capture", "pdf", "screenshot", "unguarded Chromium"

HTML = frozenset({CAPTURE, PDF})
EVERYWHERE = HTML | {SCREENSHOT, UNGUARDED}
"""Reach the canary from every renderer when the guard allows it."""
WHEN_IDLE = EVERYWHERE - {PDF}
"""Run when Chromium is idle. A PDF is printed as soon as its page has loaded, which is often earlier."""
UNSANDBOXED = frozenset({SCREENSHOT, UNGUARDED})
"""Require scripts, or features that `Content-Security-Policy: sandbox` disables for the caller's HTML."""
UNPROXIED = frozenset({UNGUARDED})
"""Do not use the proxy (UDP) or are disabled by mediakit's flags, so only an unguarded Chromium runs them."""
NOWHERE: frozenset[str] = frozenset()
"""Not even an unguarded Chromium runs these. They are kept because Chromium may change."""

PUBLIC_HOST = "127.0.0.2"
"""Represents the public internet."""
CANARY_HOST = "127.0.0.1"

_PLACEHOLDER = re.compile(r"\{(png|css|js|html|svg|vtt|json|host|common|own|public)\}")


@dataclass(frozen=True)
class Vector:
    """One way to reach the canary."""

    name: str
    """Unique; letters, digits and hyphens, because it is part of URLs."""
    html: str
    responses: Mapping[str, Response] = field(default_factory=dict)
    """Responses of the public site, by path below the vector's own path."""
    reaches: frozenset[str] = EVERYWHERE
    """Renderers from which the vector reaches the canary when the guard allows it."""

    def page(self, canary: Canary, public: Site) -> str:
        """Return the markup with its placeholders replaced, and add the responses to the public site."""
        fill = self._replacer(canary, public)
        for path, (status, content, headers) in self.responses.items():
            filled = {"Content-Type": "text/html"} | {name: fill(value) for name, value in headers.items()}
            public.responses[f"/{self.name}{path}"] = (status, fill(content).encode(), filled)
        return fill(self.html)

    def _replacer(self, canary: Canary, public: Site) -> Callable[[str], str]:
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
                    return f"http:{canary.url(self.name, '.' + suffix, CANARY_HOST)}"

        return lambda text: _PLACEHOLDER.sub(value, text)


def in_frame(name: str, html: str, reaches: frozenset[str] = EVERYWHERE, **headers: str) -> Vector:
    """Return a vector whose markup is a separate document of the public site, shown in a frame."""
    fields = {key.replace("_", "-"): value for key, value in headers.items()}
    return Vector(name, "<iframe src={public}/page></iframe>", {"/page": (200, html, fields)}, reaches)


def names(vectors: list[Vector]) -> list[str]:
    """Return the names of vectors, for test IDs."""
    return [vector.name for vector in vectors]
