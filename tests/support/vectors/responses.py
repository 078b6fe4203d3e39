"""Responses of a public site that lead to another address: redirects and header fields."""

from tests.support.vectors import EVERYWHERE, NOWHERE, UNSANDBOXED, WHEN_IDLE, Response, Vector, in_frame

__all__ = ["HEADERS", "REDIRECTS"]


def _to(target: str, status: int = 302) -> dict[str, Response]:
    return {"/page": (status, "", {"Location": target})}


def _redirect(
    name: str, html: str, suffix: str = "png", *, status: int = 302, reaches: frozenset[str] = EVERYWHERE
) -> Vector:
    return Vector(f"redirect-{name}", html.replace("SRC", "{public}/page"), _to(f"{{{suffix}}}", status), reaches)


_TEN: dict[str, Response] = {f"/{hop}": (302, "", {"Location": f"{{public}}/{hop + 1}"}) for hop in range(10)}

REDIRECTS = [
    *(_redirect(str(status), "<img src=SRC>", status=status) for status in (301, 302, 303, 307, 308)),
    Vector("redirect-ten", "<img src={public}/0>", _TEN | {"/10": (302, "", {"Location": "{png}"})}),
    *(
        Vector(
            f"redirect-to-{name}", "<img src={public}/page>", _to(f"http://{host}:{{common}}/redirect-to-{name}.png")
        )
        for name, host in {
            "ipv6": "[::1]",
            "decimal": "2130706433",
            "name": "localhost",
            "mapped": "[::ffff:7f00:1]",
        }.items()
    ),
    Vector("redirect-to-relative", "<img src={public}/page>", _to("//{host}/redirect-to-relative.png")),
    Vector("redirect-to-https", "<img src={public}/page>", _to("https://127.0.0.1:{own}/x")),
    Vector("redirect-to-data", "<iframe src={public}/page></iframe>", _to("data:text/html,<img src={png}>"), NOWHERE),
    _redirect("css", "<link rel=stylesheet href=SRC>", "css"),
    _redirect("import", "<style>@import 'SRC';</style>", "css"),
    _redirect("font", "<style>@font-face{font-family:F2;src:url(SRC)} #f2{font-family:F2}</style><b id=f2>x</b>"),
    _redirect("background", "<b style='background:url(SRC)'>x</b>"),
    _redirect("frame", "<iframe src=SRC></iframe>", "html"),
    _redirect("frame-307", "<iframe src=SRC></iframe>", "html", status=307),
    _redirect("object", "<object data=SRC></object>", "html"),
    _redirect("svg-image", "<svg><image href='SRC' width=9 height=9 /></svg>"),
    _redirect("video", "<video src=SRC preload=auto autoplay muted></video>"),
    _redirect("preload", "<link rel=preload as=image href=SRC>"),
    _redirect("script", "<script src=SRC></script>", "js", reaches=UNSANDBOXED),
    _redirect("icon", "<link rel=icon href=SRC>", reaches=NOWHERE),
]


def _linked(name: str, value: str, reaches: frozenset[str] = EVERYWHERE) -> Vector:
    return in_frame(f"header-link-{name}", "x", reaches, Link=value)


_MHTML = """MIME-Version: 1.0
Content-Type: multipart/related; boundary="b"

--b
Content-Type: text/html

<img src={png}>
--b--"""

HEADERS = [
    _linked("preload", "<{png}>; rel=preload; as=image"),
    _linked("preconnect", "<http://127.0.0.1:{own}>; rel=preconnect", NOWHERE),
    _linked("stylesheet", "<{css}>; rel=stylesheet", NOWHERE),
    _linked("prefetch", "<{html}>; rel=prefetch"),
    _linked("modulepreload", "<{js}>; rel=modulepreload", UNSANDBOXED),
    in_frame(
        "header-csp-report",
        "<img src=x>",
        Content_Security_Policy="img-src 'none'; report-uri {json}",
    ),
    in_frame(
        "header-csp-report-only",
        "<img src=x>",
        Content_Security_Policy_Report_Only="img-src 'none'; report-uri {json}",
    ),
    in_frame(
        "header-reporting-endpoints",
        "<img src=x>",
        NOWHERE,
        Reporting_Endpoints='e="{json}"',
        Content_Security_Policy="img-src 'none'; report-to e",
    ),
    in_frame(
        "header-report-to",
        "x",
        NOWHERE,
        Report_To='{"group":"g","max_age":99,"endpoints":[{"url":"{json}"}]}',
        NEL='{"report_to":"g","max_age":99,"success_fraction":1}',
    ),
    in_frame("header-speculation-rules", "x", NOWHERE, Speculation_Rules='"{public}/rules"'),
    in_frame(
        "header-attribution", "<img src=x>", NOWHERE, Attribution_Reporting_Register_Source='{"destination":"{html}"}'
    ),
    in_frame("header-alt-svc", "<img src=x>", NOWHERE, Alt_Svc='h3="127.0.0.1:{own}", h2="127.0.0.1:{own}"'),
    in_frame("header-source-map", "<script>1</script>", NOWHERE, SourceMap="{json}", X_SourceMap="{json}"),
    in_frame("header-negotiate", "x", NOWHERE, WWW_Authenticate="Negotiate", Content_Location="{html}"),
    in_frame("header-disposition", "x", NOWHERE, Content_Disposition="attachment; filename={html}"),
    in_frame(
        "header-multipart",
        "--x\nContent-Type: text/html\n\nx\n--x--",
        NOWHERE,
        Content_Type="multipart/x-mixed-replace; boundary=x",
    ),
    in_frame(
        "header-mhtml",
        _MHTML,
        NOWHERE,
        Content_Type="multipart/related",
    ),
    in_frame("header-dictionary", "x", WHEN_IDLE, Link="<{json}>; rel=compression-dictionary"),
    in_frame("header-login-status", "x", NOWHERE, Set_Login="logged-in"),
]
