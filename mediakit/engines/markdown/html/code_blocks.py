"""Code blocks: their text without line numbers, and their language."""

import re

from lxml.html import HtmlElement

from mediakit.engines.markdown.blocks import Block
from mediakit.engines.markdown.fences import fenced_code
from mediakit.engines.markdown.html.block_writer import BlockWriter
from mediakit.engines.markdown.html.elements import (
    BLOCK_ELEMENTS,
    IGNORED_ELEMENTS,
    class_names,
    tag_name,
    word_set,
)

_LANGUAGE_CLASS = re.compile(
    r"(?:^|\s)(?:lang(?:uage)?|highlight-(?:source|text)|highlight|brush|code)[-:]\s*([\w+#.-]{1,30})", re.IGNORECASE
)
_LANGUAGES = word_set(
    "bash sh shell zsh console powershell python py python3 ruby rb perl php java javascript js jsx typescript "
    "ts tsx json json5 yaml yml toml "
    "ini xml html css scss sass less sql c cpp c++ csharp cs c# objc go golang rust swift kotlin scala haskell "
    "elixir erlang "
    "clojure lua r matlab julia dart diff dockerfile makefile nginx graphql markdown md tex latex vim groovy "
    "fortran ocaml "
    "lisp scheme text plaintext svelte vue http asm nasm protobuf terraform hcl"
)
"""Class names that are languages without a prefix such as `language-`."""

_NO_LANGUAGE = word_set(
    "none plain nohighlight no-highlight default wrap block table toolbar box container wrapper example text "
    "plaintext lines copy sample hljs"
)
LINE_NUMBERS_CLASS = re.compile(
    r"(?:^|[\s_-])(?:gutter|line-?num(?:ber)?s?(?:-rows)?|linenos?|lineno-?\w*|linenodiv|lnum|lnt?|ln-num|blob-num|rouge-gutter|"
    r"hljs-ln-n(?:umbers)?|line_number|CodeMirror-(?:linenumber|gutter-wrapper)|copy-?(?:btn|button|code)?|clipboard-copy)(?:$|\s)",
    re.IGNORECASE,
)
"""Classes of line numbers and copy buttons."""

_NOT_SELECTABLE = re.compile(r"user-select\s*:\s*none", re.IGNORECASE)
_CODE_CONTAINERS = ("pre", "code", "ol", "table")
"""Elements whose class names say that the code inside has line numbers."""

_NOT_CODE = IGNORED_ELEMENTS | {"button"}

_LANGUAGE_VALUE = re.compile(r"[\w+#.-]{1,30}")
_LANGUAGE_ATTRIBUTES = ("data-lang", "data-language", "data-code-language")
MAX_WRAPPERS = 6
MAX_LANGUAGE_ELEMENTS = 8
"""Elements whose attributes are searched for a language."""


def write_code_block(writer: BlockWriter, element: HtmlElement, _previous: Block | None) -> list[Block]:
    """Write a code block."""
    text = code_text(element)
    if not text.strip() and (element.find("code") is None or element.text_content().strip()):
        return []
    if writer.options.plain:
        return [Block("code", text.strip("\n"))] if text.strip() else []
    return [Block("code", fenced_code(text, code_language(element)))]


def code_text(block: HtmlElement) -> str:
    """Return the text of a code block without line numbers and copy buttons."""
    pieces: list[str] = []
    _collect(block, pieces)
    text = "".join(pieces).replace("\r\n", "\n").replace("\r", "\n")
    return text.removeprefix("\n") if (block.text or "").startswith(("\n", "\r\n")) else text


def code_language(block: HtmlElement) -> str:
    """Return the language in the attributes of a code block or its wrappers. Empty if there is none."""
    elements = [block, *block.iter("code"), *_wrappers(block)]
    for element in elements[:MAX_LANGUAGE_ELEMENTS]:
        for attribute in (*_LANGUAGE_ATTRIBUTES, "lang" if tag_name(element) == "code" else ""):
            if attribute and _LANGUAGE_VALUE.fullmatch(element.get(attribute) or ""):
                return str(element.get(attribute)).lower()
        if language := _language_in_classes(class_names(element)):
            return language
    return ""


def _wrappers(block: HtmlElement) -> list[HtmlElement]:
    """Return the ancestors that contain only this code block and its line numbers."""
    found = []
    for element in list(block.iterancestors("div", "figure", "table", "td", "tr", "tbody"))[:MAX_WRAPPERS]:
        if len(element.findall(".//pre")) > 2:
            break
        found.append(element)
    return found


def _language_in_classes(classes: str) -> str:
    for match in _LANGUAGE_CLASS.finditer(classes):
        language = match[1].lower()
        if language not in _NO_LANGUAGE:
            return language
    names = (name.lower() for name in classes.split())
    return next((name for name in names if name in _LANGUAGES and name not in _NO_LANGUAGE), "")


def _collect(element: HtmlElement, pieces: list[str]) -> None:
    tag = tag_name(element)
    if tag == "br":
        pieces.append("\n")
        return
    is_number = tag not in _CODE_CONTAINERS and LINE_NUMBERS_CLASS.search(class_names(element))
    if is_number or tag in _NOT_CODE or _cannot_be_copied(element):
        return
    starts_line = tag in BLOCK_ELEMENTS and tag not in ("pre", "table", "tbody", "td", "th")
    if starts_line:
        _end_line(pieces)
    pieces.append(element.text or "")
    for child in element:
        _collect(child, pieces)
        pieces.append(child.tail or "")
    if starts_line:
        _end_line(pieces)


def _cannot_be_copied(element: HtmlElement) -> bool:
    """Return whether an element inside a listing is beside the code, as line numbers and prompts are.

    Such an element is not part of what visitors select and copy.
    """
    style = element.get("style")
    return style is not None and element.tag != "pre" and _NOT_SELECTABLE.search(style) is not None


def _end_line(pieces: list[str]) -> None:
    last = next((piece for piece in reversed(pieces) if piece), "\n")
    if not last.endswith("\n"):
        pieces.append("\n")
