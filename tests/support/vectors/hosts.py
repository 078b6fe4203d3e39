"""Spellings of loopback, and URL forms that parsers read differently."""

from tests.support.vectors import EVERYWHERE, NOWHERE, UNPROXIED, Vector

__all__ = ["FORMS", "HOSTS", "SPELLINGS"]

SPELLINGS = {
    "name": "localhost",
    "upper-case": "LOCALHOST",
    "upper-case-dot": "LOCALHOST.",
    "subdomain": "a.b.localhost",
    "short": "127.1",
    "three-parts": "127.0.1",
    "decimal": "2130706433",
    "hexadecimal": "0x7f000001",
    "hexadecimal-upper-case": "0X7F000001",
    "octal": "017700000001",
    "hexadecimal-parts": "0x7f.0.0.1",
    "octal-parts": "0177.0.0.01",
    "mixed-parts": "127.0x0.01",
    "zero": "0",
    "unspecified": "0.0.0.0",
    "trailing-dot": "127.0.0.1.",
    "ipv6": "[::1]",
    "ipv6-mapped": "[::ffff:127.0.0.1]",
    "ipv6-mapped-hexadecimal": "[::ffff:7f00:1]",
    "ipv6-unspecified": "[::]",
    "ipv6-whole": "[0000:0000:0000:0000:0000:0000:0000:0001]",
    "ipv6-mapped-unspecified": "[::ffff:0.0.0.0]",
    "full-width": "１２７.０.０.１",
    "ideographic-dots": "127。0。0。1",
    "circled": "①②⑦.⓪.⓪.①",
    "circled-letters": "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
    "percent": "%31%32%37.0.0.1",
    "soft-hyphen": "local\u00adhost",
    "user": "example.com@127.0.0.1",
    "user-port": "example.com:80@127.0.0.1",
}
"""Hosts that Chromium, the proxy or the system's resolver may resolve to this machine."""

_REACHES = {
    # Chromium resolves these names itself; the system's resolver may not.
    "subdomain": UNPROXIED,
    "upper-case-dot": UNPROXIED,
    # Chromium loads no subresource from a URL that contains a user name.
    "user": NOWHERE,
    "user-port": NOWHERE,
}

HOSTS = [
    Vector(
        f"host-{name}",
        f"<img src='http://{host}:{{common}}/host-{name}.png'>",
        reaches=_REACHES.get(name, EVERYWHERE),
    )
    for name, host in SPELLINGS.items()
]

FORMS = [
    Vector("form-https", "<img src=https://127.0.0.1:{own}/x>"),
    Vector("form-https-ipv6", "<img src=https://[::1]:{own}/x>"),
    Vector("form-backslashes", r"<img src='http:\\{host}\form-backslashes.png'>"),
    Vector(
        "form-one-slash",
        "<iframe srcdoc=\"<base href='https://x/'><img src='http:/{host}/form-one-slash.png'>\"></iframe>",
    ),
    Vector("form-four-slashes", "<img src='http:////{host}/form-four-slashes.png'>"),
    Vector(
        "form-no-slash",
        "<iframe srcdoc=\"<base href='https://x/'><img src='http:{host}/form-no-slash.png'>\"></iframe>",
    ),
    Vector("form-tab", "<img src='ht\ttp://127.\t0.0.1:{common}/form-tab.png'>"),
    Vector("form-newline", "<img src='http://127.0.\n0.1:{common}/form-newline.png'>"),
    Vector("form-space", "<img src='  http://{host}/form-space.png  '>"),
    Vector("form-upper-case", "<img src='HTTP://{host}/form-upper-case.png'>"),
    Vector("form-backslash-user", r"<img src='http://{host}\@example.com/../form-backslash-user.png'>"),
    Vector("form-entity", "<img src='&#104;ttp&colon;//{host}/form-entity.png'>"),
    Vector("form-fragment-user", "<img src='http://{host}#@example.com/form.png'>", reaches=NOWHERE),
    Vector("form-query-user", "<img src='http://{host}/form-query-user.png?@example.com'>"),
    Vector("form-view-source", "<iframe src='view-source:{html}'></iframe>", reaches=NOWHERE),
    Vector("form-blob", "<iframe src='blob:{html}'></iframe>", reaches=NOWHERE),
    Vector("form-filesystem", "<iframe src='filesystem:{html}'></iframe>", reaches=NOWHERE),
    Vector(
        "form-ftp",
        "<img src='ftp://127.0.0.1:{own}/x'><iframe src='ftp://127.0.0.1:{own}/x'></iframe>",
        reaches=NOWHERE,
    ),
    Vector("form-gopher", "<iframe src='gopher://127.0.0.1:{own}/x'></iframe>", reaches=NOWHERE),
    Vector(
        "form-ws", "<img src='ws://127.0.0.1:{own}/x'><iframe src='ws://127.0.0.1:{own}/x'></iframe>", reaches=NOWHERE
    ),
    Vector("form-jar", "<iframe src='jar:{html}!/x'></iframe>", reaches=NOWHERE),
    Vector(
        "form-devtools", "<iframe src='devtools://devtools/bundled/inspector.html?ws={host}'></iframe>", reaches=NOWHERE
    ),
    Vector(
        "form-chrome", "<iframe src='chrome://net-export'></iframe><img src='chrome://favicon/{html}'>", reaches=NOWHERE
    ),
    Vector("form-extension", "<iframe src='chrome-extension://x/{html}'></iframe>", reaches=NOWHERE),
    Vector("form-isolated-app", "<iframe src='isolated-app://x/{html}'></iframe>", reaches=NOWHERE),
]
