"""Names of the styles of word processors, in English and in other languages, and what they mean."""

import re
from typing import Literal

Role = Literal["", "title", "code", "quote", "term", "definition", "list", "bullet", "number"]

MAX_HEADING_LEVEL = 6

_HEADING = re.compile(
    r"(?:heading|überschrift|titre|título|titulo|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|címsor|başlık|"
    r"заголовок|επικεφαλίδα|见出し|見出し|标题|標題|제목|titlu|antraštė|naslov)\s*(\d)",
)
_TITLES = frozenset(
    ("title", "titel", "titre", "título", "titolo", "название", "标题", "標題", "表題", "제목", "tytuł")
)
_ROLES: tuple[tuple[Role, frozenset[str]], ...] = (
    (
        "code",
        frozenset(
            (
                "sourcecode", "code", "codeblock", "codeblocks", "htmlpreformatted", "preformattedtext", "preformatted",
                "macro", "macrotext", "verbatim", "listing", "programlisting", "quellcode", "quelltext",
                "htmlvorformatiert", "préformatéhtml", "vorformatiertertext", "textepréformaté", "codigo", "código",
            )
        ),
    ),
    (
        "quote",
        frozenset(
            (
                "quote", "intensequote", "blocktext", "blockquote", "blockquotation", "quotations", "zitat",
                "intensiveszitat", "intensivzitat", "citation", "citationintense", "cita", "citadestacada",
                "citazione", "citazioneintensa", "citat", "citaat", "duidelijkcitaat", "quotedtext",
            )
        ),
    ),
    ("term", frozenset(("definitionterm",))),
    ("definition", frozenset(("definition",))),
)  # fmt: skip
_INLINE_CODE = frozenset(
    (
        "verbatimchar", "htmlcode", "htmlkeyboard", "htmlsample", "htmltypewriter", "sourcetext", "code", "codechar",
        "inlinecode", "codeinline", "sourcecodechar", "htmlpreformattedchar", "teletype",
    )
)  # fmt: skip
_LIST_STYLE = re.compile(r"list(bullet|number)\d?")
_LIST_PARAGRAPHS = frozenset(("listparagraph", "listenabsatz", "listcontinue", "paragraphedeliste", "párrafodelista"))


def named_level(name: str) -> int:
    """Return the level of a heading style by its name in lower case; 0 for other styles."""
    match = _HEADING.fullmatch(name)
    return min(MAX_HEADING_LEVEL, max(1, int(match[1]))) if match else 0


def style_role(name: str) -> Role:
    """Return the role of the paragraphs of a style by its name in lower case. Empty for other styles."""
    if name in _TITLES:
        return "title"
    key = re.sub(r"[\s_-]", "", name)
    for role, names in _ROLES:
        if key in names:
            return role
    if match := _LIST_STYLE.fullmatch(key):
        return "bullet" if match[1] == "bullet" else "number"
    return "list" if key in _LIST_PARAGRAPHS else ""


def is_code_style(name: str) -> bool:
    """Return whether a character style marks code, by its name in lower case."""
    return name.replace(" ", "") in _INLINE_CODE
