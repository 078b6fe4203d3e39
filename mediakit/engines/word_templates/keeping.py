"""Turns tags whose values are missing back into text, for `missing="keep"`."""

from copy import deepcopy

from lxml import etree

from mediakit.engines.word_templates.blocks import Block
from mediakit.engines.word_templates.language.evaluation import Evaluation
from mediakit.engines.word_templates.language.expressions import Expression
from mediakit.engines.word_templates.language.problems import ValueProblem
from mediakit.engines.word_templates.language.scope import Missing, Scope
from mediakit.engines.word_templates.marks import MarkedPart, text_element


def keep_blocks(part: MarkedPart, blocks: list[Block], scope: Scope) -> None:
    """Restore the text of all tags in blocks whose list or condition is missing; loop variables are never missing."""
    _keep(part, blocks, scope, frozenset(("loop",)))


def _keep(part: MarkedPart, blocks: list[Block], scope: Scope, variables: frozenset[str]) -> None:
    for block in list(blocks):
        tags = [part.tag_of(marker) for marker in block.markers]
        if any(tag.expression and _is_missing(tag.expression, scope, variables) for tag in tags):
            markers = part.markers()
            for marker in markers[markers.index(block.start) : markers.index(block.end) + 1]:
                _restore(marker, part)
            blocks.remove(block)
        else:
            _keep(part, block.inner, scope, variables | {tags[0].variable})


def _is_missing(expression: Expression, scope: Scope, variables: frozenset[str]) -> bool:
    missing: list[Missing] = []
    evaluation = Evaluation(scope, missing.append)
    try:
        found = evaluation.value(expression)
        if isinstance(found, Missing):
            missing.append(found)
    except ValueProblem:
        return False
    return any(each.path.partition(".")[0] not in variables for each in missing)


def _restore(marker: etree._Element, part: MarkedPart) -> None:
    run = etree.Element(part.words.run)
    run.extend([deepcopy(child) for child in marker])
    run.append(text_element(part.tag_of(marker).source, part.words))
    parent = marker.getparent()
    if parent is not None:
        parent.replace(marker, run)
