"""Control words of Rich Text Format: those that are characters, and those that begin destinations."""

from mediakit.engines.markdown.html.elements import word_set

CHARACTERS = {
    "tab": "\t",
    "emdash": "—",
    "endash": "–",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "bullet": "•",
    "emspace": "\u2003",
    "enspace": "\u2002",
    "qmspace": "\u2005",
    "page": " ",
    "column": " ",
    "zwj": "\u200d",
    "zwnj": "\u200c",
    "ltrmark": "\u200e",
    "rtlmark": "\u200f",
}
SYMBOLS = {"~": "\xa0", "_": "\u2011", "-": "\xad", "{": "{", "}": "}", "\\": "\\", "\t": "\t"}

TRANSPARENT = word_set("shppict shpinst fldrslt field")
"""Destinations whose content belongs to the text around them."""

DESTINATIONS = {
    "fonttbl": "fonts",
    "stylesheet": "styles",
    "listtable": "lists",
    "listoverridetable": "overrides",
    "info": "info",
    "title": "title",
    "author": "author",
    "creatim": "created",
    "revtim": "modified",
    "fldinst": "instruction",
    "listtext": "label",
    "pntext": "label",
    "pict": "image",
    "bkmkstart": "bookmark",
    "atnauthor": "note_author",
    "footnote": "note",
    "annotation": "comment",
    "shptxt": "box",
    **dict.fromkeys(("header", "headerl", "headerr", "headerf"), "header"),
    **dict.fromkeys(("footer", "footerl", "footerr", "footerf"), "footer"),
}
"""Destinations that are read, and what they hold."""

IGNORED_DESTINATIONS = word_set(
    "colortbl filetbl revtbl rsidtbl xmlnstbl themedata colorschememapping datastore latentstyles generator "
    "nonshppict objdata template xe tc tcn bkmkend falt panose pntxtb pntxta pn sp buptim printim operator "
    "subject keywords comment doccomm company manager category hlinkbase userprops mmathPr private1 ftnsep ftnsepc "
    "aftnsep aftnsepc ftncn aftncn background atnid atrfstart atrfend atndate atnref atnicn pgptbl"
)
"""Destinations without text of the document."""
