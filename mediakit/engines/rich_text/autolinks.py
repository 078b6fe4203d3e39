"""Autolinks of GitHub Flavored Markdown: bare URLs and email addresses become links.

Written for time that grows linearly with the text: a host has at most `MAX_HOST` characters, an email name `MAX_NAME`.
https://github.github.com/gfm/#autolinks-extension-
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

from markdown_it.token import Token

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline

MAX_HOST = 255
MAX_NAME = 256
MAX_URL = 4096

_BEFORE = frozenset(" \t\r\n*_~(")
"""Characters that may stand before a link."""

_HOST = re.compile(rf"[^\s<>\"'`()\[\]{{}},;:!?/\\@#%&*]{{1,{MAX_HOST}}}")
_REST = re.compile(rf"[^\s<]{{0,{MAX_URL}}}")
_SCHEME = re.compile(r"(?:https?|ftp)\Z", re.IGNORECASE)
_ENTITY = re.compile(r"&[A-Za-z0-9]+;\Z")
_TRAILING = "?!.,:*_~'\""

_NAME_END = re.compile(r"[A-Za-z0-9.+_-]+\Z")
_PREFIX_END = re.compile(r"(?:mailto|xmpp):\Z", re.IGNORECASE)
_MAIL_HOST = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+")
_RESOURCE = re.compile(r"/[A-Za-z0-9@.]+")


def autolinks_plugin(markdown: "MarkdownIt") -> None:
    """Add the autolinks to a parser."""
    markdown.inline.add_terminator_char("w")
    markdown.inline.ruler.push("autolink_www", _www)
    markdown.inline.ruler.push("autolink_url", _url)
    # Before escaped characters are joined with the text around them: `\\@` does not begin a host.
    markdown.core.ruler.before("text_join", "autolink_email", _emails)


def _www(state: "StateInline", silent: bool) -> bool:  # noqa: FBT001  # markdown-it's signature
    start = state.pos
    if silent or state.linkLevel or not state.src.startswith("www.", start):
        return False
    if start and state.src[start - 1] not in _BEFORE:
        return False
    end = _url_end(state.src, start, state.posMax, start, needs_dot=True)
    return bool(end) and _push(state, "http://", start, end)


def _url(state: "StateInline", silent: bool) -> bool:  # noqa: FBT001
    if silent or state.linkLevel or not state.src.startswith("://", state.pos):
        return False
    scheme = _SCHEME.search(state.pending[-5:])
    start = state.pos - len(scheme[0]) if scheme else 0
    if not scheme or (start and state.src[start - 1] not in _BEFORE):
        return False
    end = _url_end(state.src, state.pos + 3, state.posMax, start, needs_dot=False)
    return bool(end) and _push(state, "", start, end)


def _url_end(text: str, host_start: int, limit: int, start: int, *, needs_dot: bool) -> int:
    """Return the end of a URL whose host begins at a position; 0 if there is no valid host."""
    host = _HOST.match(text, host_start, limit)
    if not host or not _is_host(host[0].rstrip(_TRAILING), needs_dot=needs_dot):
        return 0
    rest = _REST.match(text, host.end(), limit)
    end = _trimmed_end(text, start, rest.end() if rest else host.end())
    return end if end > host_start else 0


def _is_host(host: str, *, needs_dot: bool) -> bool:
    labels = host.split(".")
    if (needs_dot and len(labels) < 2) or not labels[0] or any("_" in label for label in labels[-2:]):
        return False
    return not any(unicodedata.category(char)[0] == "P" and char not in ".-_" for char in host)


def _trimmed_end(text: str, start: int, end: int) -> int:
    """Return the end of a URL without the punctuation after it."""
    unmatched = text.count(")", start, end) - text.count("(", start, end)
    while end > start:
        last = text[end - 1]
        if last in _TRAILING:
            end -= 1
        elif last == ")" and unmatched > 0:
            unmatched -= 1
            end -= 1
        elif last == ";":
            entity = _ENTITY.search(text, max(start, end - 40), end)
            end = entity.start() if entity else end - 1
        else:
            break
    return end


def _push(state: "StateInline", prefix: str, start: int, end: int) -> bool:
    """Replace the text from `start`, of which a part can be pending, with a link."""
    text = state.src[start:end]
    href = state.md.normalizeLink(prefix + text)
    if not state.md.validateLink(href):
        return False
    if pending := state.pos - start:
        state.pending = state.pending[:-pending]
    opening = state.push("link_open", "a", 1)
    opening.attrs = {"href": href}
    opening.markup = "autolink"
    state.push("text", "", 0).content = text
    state.push("link_close", "a", -1).markup = "autolink"
    state.pos = end
    return True


def _emails(state: "StateCore") -> None:
    for token in state.tokens:
        if token.type != "inline" or not token.children or "@" not in token.content:
            continue
        links = 0
        children: list[Token] = []
        for child in token.children:
            links += child.nesting if child.type in ("link_open", "link_close") else 0
            is_split = child.type == "text" and not links and "@" in child.content
            children += _split(child, state.md) if is_split else [child]
        token.children = children


def _split(token: Token, markdown: "MarkdownIt") -> Iterator[Token]:
    text, done = token.content, 0
    for start, end in _addresses(text):
        if start > done:
            yield _text(text[done:start], token.level)
        address = text[start:end]
        href = address if _PREFIX_END.match(address[: address.index(":") + 1] if ":" in address else "") else ""
        opening = Token("link_open", "a", 1, level=token.level, markup="autolink")
        opening.attrs = {"href": markdown.normalizeLink(href or f"mailto:{address}")}
        yield opening
        yield _text(address, token.level + 1)
        yield Token("link_close", "a", -1, level=token.level, markup="autolink")
        done = end
    if done < len(text):
        yield _text(text[done:], token.level)


def _text(content: str, level: int) -> Token:
    return Token("text", "", 0, content=content, level=level)


def _addresses(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of the email addresses of a text."""
    done, at = 0, text.find("@")
    while at >= 0:
        name = _NAME_END.search(text[max(done, at - MAX_NAME) : at])
        host = _MAIL_HOST.match(text, at + 1, at + 1 + MAX_HOST)
        if name and host and host[0][-1] not in "-_" and text[host.end() : host.end() + 1] != "@":
            start, end = at - len(name[0]), host.end()
            if prefix := _PREFIX_END.search(text[max(done, start - 7) : start]):
                start -= len(prefix[0])
                if prefix[0].lower() == "xmpp:" and (resource := _RESOURCE.match(text, end, end + MAX_HOST)):
                    end = resource.end() - (resource[0][-1] == ".")
            yield start, end
            done = end
        at = text.find("@", max(at + 1, done))
