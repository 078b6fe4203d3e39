"""Opens the Word file of a theme, and sets the language and the direction of its styles."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mediakit.engines.docx_writer import DocxOptions
from mediakit.engines.docx_writer.elements import qn, w

if TYPE_CHECKING:
    from docx.document import Document

FOLDER = Path(__file__).parent / "themes"

_REGIONS: Mapping[str, str] = {
    "ar": "ar-SA", "bg": "bg-BG", "bn": "bn-BD", "ca": "ca-ES", "cs": "cs-CZ", "da": "da-DK", "de": "de-DE",
    "el": "el-GR", "en": "en-US", "es": "es-ES", "et": "et-EE", "eu": "eu-ES", "fa": "fa-IR", "fi": "fi-FI",
    "fr": "fr-FR", "gl": "gl-ES", "he": "he-IL", "hi": "hi-IN", "hr": "hr-HR", "hu": "hu-HU", "id": "id-ID",
    "is": "is-IS", "it": "it-IT", "ja": "ja-JP", "ko": "ko-KR", "lt": "lt-LT", "lv": "lv-LV", "ms": "ms-MY",
    "nb": "nb-NO", "nl": "nl-NL", "no": "nb-NO", "pl": "pl-PL", "pt": "pt-PT", "ro": "ro-RO", "ru": "ru-RU",
    "sk": "sk-SK", "sl": "sl-SI", "sr": "sr-Latn-RS", "sv": "sv-SE", "th": "th-TH", "tr": "tr-TR", "uk": "uk-UA",
    "ur": "ur-PK", "vi": "vi-VN", "zh": "zh-CN",
}  # fmt: skip
"""The region that Word expects for a language without one. Its spelling checker needs it."""

_ASIAN_FONTS: Mapping[str, str] = {"ja": "Yu Gothic", "ko": "Malgun Gothic", "zh": "Microsoft YaHei"}
_TRADITIONAL = ("zh-tw", "zh-hk", "zh-mo", "zh-hant")


def open_theme(options: DocxOptions) -> "Document":
    """Return an empty document with the styles of a theme, in the language and the direction of the options."""
    import docx

    document = docx.Document(str(FOLDER / f"{options.theme}.docx"))
    styles: Any = document.styles.element
    tag = _REGIONS.get(options.lang.lower(), options.lang)
    font = _font_for_asia(options.lang)
    # Word stores the language of runs apart for East Asian and right-to-left text.
    languages = {"val": "en-US" if options.rtl else tag}
    languages |= {"eastAsia": tag} if font else {}
    languages |= {"bidi": tag} if options.rtl else {}
    defaults = styles.find(f"{qn('w:docDefaults')}/{qn('w:rPrDefault')}/{qn('w:rPr')}")
    defaults.append(w("lang", **languages))
    if font:
        defaults.find(qn("w:rFonts")).set(qn("w:eastAsia"), font)
    settings: Any = document.settings.element
    settings.find(qn("w:decimalSymbol")).addprevious(w("themeFontLang", **languages))
    if options.rtl:
        normal: Any = document.styles["Normal"].element
        normal.get_or_add_pPr().append(w("bidi"))
        for bar in list(styles.iter(qn("w:left"))):  # borders of paragraphs have physical sides
            if bar.getparent().tag == qn("w:pBdr") and len(bar.getparent()) == 1:
                bar.tag = qn("w:right")
    return document


def _font_for_asia(lang: str) -> str | None:
    """Return the font for East Asian text of a language, or None where Word selects it."""
    if lang.lower().startswith(_TRADITIONAL):
        return "Microsoft JhengHei"
    return _ASIAN_FONTS.get(lang.lower().split("-")[0])
