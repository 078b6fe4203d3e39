"""The parts of an XLSX file around its sheets."""

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from html import escape

_TIMESTAMP = (1980, 1, 1, 0, 0, 0)
_MAX_SHEET_NAME = 31
_NOT_IN_A_NAME = re.compile(r"[\[\]:*?/\\\x00-\x1f]")


def package(names: Sequence[str], sheets: Iterable[Iterable[str]]) -> bytes:
    """Return a workbook of sheets, each given as the pieces of its XML; equal sheets give equal bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=4) as archive:
        _add(archive, "[Content_Types].xml", [_content_types(len(names))])
        _add(archive, "_rels/.rels", [_RELS])
        _add(archive, "xl/workbook.xml", [_book(names)])
        _add(archive, "xl/_rels/workbook.xml.rels", [_book_rels(len(names))])
        _add(archive, "xl/styles.xml", [_STYLE_SHEET])
        for place, sheet in enumerate(sheets, 1):
            _add(archive, f"xl/worksheets/sheet{place}.xml", sheet)
    return file.getvalue()


def sheet_names(names: list[str]) -> list[str]:
    """Return names that a workbook can have: at most 31 characters, none of `[]:*?/` or a backslash, no two alike."""
    found: list[str] = []
    for name in names:
        clean = _NOT_IN_A_NAME.sub("_", name).strip("' ")[:_MAX_SHEET_NAME] or "data"
        unique, number = clean, 2
        while unique.lower() in (each.lower() for each in found):
            end = f" ({number})"
            unique, number = clean[: _MAX_SHEET_NAME - len(end)] + end, number + 1
        found.append(unique)
    return found


def _add(archive: zipfile.ZipFile, path: str, parts: Iterable[str]) -> None:
    """Add an XML part, which is written piece by piece."""
    entry = zipfile.ZipInfo(path, _TIMESTAMP)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    with archive.open(entry, "w") as file:
        file.write(b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n')
        for part in parts:
            file.write(part.encode())


FILLS = {"green": "D7F0DD", "red": "FBDADA", "yellow": "FFF2C4"}
"""Background colors of cells, by the name of their style."""

MAIN_NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"

_RELS = (
    f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
)
_STYLE_SHEET = (
    f'<styleSheet xmlns="{MAIN_NAMESPACE}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>'
    '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="166" formatCode="hh:mm:ss"/>'
    '</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    f'<fills count="{2 + len(FILLS)}"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill>'
    + "".join(
        f'<fill><patternFill patternType="solid"><fgColor rgb="FF{color}"/><bgColor indexed="64"/></patternFill></fill>'
        for color in FILLS.values()
    )
    + '</fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    f'<cellXfs count="{6 + len(FILLS)}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
    + "".join(
        f'<xf numFmtId="{number}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
        for number in (164, 165, 166, 49)
    )
    + "".join(
        f'<xf numFmtId="0" fontId="0" fillId="{number}" borderId="0" xfId="0" applyFill="1"/>'
        for number in range(2, 2 + len(FILLS))
    )
    + '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)


def _content_types(sheets: int) -> str:
    parts = "".join(
        f'<Override PartName="/xl/worksheets/sheet{place}.xml" ContentType="{_SPREADSHEET}.worksheet+xml"/>'
        for place in range(1, sheets + 1)
    )
    return (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_SPREADSHEET}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_SPREADSHEET}.styles+xml"/>{parts}</Types>'
    )


def _book(names: Sequence[str]) -> str:
    sheets = "".join(
        f'<sheet name="{escape(name)}" sheetId="{place}" r:id="rId{place}"/>' for place, name in enumerate(names, 1)
    )
    return f'<workbook xmlns="{MAIN_NAMESPACE}" xmlns:r="{_OFFICE}"><sheets>{sheets}</sheets></workbook>'


def _book_rels(sheets: int) -> str:
    parts = "".join(
        f'<Relationship Id="rId{place}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{place}.xml"/>'
        for place in range(1, sheets + 1)
    )
    styles = f'<Relationship Id="rId{sheets + 1}" Type="{_OFFICE}/styles" Target="styles.xml"/>'
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{parts}{styles}</Relationships>'
