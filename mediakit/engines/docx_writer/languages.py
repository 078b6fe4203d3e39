"""Languages of a document: Word's tag with a region, and fonts for East Asian scripts."""

from collections.abc import Mapping

from mediakit.engines.docx_writer.wordml import w
from mediakit.engines.docx_writer.xml_tree import Element

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


def word_language(lang: str) -> str:
    """Return a BCP 47 tag with the region that Word expects."""
    return _REGIONS.get(lang.lower(), lang)


def language_element(lang: str, *, rtl: bool) -> Element:
    """Return the language of runs. Word stores it apart for East Asian and right-to-left text."""
    tag = word_language(lang)
    attributes = {"val": "en-US" if rtl else tag}
    if font_for_asia(lang):
        attributes["eastAsia"] = tag
    if rtl:
        attributes["bidi"] = tag
    return w("lang", **attributes)


def font_for_asia(lang: str) -> str | None:
    """Return the font for East Asian text of a language, or None where Word selects it."""
    if lang.lower().startswith(_TRADITIONAL):
        return "Microsoft JhengHei"
    return _ASIAN_FONTS.get(lang.lower().split("-")[0])
