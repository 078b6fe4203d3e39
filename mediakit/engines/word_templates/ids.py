"""Makes IDs unique after parts of a document were repeated: drawings, bookmarks, content controls, paragraphs."""

import re

from lxml import etree

from mediakit.engines.word_templates.vocabulary import WORD_2010, Vocabulary, name_of

MAX_BOOKMARK_LENGTH = 40

_DRAWING_ID = re.compile(rb'docPr\b[^>]*?\sid="(\d{1,9})"')

_COMMENTS = ("commentRangeStart", "commentRangeEnd", "commentReference", "permStart", "permEnd")


class UniqueIds:
    """The IDs of a document."""

    def __init__(self, untouched: list[bytes]) -> None:
        """Read the IDs of the parts that are not filled."""
        self._drawings = {int(number) for part in untouched for number in _DRAWING_ID.findall(part)}
        self._next_drawing = 1
        self._bookmark_names: dict[str, int] = {}
        self._next_bookmark = 1

    def apply(self, root: etree._Element, words: Vocabulary) -> None:
        """Change the IDs of a filled part that another element of the document has."""
        for properties in root.iter("{*}docPr"):
            if etree.QName(properties).namespace != words.namespace:
                properties.set("id", str(self._drawing_id(properties.get("id", ""))))
        if not words.is_word:
            return
        self._number_bookmarks(root, words)
        _drop_repeated(root, words)

    def _drawing_id(self, given: str) -> int:
        number = int(given) if given.isascii() and given.isdigit() and len(given) < 10 else 0
        if number < 1 or number in self._drawings:
            while self._next_drawing in self._drawings:
                self._next_drawing += 1
            number = self._next_drawing
        self._drawings.add(number)
        return number

    def _number_bookmarks(self, root: etree._Element, words: Vocabulary) -> None:
        """Number all bookmarks again; the second one of a name gets another name."""
        open_ids: dict[str, str] = {}
        value, label = words.name("id"), words.name("name")
        taken = {each.get(value, "") for each in root.iter(words.name("bookmarkStart"))}
        seen: set[str] = set()
        for mark in root.iter(words.name("bookmarkStart"), words.name("bookmarkEnd")):
            old = mark.get(value, "")
            if mark.tag == words.name("bookmarkEnd"):
                mark.set(value, open_ids.get(old, old))
                continue
            open_ids[old] = old if old not in seen else self._bookmark_id(taken)
            seen.add(old)
            mark.set(value, open_ids[old])
            mark.set(label, self._bookmark_name(mark.get(label, "")))

    def _bookmark_id(self, taken: set[str]) -> str:
        while str(self._next_bookmark) in taken:
            self._next_bookmark += 1
        taken.add(str(self._next_bookmark))
        return str(self._next_bookmark)

    def _bookmark_name(self, name: str) -> str:
        candidate, count = name, self._bookmark_names.get(name.lower(), 0)
        while candidate.lower() in self._bookmark_names:
            count += 1
            candidate = f"{name[: MAX_BOOKMARK_LENGTH - len(str(count)) - 1]}_{count}"
        self._bookmark_names[name.lower()] = max(1, count)
        self._bookmark_names.setdefault(candidate.lower(), 1)
        return candidate


def _drop_repeated(root: etree._Element, words: Vocabulary) -> None:
    """Remove IDs that only the first copy can have: those of paragraphs, content controls and comments."""
    seen: set[tuple[str, str]] = set()
    for element in list(root.iter(words.paragraph, words.row)):
        identity = element.get(f"{{{WORD_2010}}}paraId")
        if identity is not None and not _is_new(("p", identity), seen):
            del element.attrib[f"{{{WORD_2010}}}paraId"]
            element.attrib.pop(f"{{{WORD_2010}}}textId", None)
    for identity_element in list(root.iterfind(f".//{words.name('sdtPr')}/{words.name('id')}")):
        if not _is_new(("sdt", identity_element.get(words.name("val"), "")), seen):
            identity_element.getparent().remove(identity_element)  # type: ignore[union-attr]  # it was found in it
    for element in list(root.iter(*map(words.name, _COMMENTS))):
        if not _is_new((name_of(element), element.get(words.name("id"), "")), seen):
            element.getparent().remove(element)  # type: ignore[union-attr]  # the root is not a comment


def _is_new(key: tuple[str, str], seen: set[tuple[str, str]]) -> bool:
    is_new = key not in seen
    seen.add(key)
    return is_new
