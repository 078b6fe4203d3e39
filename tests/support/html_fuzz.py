"""Generated HTML pages with control characters and character references in every place."""

import json
import random
from collections.abc import Callable

CHARACTERS = [
    *("\x00\x01\x08\x0b\x0c\x0e\x1b\x1f\x7f\x80\x85\x9f\u200b\u2028\ufeff\ufdd0\ufffe\uffff\U0001fffe\U0010ffff"),
    *(f"&#{code};" for code in (0, 1, 8, 11, 12, 14, 27, 31, 127, 128, 150, 159, 55296, 57343, 65534, 65535, 1114112)),
    *(
        "&#x0;",
        "&#XB;",
        "&#x0C",
        "&#x1f;",
        "&#xd800;",
        "&#xfffe;",
        "&#x110000;",
        "&#99999999999;",
        "&#x",
        "&#;",
        "&#-1;",
    ),
    *("&nbsp;", "&NoBreak;", "&amp;#12;", "&shy", "\r", "\t", "\n"),
]
"""Characters that XML, JSON or a terminal do not accept, and references to them, valid or not."""

JSON_ESCAPES = ["clean", r"\u0000", r"\u001f", r"\ud800", r"x\udfff", r"\ud83d\ude00", r"\ufffe"]

WORDS = [
    "Tea",
    "needs",
    "hot",
    "water,",
    "a",
    "clean",
    "pot",
    "and",
    "time",
    "to",
    "steep",
    "well",
    "before",
    "it",
    "is",
    "served",
    "to",
    "guests",
]


class HtmlFuzz:
    """Generates one page."""

    def __init__(self, number: int) -> None:
        self._rng = random.Random(number)

    def page(self) -> str:
        """Return a page."""
        parts = "".join(self._part() for _ in range(self._rng.randint(2, 6)))
        return (
            f"<!DOCTYPE html><html lang='{self._text(1)}'><head>{self._head()}</head>"
            f"<body class='{self._text(1)}'>{self._mark()}<nav>{self._text(2)}</nav>"
            f"<article><h1>{self._text(3)}</h1>{parts}</article>{self._mark()}</body></html>{self._mark()}"
        )

    def _head(self) -> str:
        data = {
            "@type": "Article",
            "headline": self._text(2),
            "description": self._text(3),
            "author": [{"name": self._text(1)}, self._text(1)],
            "publisher": {"name": self._text(1)},
            "image": {"url": f"https://e.com/{self._mark()}.png"},
            "url": f"https://e.com/{self._mark()}",
            "datePublished": f"2026-11-22{self._mark()}",
            "inLanguage": f"en{self._mark()}",
        }
        json_text = json.dumps(data, ensure_ascii=False).replace("clean", self._rng.choice(JSON_ESCAPES))
        return (
            f"<title>{self._text(2)}</title><meta name=description content='{self._text(3)}'>"
            f"<meta property='og:{self._mark()}title' content='{self._text(2)}'><base href='https://e.com/{self._mark()}'>"
            f"<link rel=canonical href='/a{self._mark()}b'><style>a{{content:'{self._mark()}'}}</style>"
            f"<script type='application/ld+json'>{json_text}</script>"
        )

    def _part(self) -> str:
        text = self._text
        kinds: list[Callable[[], str]] = [
            lambda: f"<p{self._attribute()}>{text(30)}<br>{text(20)}</p>",
            lambda: f"<h2 id='{text(1)}'>{text(2)}</h2><p>{text(30)}</p>",
            lambda: f"<p>{text(9)}<a href='/a{self._mark()}?b={self._mark()}' title='{text(1)}'>{text(1)}</a></p>",
            lambda: f"<img src='/i{self._mark()}.png' alt='{text(2)}'><i>{text(3)}</i>",
            lambda: f"<table><caption>{text(1)}</caption><tr><th>{text(1)}<td>{text(1)}</tr></table>",
            lambda: f"<pre><code class='language-{self._mark()}'>{text(5)}</code></pre>",
            lambda: f"<ul><li>{text(4)}<li>{self._mark()}<ol><li>{text(1)}</ol></ul>",
            lambda: f"<blockquote cite='{text(1)}'>{text(9)}</blockquote><hr{self._attribute()}>",
            lambda: f"<script type='math/tex'>a{self._mark()}b</script><p hidden>{text(2)}</p>",
            lambda: f"<dl><dt>{text(1)}<dd>{text(2)}</dl><details><summary>{text(1)}</summary>{text(3)}</details>",
            lambda: f"<{self._mark()}div>{text(2)}</div><b{self._mark()}c>{text(1)}</b><!-- {self._mark()} -->",
            lambda: f"<textarea>{text(1)}</textarea><iframe srcdoc='{text(1)}'></iframe><b>{text(1)}</b>",
        ]
        return self._rng.choice(kinds)()

    def _attribute(self) -> str:
        return self._rng.choice(
            ["", f" title='{self._mark()}'", f" a{self._mark()}b=c", f' x"y="{self._mark()}"', " hidden"]
        )

    def _text(self, words: int) -> str:
        chosen = self._rng.choices(WORDS, k=words)
        for _ in range(self._rng.randint(0, 2)):
            chosen.insert(self._rng.randrange(len(chosen) + 1), self._mark())
        return self._rng.choice(["", " "]).join(chosen) if words == 1 else " ".join(chosen)

    def _mark(self) -> str:
        return self._rng.choice(CHARACTERS) if self._rng.random() < 0.8 else ""
