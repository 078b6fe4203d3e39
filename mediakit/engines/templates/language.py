"""The template language of HTML, mail merge and Word: a part of Jinja that has data, filters, loops and conditions.

A template is untrusted. Only the types of nodes in this module are compiled, in Jinja's immutable sandbox: there are no
calls, assignments, arithmetic, macros, imports or includes. A path such as `rows.0.price` reads keys and items of the
data, never attributes of objects. Templates, their depth and what they make have limits; a worker limits the time.

    language = Language()
    template = language.from_string("Dear {{ client.name }}")
    template.fields                                             # [TemplateField(name="client.name", kind="value")]
    rendering = Rendering({"client": {"name": "Ada"}})
    template.fill(rendering), rendering.missing, rendering.blank
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from jinja2 import Template as JinjaTemplate
from jinja2 import TemplateSyntaxError, nodes
from jinja2.runtime import LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment

from mediakit.engines.templates import rendering as made
from mediakit.engines.templates.data import FieldKind
from mediakit.engines.templates.filters import FILTERS, Filter
from mediakit.engines.templates.rendering import DASH, STATE, Rendering, Tag, Value

MAX_TAGS = 20_000
MAX_TAG_LENGTH = 2000
MAX_KNOWN = 2000
"""Tags that are parsed once, also for further templates."""
MAX_SHOWN = 100
"""Characters of a tag in an error."""
MAX_DEPTH = 20
"""Parentheses in each other, and blocks in each other."""
MAX_BRANCHES = 1000
"""Conditions that come before each other, as in a chain of `elif`; Python cannot compile chains of about 3,000."""
MAX_PARTS = 60
"""Operators and filters of an expression that depend on each other, and names of a path."""

OPENING = {"for": "endfor", "if": "endif"}
"""The tags that open a block, with those that close it."""
STATEMENTS = ("for", "if", "elif", "else", "endif", "endfor")
LOOP = ("index", "index0", "first", "last", "length")

_QUOTED = r""""(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|“[^”]*+”|‘[^’]*+’"""
_CLOSERS = {"{{": "}}", "{%": "%}", "{#": "#}"}
_TAGS = {
    opener: re.compile(rf"..(?:{_QUOTED}|(?!{closer}).){{0,{MAX_TAG_LENGTH}}}+{closer}", re.DOTALL)
    for opener, closer in list(_CLOSERS.items())[:2]
}
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "\xa0": " "})
_RESPELLED = re.compile(rf"{_QUOTED}|(?<=\w)(-)(?=\w)|(?<=[\w\]])\.(\d+)(?=\.\d)", re.DOTALL)
"""Texts in quotes, which stay, and what Jinja would read as a minus or a decimal number: `first-name`, `rows.0.1`."""
_MAY_BE_DEEP = re.compile(r"[(\[{+-]|\bnot\b")
_WORD = re.compile(r"[^\W\d]\w*")
_FOR = re.compile(r"for\s+([^\W\d]\w*)\s+in\s(.+)", re.DOTALL)
_CONSTANTS = {"true": True, "false": False, "none": None, "null": None}
_RANKS: Mapping[FieldKind, int] = {"list": 3, "image": 2, "value": 1, "condition": 0}
"""A field that is used in two ways has the kind with the higher rank."""
_PATHS = (nodes.Name, nodes.Getattr, nodes.Getitem)
_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "gt": ">", "lteq": "<=", "gteq": ">=", "in": "in", "notin": "not in"}
_SIGNS = {"Test": "is", "CondExpr": "if", "Concat": "~", "Slice": ":"}


class LanguageError(ValueError):
    """A template does not follow the language."""

    def __init__(self, reason: str, tag: Tag | None = None, *, is_filter: bool = False) -> None:
        self.reason = reason
        """What is wrong, without the tag."""
        self.tag = tag
        self.is_filter = is_filter
        super().__init__(self.sentence(f"line {tag.line}") if tag else reason)

    def sentence(self, place: str) -> str:
        """Return what is wrong in which tag; the place is added in parentheses unless it is empty."""
        source = " ".join(self.tag.source.split()) if self.tag else ""
        source = source if len(source) <= MAX_SHOWN else f"{source[:MAX_SHOWN]}…"
        where = f" ({place})" if place else ""
        return f"{self.reason} in {source}{where}." if self.is_filter else f'in "{source}"{where}: {self.reason}.'


@dataclass(frozen=True)
class TemplateField:
    """A value that a template asks for; members of the items of a list have its name: `items.price`."""

    name: str
    kind: FieldKind


class Template(JinjaTemplate):
    """A compiled template."""

    tags: list[Tag]
    fields: list[TemplateField]
    size: int
    """Characters of the source, which are not what loops and values make."""

    def fill(self, rendering: Rendering) -> str:
        """Return the text with the data of a call.

        Raises:
            DataError: A value does not fit where it is used, or the text becomes too large.
        """
        parts, rendering.tags = [], self.tags
        rendering.characters -= self.size
        for part in self.root_render_func(self.new_context({STATE: rendering})):
            rendering.count(0, len(part))
            parts.append(part)
        return "".join(parts)


class Language(ImmutableSandboxedEnvironment):
    """Parses and compiles templates.

    Args:
        filters: Further filters by name, such as `qr`; `Rendering.show` gets what they return.
        statements: Further words of statements, which the caller replaces before it compiles the template.
    """

    def __init__(self, filters: Mapping[str, Filter] | None = None, statements: Sequence[str] = ()) -> None:
        super().__init__(autoescape=True, cache_size=0)
        self.template_class = Template
        self.kinds = {**FILTERS, **(filters or {})}
        self.statements = (*STATEMENTS, *statements)
        self.globals = {}
        self._known: dict[str, Tag] = {}
        self.filters = {name: made.filter_function(kind) for name, kind in self.kinds.items()}
        self.filters |= {"value of": made.value_of, "print value": made.print_value, "loop items": made.loop_items}
        self.tests = {name: made.comparison(sign) for name, sign in _COMPARISONS.items()}

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return a member of the data."""
        return self.getitem(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return a member of the data, or of `loop`, whose members the parser has checked."""
        if isinstance(obj, LoopContext):
            return getattr(obj, argument)
        assert isinstance(obj, Value), "the parser allows members of names only"  # noqa: S101
        return obj.member(str(argument).replace(DASH, "-"))

    def from_string(self, source: Any, *args: Any, **kwargs: Any) -> Template:  # noqa: ARG002  # Jinja's signature
        """Return a compiled template.

        Raises:
            LanguageError: It does not follow the language.
        """
        tags = self.tags(source)
        find_blocks(tags)
        tree = _syntax_tree(source, tags)
        tree.set_environment(self)
        template = Template.from_code(self, self.compile(tree), {})
        assert isinstance(template, Template)  # noqa: S101  # Jinja's type is the base class
        template.tags, template.fields, template.size = tags, list_fields(tags, self.kinds), len(source)
        return template

    def tags(self, source: str, problems: list[LanguageError] | None = None) -> list[Tag]:
        """Return the tags of a text. A list of problems gets the error of each tag; without it, the first is raised.

        Raises:
            LanguageError: One does not follow the language or has no end, or there are too many.
        """
        found: list[Tag] = []
        line, position = 1, 0
        for start, end in find_tags(source):
            line += source.count("\n", position, start)
            position = start
            try:
                found.append(self.tag(source[start:end], line)._replace(start=start, end=end))
            except LanguageError as error:
                if problems is None:
                    raise
                problems.append(error)
            if len(found) > MAX_TAGS:
                raise LanguageError(f"it has more than {MAX_TAGS} tags", found[-1])
        return found

    def tag(self, source: str, line: int = 1) -> Tag:
        """Return the tag that a text such as `{{ name | upper }}` spells; a text is parsed once.

        Raises:
            LanguageError: It does not follow the language.
        """
        if source not in self._known:
            if len(self._known) == MAX_KNOWN:
                self._known.clear()
            try:
                self._known[source] = self._parsed(source)
            except LanguageError as error:
                tag = (error.tag or Tag("", source))._replace(line=line)
                raise LanguageError(error.reason, tag, is_filter=error.is_filter) from None
        return self._known[source]._replace(line=line)

    def _parsed(self, source: str) -> Tag:
        if source.startswith("{#"):
            return Tag("comment", source)
        text = _RESPELLED.sub(
            lambda match: DASH if match[1] else f"[{match[2]}]" if match[2] else match[0], source.translate(_QUOTES)
        )
        inner = text[2:-2]
        inner = inner[1 if inner[:1] in ("-", "+") else 0 : -1 if inner[-1:] in ("-", "+") else None].strip()
        tag = Tag("value" if source.startswith("{{") else "", source, text=source, code=inner)
        tag = tag if tag.kind else self._statement(tag)
        return tag._replace(expression=self._expression(tag.code)) if tag.code or tag.kind == "value" else tag

    def _statement(self, tag: Tag) -> Tag:
        """Return the tag with the kind of its statement and the text of its expression."""
        word = _WORD.match(tag.code)
        kind = word[0] if word else ""
        rest = tag.code[len(kind) :].strip()
        if kind not in self.statements:
            shown = kind or tag.code[:20]
            raise LanguageError(f'"{shown}" is not a statement; use for, if, elif, else, endif or endfor')
        if kind == "for":
            loop = _FOR.fullmatch(tag.code)
            if not loop or loop[1].lower() in ("loop", "self", *_CONSTANTS):
                raise LanguageError('it must be "for name in list"')
            return tag._replace(kind=kind, code=loop[2], variable=loop[1])
        if kind in ("if", "elif") and not rest:
            raise LanguageError("it is not complete")
        if kind in ("else", "endif", "endfor") and rest:
            raise LanguageError(f'"{rest[:20]}" is unexpected')
        return tag._replace(kind=kind, code=rest)

    def _expression(self, text: str) -> nodes.Expr:
        if not text:
            raise LanguageError("it has no name")
        source, depth, signs = f"{{{{ {text} }}}}", 0, 0
        try:
            for _, kind, token in self.lex(source) if _MAY_BE_DEEP.search(text) else ():
                if kind != "whitespace":
                    depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
                    signs = signs + 1 if token in ("not", "-", "+") else 0
                if depth + signs > MAX_DEPTH:
                    raise LanguageError(f"it is nested deeper than {MAX_DEPTH} levels")
            body = self.parse(source).body
        except TemplateSyntaxError as error:
            raise LanguageError(_syntax_reason(error.message or "", text)) from None
        if len(body) != 1 or not isinstance(body[0], nodes.Output) or len(body[0].nodes) != 1:
            raise LanguageError(f'"{text[:20]}" is not understood')
        self._check(body[0].nodes[0], 0)
        return body[0].nodes[0]

    def _check(self, node: nodes.Node, depth: int) -> None:
        """Check that a node and those in it are allowed."""
        if depth > MAX_PARTS:
            raise LanguageError(f"it has more than {MAX_PARTS} parts that depend on each other")
        if isinstance(node, _PATHS):
            names = path_names(node)
            if hidden := next((name for name in names if name.startswith("__")), None):
                raise LanguageError(f'"{hidden[:20]}" is not understood')
            if names[0] == "loop" and (len(names) != 2 or names[1] not in LOOP):
                raise LanguageError(f"there is no {'.'.join(names)}; use loop.{', loop.'.join(LOOP)}")
        elif isinstance(node, nodes.Call):
            raise LanguageError(f"{'.'.join(path_names(node.node))}() is a call, and templates have none")
        elif isinstance(node, nodes.Filter) and node.node is not None:
            self._check_filter(node)
            self._check(node.node, depth + 1)
        elif _is_allowed(node):
            for child in node.iter_child_nodes():
                self._check(child.expr if isinstance(child, nodes.Operand) else child, depth + 1)
        else:
            name = type(node).__name__
            sign = getattr(node, "operator", None) or _SIGNS.get(name, name.lower())
            raise LanguageError(f'"{sign}" is not part of the language')

    def _check_filter(self, node: nodes.Filter) -> None:
        if node.name not in self.kinds:
            raise LanguageError(f'unknown filter "{node.name}"', is_filter=True)
        if node.kwargs or node.dyn_args or node.dyn_kwargs or not all(map(_is_constant, node.args)):
            raise LanguageError("filters take texts in quotes and numbers only")
        least, most = self.kinds[node.name].arguments
        if not least <= len(node.args) <= most:
            bounds = str(least) if least == most else f"{least} to {most}"
            noun = "value" if bounds == "1" else "values"
            raise LanguageError(f"the filter {node.name} takes {bounds} {noun}, got {len(node.args)}")


def _is_allowed(node: nodes.Node) -> bool:
    match node:
        case nodes.Compare():
            return len(node.ops) == 1
        case nodes.CondExpr():
            return node.expr2 is not None
        case nodes.List():
            return all(map(_is_constant, node.items))
        case nodes.Neg():
            return _is_constant(node)
    return isinstance(node, nodes.Const | nodes.And | nodes.Or | nodes.Not)


def _is_constant(node: nodes.Expr) -> bool:
    return isinstance(node.node if isinstance(node, nodes.Neg) else node, nodes.Const)


def path_names(node: nodes.Node) -> tuple[str, ...]:
    """Return the keys and indexes of a path: `rows[0].price` has rows, 0 and price.

    Raises:
        LanguageError: It is not a path.
    """
    names: list[str] = []
    while len(names) < MAX_PARTS:
        match node:
            case nodes.Name():
                return (node.name.replace(DASH, "-"), *reversed(names))
            case nodes.Getattr():
                names.append(node.attr.replace(DASH, "-"))
            case nodes.Getitem(arg=nodes.Const(value=int() | str() as key)):
                names.append(str(key))
            case _:
                raise LanguageError("only values of the data have names and members, such as client.city and rows.0")
        node = node.node
    raise LanguageError(f"its path has more than {MAX_PARTS} names")


def _syntax_tree(source: str, tags: Sequence[Tag]) -> nodes.Template:
    """Return the tree that Jinja compiles. Functions that get the number of their tag print, repeat and compare."""
    root: list[nodes.Node] = []
    opened: list[Any] = []
    """The nodes of the blocks around a tag."""
    bodies, scopes = [root], [frozenset[str]()]
    """Where the next node goes, and the names that loops define there; all others are looked up in the data."""
    position, is_trimmed = 0, False
    for number, tag in enumerate(tags):
        _add_text(bodies[-1], source[position : tag.start], starts=is_trimmed, ends=tag.source[2] == "-")
        position, is_trimmed = tag.end, tag.source[-3] == "-"
        place = nodes.Const(number)
        made: Any = _compiled(tag.expression, place, scopes[-1]) if tag.expression else None
        if tag.kind in OPENING:
            is_loop = tag.kind == "for"
            items = nodes.Filter(made, "loop items", [place], [], None, None)
            target = nodes.Name(tag.variable, "store")
            opened.append(nodes.For(target, items, [], [], None, None) if is_loop else nodes.If(made, [], [], []))
            bodies[-1].append(opened[-1])
            bodies.append(opened[-1].body)
            scopes.append(scopes[-1] | {tag.variable, "loop"} if is_loop else scopes[-1])
        elif tag.kind == "elif":
            opened[-1].elif_.append(nodes.If(made, [], [], []))
            bodies[-1] = opened[-1].elif_[-1].body
        elif tag.kind == "else":
            bodies[-1] = opened[-1].else_
        elif tag.kind in OPENING.values():
            opened.pop(), bodies.pop(), scopes.pop()
        elif made:
            _add_output(bodies[-1], nodes.Filter(made, "print value", [place], [], None, None))
    _add_text(root, source[position:], starts=is_trimmed)
    return nodes.Template(root, lineno=1)


def _add_text(body: list[nodes.Node], text: str, *, starts: bool, ends: bool = False) -> None:
    """Add fixed text. A dash in the tag where it starts or ends removes the white space there."""
    text = text.lstrip() if starts else text
    if text := text.rstrip() if ends else text:
        _add_output(body, nodes.TemplateData(text))


def _add_output(body: list[Any], node: nodes.Expr) -> None:
    if not body or not isinstance(body[-1], nodes.Output):
        body.append(nodes.Output([]))
    body[-1].nodes.append(node)


def _compiled(node: Any, place: nodes.Const, variables: AbstractSet[str]) -> Any:
    """Return a copy of an expression in which functions look up names and compare; `place` is the number of its tag."""

    def compiled(child: Any) -> Any:
        return _compiled(child, place, variables) if isinstance(child, nodes.Expr) else child

    match node:
        case nodes.Name() if node.name.lower() in _CONSTANTS:
            return nodes.Const(_CONSTANTS[node.name.lower()])
        case nodes.Name() if node.name not in variables:
            name = nodes.Const(node.name.replace(DASH, "-"))
            return nodes.Filter(name, "value of", [], [], None, None)
        case nodes.Compare():
            other = compiled(node.ops[0].expr)
            return nodes.Test(compiled(node.expr), node.ops[0].op, [other, place], [], None, None)
        case nodes.Filter():
            return nodes.Filter(compiled(node.node), node.name, [place, *node.args], [], None, None)
    return type(node)(*(compiled(child) for _, child in node.iter_fields()))


def find_tags(source: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each tag; braces in a quoted text do not close it.

    Raises:
        LanguageError: A tag has no end.
    """
    position = 0
    while (start := source.find("{", position)) >= 0:
        opener, position = source[start : start + 2], start + 1
        if opener not in _CLOSERS:
            continue
        found = _TAGS[opener].match(source, start) if opener in _TAGS else None
        end = found.end() if found else source.find(_CLOSERS[opener], start + 2, start + MAX_TAG_LENGTH) + 2
        if end >= 2 and (opener in _TAGS or "{#" not in source[start + 2 : end]):
            yield start, (position := end)
        elif opener in _TAGS:  # `{#` without its own end is text, as in styles
            shown = source[start : start + 40]
            raise LanguageError(
                f'it has no "{_CLOSERS[opener]}"', Tag("", shown, source.count("\n", 0, start) + 1, start)
            )


def _syntax_reason(message: str, text: str) -> str:
    """Return why Jinja cannot parse an expression, in words that follow the tag."""
    if found := re.match(r"unexpected char .* at (\d+)", message):
        reason = f'"{text[max(0, int(found[1]) - 3) :].strip()[:20]}" is not understood'
    elif found := re.search(r"expected (?:token )?'([)\]])'", message):
        reason = f'a "{found[1]}" is missing'
    elif "end of print statement'" in message.removeprefix("expected token 'end of print statement'"):
        reason = "it is not complete"
    elif found := re.search(r"(?:got|unexpected) '(.*)'", message):
        reason = f'"{found[1][:20]}" is unexpected'
    else:
        reason = f'"{text[:20]}" is not understood'
    return reason.replace(DASH, "-")


def find_blocks(tags: Sequence[Tag]) -> list[list[int]]:
    """Return the numbers of the tags of each block, the outer blocks first.

    Raises:
        LanguageError: A block is not closed, or a tag closes or divides none.
    """
    blocks: list[list[int]] = []
    opened: list[list[int]] = []
    for number, tag in enumerate(tags):
        if tag.kind in OPENING:
            opened.append([number])
            blocks.append(opened[-1])
            if len(opened) > MAX_DEPTH:
                raise LanguageError(f"its blocks are nested deeper than {MAX_DEPTH} levels", tag)
        elif tag.kind in STATEMENTS:
            block = [tags[each] for each in opened[-1]] if opened else []
            _check_next(tag, block)
            opened[-1].append(number)
            if sum(map(len, opened)) > MAX_BRANCHES:
                raise LanguageError(f"more than {MAX_BRANCHES} conditions come before it", tag)
            if tag.kind == OPENING[block[0].kind]:
                opened.pop()
    if opened:
        start = tags[opened[-1][0]]
        raise LanguageError(f"no {{% {OPENING[start.kind]} %}}", start)
    return blocks


def _check_next(tag: Tag, block: Sequence[Tag]) -> None:
    """Check that a tag may follow those of its block."""
    opener = "for" if tag.kind == "endfor" else "if"
    if not block:
        raise LanguageError(f"no {{% {opener} %}} before it", tag)
    if block[0].kind != opener:
        raise LanguageError(f"no {{% {OPENING[block[0].kind]} %}} before {tag.source}", block[0])
    if tag.kind in ("elif", "else") and block[-1].kind == "else":
        raise LanguageError("it comes after {% else %}", tag)


def list_fields(tags: Sequence[Tag], filters: Mapping[str, Filter] = FILTERS) -> list[TemplateField]:
    """Return the values that tags ask for, in the order in which they are first used."""
    kinds: dict[str, FieldKind] = {}
    scopes: list[dict[str, str]] = [{"loop": ""}]
    """The names of the lists of loop variables, in the blocks around a tag."""
    for tag in tags:
        names: list[str] = []
        for path, applied in paths(tag.expression) if tag.expression else ():
            kind: FieldKind = "image" if any(filters[name].is_image for name in applied) else "value"
            kind = {"for": "list", "if": "condition", "elif": "condition"}.get(tag.kind, kind)  # type: ignore[assignment]
            owner = scopes[-1].get(path[0], path[0])
            names.append(".".join((owner, *path[1:])) if owner else "")
            if names[-1] and (names[-1] not in kinds or _RANKS[kind] > _RANKS[kinds[names[-1]]]):
                kinds[names[-1]] = kind
        if tag.kind == "for":
            scopes.append({**scopes[-1], tag.variable: names[0] if names else ""})
        elif tag.kind == "endfor":
            scopes.pop()
    return [TemplateField(name, kind) for name, kind in kinds.items()]


def paths(node: nodes.Node, filters: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield the paths of an expression in the order of the text, each with the filters that are applied to it."""
    if isinstance(node, _PATHS):
        names = path_names(node)
        if names[0].lower() not in _CONSTANTS:
            yield names, filters
        return
    applied = (*filters, node.name) if isinstance(node, nodes.Filter) else filters
    for child in node.iter_child_nodes():
        yield from paths(child, applied)
