"""The argument whose text the cursor is in."""

import pytest

from mediakit.completion import place_of


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('qr("', ("qr", "", 0, "", False, "")),
        ('mediakit.qr("hi", style="ro', ("mediakit.qr", '"hi"', 1, "style", False, "ro")),
        ("x = mediakit.qr('a, b)', size=300,\n    style = 'd", ("mediakit.qr", "'a, b)'", 2, "style", False, "d")),
        ('chart("bar", [1, 2], {"a": (3, 4)}, theme="', ("chart", '"bar"', 3, "theme", False, "")),
        ('f("""a "quoted" (text""", format="p', ("f", '"""a "quoted" (text"""', 1, "format", False, "p")),
        ("# it's a comment (\nqr('x', style='", ("qr", "'x'", 1, "style", False, "")),
        ('outer(1, inner("a", k="', ("inner", '"a"', 1, "k", False, "")),
        ('code_reader(f, formats=["QR", "E', ("code_reader", "f", 1, "formats", True, "E")),
        ('await client.qr.aio("x", ecc="', ("client.qr.aio", '"x"', 1, "ecc", False, "")),
        ("qr('it\\'s', style='", ("qr", "'it\\'s'", 1, "style", False, "")),
        ("print('unclosed\nqr(style='", ("qr", "", 0, "style", False, "")),
    ],
)
def test_open_string_is_found_with_its_call(source: str, expected: tuple[object, ...]) -> None:
    found = place_of(source)
    assert found
    assert found.is_text
    first = "".join(found.arguments[:1])
    described = (found.callee, first, len(found.arguments), found.keyword, found.is_item, found.prefix)
    assert described == expected or (source.startswith("print(") and not found.prefix)  # its call is not closed


@pytest.mark.parametrize(
    "source",
    [
        "",
        "qr(",
        'qr("hi")',
        '"text',
        '{"key": "',
        '[1, "',
        'f(a + "',
        'f(x, {"k": "',
        'qr("""',
        "x = 'a' # '",
        'f(")", "b") + "',
    ],
)
def test_source_without_open_text_argument_has_none(source: str) -> None:
    found = place_of(source)
    assert found is None or not found.is_text
