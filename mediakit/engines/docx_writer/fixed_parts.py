"""Parts without text: settings, fonts, properties and the footer."""

from mediakit.engines.docx_writer.footnotes import SEPARATORS
from mediakit.engines.docx_writer.languages import font_for_asia, word_language
from mediakit.engines.docx_writer.looks import FONT_ALTERNATIVES
from mediakit.engines.docx_writer.options import DocxOptions
from mediakit.engines.docx_writer.runs import field_runs
from mediakit.engines.docx_writer.spans import PLAIN
from mediakit.engines.docx_writer.wordml import make, w
from mediakit.engines.docx_writer.xml_tree import Element, to_xml

CREATED = "2000-01-01T00:00:00Z"
"""Date in the core properties. It is fixed, so that equal input gives equal bytes."""

_CORE = {
    "cp": "http://schemas.openxmlformats.org/package/2006/metadata/core-properties",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
}
_APP = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"
_WORD_2013 = "15"


def build_settings(options: DocxOptions) -> Element:
    """Return the root of `word/settings.xml`."""
    tag = word_language(options.lang)
    theme_languages = {"val": "en-US" if options.rtl else tag}
    if font_for_asia(options.lang):
        theme_languages["eastAsia"] = tag
    if options.rtl:
        theme_languages["bidi"] = tag
    return w(
        "settings",
        w("zoom", percent="100"),
        w("defaultTabStop", val=720),
        w("characterSpacingControl", val="doNotCompress"),
        w("footnotePr", *(w("footnote", id=identifier) for identifier in SEPARATORS)),
        w("compat", *_compatibility()),
        make("m:mathPr", None, make("m:mathFont", {"m:val": "Cambria Math"})),
        w("themeFontLang", **theme_languages),
        w("decimalSymbol", val="."),
        w("listSeparator", val=","),
    )


def _compatibility() -> list[Element]:
    uri = "http://schemas.microsoft.com/office/word"
    values = {
        "compatibilityMode": _WORD_2013,
        "overrideTableStyleFontSizeAndJustification": "1",
        "enableOpenTypeFeatures": "1",
        "doNotFlipMirrorIndents": "1",
        "differentiateMultirowTableHeaders": "1",
    }
    return [w("compatSetting", name=name, uri=uri, val=value) for name, value in values.items()]


def build_fonts() -> Element:
    """Return the root of `word/fontTable.xml`, which names fonts for systems without those of Office."""
    return w("fonts", *(w("font", w("altName", val=other), name=name) for name, other in FONT_ALTERNATIVES.items()))


def build_footer(options: DocxOptions) -> Element:
    """Return the root of a footer with the page number."""
    direction = [w("bidi")] if options.rtl else []
    return w("ftr", w("p", w("pPr", w("pStyle", val="Footer"), *direction), *field_runs("PAGE", "1", PLAIN)))


def core_properties(options: DocxOptions) -> bytes:
    """Return `docProps/core.xml`."""
    texts = {"dc:title": options.title, "dc:creator": options.author, "dc:language": options.lang}
    found = [Element(name, text=text) for name, text in texts.items() if text]
    kind = {"xsi:type": "dcterms:W3CDTF"}
    found += [Element(f"dcterms:{name}", kind, text=CREATED) for name in ("created", "modified")]
    return to_xml(Element("cp:coreProperties", None, found), _CORE)


def app_properties() -> bytes:
    """Return `docProps/app.xml`."""
    return to_xml(Element("Properties", None, [Element("Application", text="mediakit")]), {"": _APP})
