"""Instructions of the fields of Word and RTF, and the links that they are (ISO/IEC 29500-1, 17.16)."""

import re

MAX_INSTRUCTION_CHARACTERS = 10_000

_ARGUMENT = re.compile(r'"((?:[^"\\]|\\.)*)"|(\\[a-zA-Z])|(\S+)')
_ESCAPED = re.compile(r"\\(.)")
_REFERENCES = frozenset(("REF", "PAGEREF", "NOTEREF"))


def field_link(instruction: str) -> str:
    """Return the address that a HYPERLINK or a reference with the switch `h` links to. Empty for other fields."""
    name, arguments, switches = _parse(instruction[:MAX_INSTRUCTION_CHARACTERS])
    if name == "HYPERLINK":
        address = arguments[0] if arguments else ""
        anchor = switches.get("\\l", "")
        return f"{address}#{anchor}" if anchor else address
    if name in _REFERENCES and arguments and "\\h" in switches:
        return f"#{arguments[0]}"
    return ""


def _parse(instruction: str) -> tuple[str, list[str], dict[str, str]]:
    """Return the name of a field, its arguments, and its switches with the argument that follows each of them."""
    name, arguments, switches = "", [], {}
    switch = ""
    for quoted, found_switch, word in _ARGUMENT.findall(instruction):
        value = _ESCAPED.sub(r"\1", quoted) if quoted else word
        if found_switch:
            switch = found_switch.lower()
            switches[switch] = ""
        elif not name:
            name = value.upper()
        elif switch in ("\\l", "\\o", "\\t", "\\m", "\\n"):
            switches[switch] = value
            switch = ""
        else:
            arguments.append(value)
    return name, arguments, switches
