"""The order of child elements in property containers (ECMA-376 part 1, annex A.1). Word refuses any other order."""

from collections.abc import Mapping


def _names(text: str) -> Mapping[str, int]:
    """Return the position of each name."""
    return {f"w:{name}": position for position, name in enumerate(text.split())}


ELEMENT_ORDER: Mapping[str, Mapping[str, int]] = {
    "w:pPr": _names(
        "pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd tabs "
        "suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi adjustRightInd "
        "snapToGrid spacing ind contextualSpacing mirrorIndents suppressOverlap jc textDirection textAlignment "
        "textboxTightWrap outlineLvl divId cnfStyle rPr sectPr pPrChange"
    ),
    "w:rPr": _names(
        "rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof snapToGrid "
        "vanish webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl cs em "
        "lang eastAsianLayout specVanish oMath"
    ),
    "w:tblPr": _names(
        "tblStyle tblpPr tblOverlap bidiVisual tblStyleRowBandSize tblStyleColBandSize tblW jc tblCellSpacing tblInd "
        "tblBorders shd tblLayout tblCellMar tblLook tblCaption tblDescription"
    ),
    "w:tcPr": _names(
        "cnfStyle tcW gridSpan hMerge vMerge tcBorders shd noWrap tcMar textDirection tcFitText vAlign hideMark"
    ),
    "w:sectPr": _names(
        "headerReference footerReference footnotePr endnotePr type pgSz pgMar paperSrc pgBorders lnNumType pgNumType "
        "cols formProt vAlign noEndnote titlePg textDirection bidi rtlGutter docGrid"
    ),
    "w:style": _names(
        "name aliases basedOn next link autoRedefine hidden uiPriority semiHidden unhideWhenUsed qFormat locked "
        "personal personalCompose personalReply rsid pPr rPr tblPr trPr tcPr tblStylePr"
    ),
}
