"""Code blocks: their text as it is typed, without line numbers, and the language that their classes name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.markdown.blocks import Block
from mediakit.tools.documents.web_to_markdown.markdown.elements import BLOCKS, SILENT, classes, name, words

if TYPE_CHECKING:
    from mediakit.tools.documents.web_to_markdown.markdown.writer import Writer

_LANGUAGE = re.compile(
    r"(?:^|\s)(?:lang(?:uage)?|highlight-(?:source|text)|highlight|brush|code)[-:]\s*([\w+#.-]{1,30})", re.IGNORECASE
)
_BARE = words(
    "bash sh shell zsh console powershell python py python3 ruby rb perl php java javascript js jsx typescript "
    "ts tsx json json5 yaml yml toml "
    "ini xml html css scss sass less sql c cpp c++ csharp cs c# objc go golang rust swift kotlin scala haskell "
    "elixir erlang "
    "clojure lua r matlab julia dart diff dockerfile makefile nginx graphql markdown md tex latex vim groovy "
    "fortran ocaml "
    "lisp scheme text plaintext svelte vue http asm nasm protobuf terraform hcl"
)
_NO_LANGUAGE = words(
    "none plain nohighlight no-highlight default wrap block table toolbar box container wrapper example text "
    "plaintext lines copy sample hljs"
)
_GUTTER = re.compile(
    r"(?:^|[\s_-])(?:gutter|line-?numbers?(?:-rows)?|linenos?|lnum|lnt?|blob-num|rouge-gutter|hljs-ln-numbers|copy-?(?:btn|button|code)?)(?:$|\s)",
    re.IGNORECASE,
)


def text_of(block: HtmlElement) -> str:
    """Give what a code block says, line by line."""
    pieces: list[str] = []
    _collect(block, pieces)
    text = "".join(pieces).replace("\r\n", "\n").replace("\r", "\n")
    return text.removeprefix("\n") if (block.text or "").startswith(("\n", "\r\n")) else text


def fenced(text: str, language: str) -> str:
    """Write a fenced code block (CommonMark 4.5)."""
    longest = max((len(run) for run in re.findall(r"(?m)^\s*(`{3,})", text)), default=2)
    fence = "`" * (longest + 1)
    body = text.removesuffix("\n")
    return f"{fence}{language}\n{body}\n{fence}" if text else f"{fence}{language}\n{fence}"


def language_of(block: HtmlElement) -> str:
    """Name the language of a code block as its classes, or those of its wrapper, do; empty where none does."""
    near = [block, *block.iter("code"), *_wrappers(block)]
    for element in near[:8]:
        for attribute in (
            "data-lang",
            "data-language",
            "data-code-language",
            "lang" if name(element) == "code" else "",
        ):
            if attribute and re.fullmatch(r"[\w+#.-]{1,30}", element.get(attribute) or ""):
                return str(element.get(attribute)).lower()
        if found := _in_classes(classes(element)):
            return found
    return ""


def _wrappers(block: HtmlElement) -> list[HtmlElement]:
    """Give the ancestors that hold nothing but this code."""
    found = []
    for element in list(block.iterancestors("div", "figure", "table", "td", "tr", "tbody"))[:6]:
        if len(element.findall(".//pre")) > 2:
            break
        found.append(element)
    return found


def _in_classes(names: str) -> str:
    for match in _LANGUAGE.finditer(names):
        found = match[1].lower()
        if found not in _NO_LANGUAGE:
            return found
    return next(
        (each.lower() for each in names.split() if each.lower() in _BARE and each.lower() not in _NO_LANGUAGE), ""
    )


def _collect(element: HtmlElement, pieces: list[str]) -> None:
    tag = name(element)
    if tag == "br":
        pieces.append("\n")
        return
    if tag in SILENT or _GUTTER.search(classes(element)):
        return
    starts_line = tag in BLOCKS and tag not in ("pre", "table", "tbody", "td")
    if starts_line:
        _end_line(pieces)
    pieces.append(element.text or "")
    for child in element:
        _collect(child, pieces)
        pieces.append(child.tail or "")
    if starts_line:
        _end_line(pieces)


def _end_line(pieces: list[str]) -> None:
    last = next((piece for piece in reversed(pieces) if piece), "\n")
    if not last.endswith("\n"):
        pieces.append("\n")


def written(writer: Writer, element: HtmlElement, _before: Block | None) -> list[Block]:
    """Write a code block."""
    text = text_of(element)
    if not text.strip() and (element.find("code") is None or element.text_content().strip()):
        return []
    if writer.style.plain:
        return [Block("code", text.strip("\n"))] if text.strip() else []
    return [Block("code", fenced(text, language_of(element)))]
