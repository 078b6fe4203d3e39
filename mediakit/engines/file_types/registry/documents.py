"""Documents, spreadsheets, presentations and books."""

from mediakit.core.media import OFFICE, OPEN_DOCUMENT
from mediakit.engines.file_types.file_type import FileType, Kind, at, starts


def _office(part: str, extension: str, description: str, kind: Kind) -> FileType:
    return FileType(f"{OFFICE}.{part}", (extension,), description, kind)


def _macros(name: str, extension: str, description: str, kind: Kind) -> FileType:
    return FileType(f"application/vnd.ms-{name}.macroEnabled.12", (extension,), description, kind)


def _open(name: str, extension: str, description: str, kind: Kind) -> FileType:
    return FileType(f"{OPEN_DOCUMENT}.{name}", (extension,), description, kind)


DOCUMENTS = {
    "pdf": FileType("application/pdf", (".pdf", ".ai"), "a PDF", "document"),
    "fdf": FileType("application/fdf", (".fdf",), "a PDF form data file", "data", starts(b"%FDF-")),
    "ps": FileType(
        "application/postscript", (".ps", ".ai", ".eps"), "a PostScript file", "document", starts(b"%!PS", b"\x04%!PS")
    ),
    "eps": FileType(
        "application/postscript",
        (".eps", ".epsf", ".ai"),
        "an Encapsulated PostScript file",
        "image",
        starts(b"\xc5\xd0\xd3\xc6"),
    ),
    "rtf": FileType("application/rtf", (".rtf", ".doc"), "an RTF document", "document", starts(b"{\\rtf")),
    "docx": _office("wordprocessingml.document", ".docx", "a Word document", "document"),
    "dotx": _office("wordprocessingml.template", ".dotx", "a Word template", "document"),
    "docm": _macros("word.document", ".docm", "a Word document with macros", "document"),
    "dotm": _macros("word.template", ".dotm", "a Word template with macros", "document"),
    "xlsx": _office("spreadsheetml.sheet", ".xlsx", "an Excel workbook", "spreadsheet"),
    "xltx": _office("spreadsheetml.template", ".xltx", "an Excel template", "spreadsheet"),
    "xlsm": _macros("excel.sheet", ".xlsm", "an Excel workbook with macros", "spreadsheet"),
    "xltm": _macros("excel.template", ".xltm", "an Excel template with macros", "spreadsheet"),
    "xlam": _macros("excel.addin", ".xlam", "an Excel add-in", "spreadsheet"),
    "xlsb": _macros("excel.sheet.binary", ".xlsb", "a binary Excel workbook", "spreadsheet"),
    "pptx": _office("presentationml.presentation", ".pptx", "a PowerPoint presentation", "presentation"),
    "potx": _office("presentationml.template", ".potx", "a PowerPoint template", "presentation"),
    "ppsx": _office("presentationml.slideshow", ".ppsx", "a PowerPoint slide show", "presentation"),
    "pptm": _macros("powerpoint.presentation", ".pptm", "a PowerPoint presentation with macros", "presentation"),
    "potm": _macros("powerpoint.template", ".potm", "a PowerPoint template with macros", "presentation"),
    "ppsm": _macros("powerpoint.slideshow", ".ppsm", "a PowerPoint slide show with macros", "presentation"),
    "ppam": _macros("powerpoint.addin", ".ppam", "a PowerPoint add-in", "presentation"),
    "sldx": _office("presentationml.slide", ".sldx", "a PowerPoint slide", "presentation"),
    "vsdx": FileType("application/vnd.ms-visio.drawing.main+xml", (".vsdx",), "a Visio drawing", "document"),
    "vstx": FileType("application/vnd.ms-visio.template.main+xml", (".vstx",), "a Visio template", "document"),
    "vssx": FileType("application/vnd.ms-visio.stencil.main+xml", (".vssx",), "a Visio stencil", "document"),
    "vsdm": FileType(
        "application/vnd.ms-visio.drawing.macroenabled.main+xml", (".vsdm",), "a Visio drawing with macros", "document"
    ),
    "xps": FileType("application/oxps", (".xps", ".oxps"), "an XPS document", "document"),
    "doc": FileType(
        "application/msword",
        (".doc", ".dot", ".wiz"),
        "a Word 97 document",
        "document",
        starts(b"\xdb\xa5\x2d\0\0\0", b"\x31\xbe\0\0\0\xab"),
    ),
    "xls": FileType(
        "application/vnd.ms-excel", (".xls", ".xlt", ".xla", ".xlm", ".xlw"), "an Excel 97 workbook", "spreadsheet"
    ),
    "ppt": FileType(
        "application/vnd.ms-powerpoint",
        (".ppt", ".pps", ".pot", ".ppa"),
        "a PowerPoint 97 presentation",
        "presentation",
    ),
    "vsd": FileType("application/vnd.visio", (".vsd", ".vst", ".vss"), "a Visio drawing", "document"),
    "msg": FileType("application/vnd.ms-outlook", (".msg", ".oft"), "an Outlook message", "document"),
    "pst": FileType(
        "application/vnd.ms-outlook-pst", (".pst", ".ost", ".pab"), "an Outlook data file", "data", starts(b"!BDN")
    ),
    "pub": FileType("application/vnd.ms-publisher", (".pub",), "a Publisher document", "document"),
    "mpp": FileType("application/vnd.ms-project", (".mpp", ".mpt"), "a Project plan", "document"),
    "works": FileType("application/vnd.ms-works", (".wps", ".wks", ".wdb"), "a Works document", "document"),
    "one": FileType(
        "application/onenote", (".one",), "a OneNote section", "document", starts(b"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d")
    ),
    "onetoc": FileType(
        "application/onenote",
        (".onetoc2",),
        "a OneNote contents file",
        "document",
        starts(b"\xa1\x2f\xff\x43\xd9\xef\x76\x4c"),
    ),
    "hwp": FileType("application/x-hwp", (".hwp",), "a Hangul document", "document", starts(b"HWP Document File")),
    "hwpx": FileType("application/hwp+zip", (".hwpx",), "a Hangul document", "document"),
    "office-encrypted": FileType(
        "application/x-ole-storage",
        (".docx", ".xlsx", ".pptx", ".docm", ".xlsm", ".pptm", ".xlsb"),
        "an encrypted Office file",
        "document",
    ),
    "ole": FileType(
        "application/x-ole-storage",
        (".ole",),
        "an OLE compound file",
        "data",
        starts(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    ),
    "odt": _open("text", ".odt", "an OpenDocument text", "document"),
    "ott": _open("text-template", ".ott", "an OpenDocument text template", "document"),
    "odm": _open("text-master", ".odm", "an OpenDocument master document", "document"),
    "oth": _open("text-web", ".oth", "an OpenDocument web template", "document"),
    "ods": _open("spreadsheet", ".ods", "an OpenDocument spreadsheet", "spreadsheet"),
    "ots": _open("spreadsheet-template", ".ots", "an OpenDocument spreadsheet template", "spreadsheet"),
    "odp": _open("presentation", ".odp", "an OpenDocument presentation", "presentation"),
    "otp": _open("presentation-template", ".otp", "an OpenDocument presentation template", "presentation"),
    "odg": _open("graphics", ".odg", "an OpenDocument drawing", "image"),
    "otg": _open("graphics-template", ".otg", "an OpenDocument drawing template", "image"),
    "odc": _open("chart", ".odc", "an OpenDocument chart", "image"),
    "odf": _open("formula", ".odf", "an OpenDocument formula", "document"),
    "odi": _open("image", ".odi", "an OpenDocument image", "image"),
    "odb": FileType("application/vnd.oasis.opendocument.base", (".odb",), "an OpenDocument database", "data"),
    "sxw": FileType("application/vnd.sun.xml.writer", (".sxw", ".stw"), "an OpenOffice 1 text", "document"),
    "sxc": FileType("application/vnd.sun.xml.calc", (".sxc", ".stc"), "an OpenOffice 1 spreadsheet", "spreadsheet"),
    "sxi": FileType(
        "application/vnd.sun.xml.impress", (".sxi", ".sti"), "an OpenOffice 1 presentation", "presentation"
    ),
    "sxd": FileType("application/vnd.sun.xml.draw", (".sxd", ".std"), "an OpenOffice 1 drawing", "image"),
    "pages": FileType("application/vnd.apple.pages", (".pages",), "a Pages document", "document"),
    "numbers": FileType("application/vnd.apple.numbers", (".numbers",), "a Numbers spreadsheet", "spreadsheet"),
    "keynote": FileType("application/vnd.apple.keynote", (".key",), "a Keynote presentation", "presentation"),
    "iwork": FileType("application/zip", (".pages", ".numbers", ".key", ".zip"), "an iWork document", "document"),
    "epub": FileType("application/epub+zip", (".epub",), "an EPUB book", "document"),
    "mobi": FileType(
        "application/x-mobipocket-ebook",
        (".mobi", ".azw", ".azw3", ".prc"),
        "a Mobipocket book",
        "document",
        (at(60, b"BOOKMOBI"),),
    ),
    "palmdoc": FileType(
        "application/vnd.palm", (".pdb", ".prc"), "a Palm document", "document", (at(60, b"TEXtREAd"),)
    ),
    "lit": FileType("application/x-ms-reader", (".lit",), "a Microsoft Reader book", "document", starts(b"ITOLITLS")),
    "lrf": FileType("application/x-sony-bbeb", (".lrf",), "a Sony book", "document", starts(b"L\0R\0F\0\0\0")),
    "chm": FileType(
        "application/vnd.ms-htmlhelp", (".chm",), "a compiled HTML help file", "document", starts(b"ITSF\3\0\0\0")
    ),
    "hlp": FileType("application/winhlp", (".hlp",), "a Windows help file", "document", starts(b"?_\3\0")),
    "indd": FileType(
        "application/x-indesign",
        (".indd", ".indt"),
        "an InDesign document",
        "document",
        starts(b"\x06\x06\xed\xf5\xd8\x1d\x46\xe5\xbd\x31\xef\xe7\xfe\x74\xb7\x1d"),
    ),
    "qxd": FileType(
        "application/vnd.quark.quarkxpress",
        (".qxd", ".qxp"),
        "a QuarkXPress document",
        "document",
        (at(2, b"IIXPR3"), at(2, b"MMXPR3")),
    ),
    "wpd": FileType(
        "application/vnd.wordperfect",
        (".wpd", ".wp", ".wp5", ".wp6"),
        "a WordPerfect document",
        "document",
        starts(b"\xffWPC"),
    ),
    "lotus123": FileType(
        "application/vnd.lotus-1-2-3",
        (".wk1", ".wk3", ".wk4", ".123"),
        "a Lotus 1-2-3 spreadsheet",
        "spreadsheet",
        starts(b"\0\0\2\0\6\4\6\0\x08\0", b"\0\0\x1a\0\0\x10\4\0", b"\0\0\x1a\0\2\x10\4\0"),
    ),
    "dvi": FileType(
        "application/x-dvi", (".dvi",), "a TeX DVI file", "document", starts(b"\xf7\2\1\x83\x92\xc0\x1c\x3b")
    ),
    "abw": FileType("application/x-abiword", (".abw",), "an AbiWord document", "document"),
    "fb2": FileType("application/x-fictionbook+xml", (".fb2",), "a FictionBook", "document"),
    "ipynb": FileType("application/x-ipynb+json", (".ipynb",), "a Jupyter notebook", "document"),
    "eml": FileType("message/rfc822", (".eml", ".mht", ".mhtml"), "an email message", "document"),
    "mbox": FileType("application/mbox", (".mbox", ".mbx"), "a mailbox", "document"),
    "mht": FileType("multipart/related", (".mht", ".mhtml", ".eml"), "a web archive (MHTML)", "document"),
}
