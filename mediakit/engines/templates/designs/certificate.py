"""`certificate`: an award with signatures and a QR code for verification."""

from mediakit.engines.templates.inline_codes import qr_code_svg
from mediakit.engines.templates.page_texts import PageTexts
from mediakit.engines.templates.template import Template
from mediakit.engines.templates.text_fitting import TextBox


def layout(texts: PageTexts) -> str:
    """Return the body of a certificate: issuer, award and signatures."""
    width = texts.width - 2 * 120
    issuer = texts.element(
        "issuer", TextBox(width - (220 if texts.has("logo") else 0), 20, 13, weight=600, tracking=0.02)
    )
    award = (
        texts.element(
            "title", TextBox(width, 54, 30, lines=2, weight=500, family="serif", height=100, line_height=1.25), tag="h1"
        )
        + ('<div class="rule"></div>' if texts.has("title") else "")
        + texts.element("intro", TextBox(width, 18, 13))
        + texts.element(
            "recipient",
            TextBox(width, 78, 34, lines=2, weight=600, family="serif", tracking=-0.01, height=118, line_height=1.32),
        )
        + texts.element("statement", TextBox(width, 18, 13))
        + texts.element("course", TextBox(width, 32, 19, lines=2, weight=650, tracking=-0.015, line_height=1.25))
        + _details_and_date(texts)
    )
    return (
        f'<div class="frame"><header>{texts.logo()}{issuer}</header><section>{award}</section>'
        f'<footer><div class="signed">{_signature(texts, "signer")}{_signature(texts, "signer2")}</div>'
        f"{_verification(texts)}</footer></div>"
    )


def _details_and_date(texts: PageTexts) -> str:
    details = texts.element("details", TextBox(560, 16, 12, weight=500))
    date = texts.element("date", TextBox(290, 16, 12, weight=500))
    dot = "<i>·</i>" if details and date else ""
    return f'<div class="when">{details}{dot}{date}</div>'


def _signature(texts: PageTexts, key: str) -> str:
    if not texts.has(key, f"{key}_title"):
        return ""
    name = texts.element(key, TextBox(210, 16, 13, lines=2, weight=600), css_class="signer")
    role = texts.element(f"{key}_title", TextBox(210, 13.5, 11, lines=2), css_class="role")
    return f'<div class="signature">{name}{role}</div>'


def _verification(texts: PageTexts) -> str:
    number = texts.element("certificate_id", TextBox(230, 14, 10, lines=2, weight=550, tracking=0.01))
    code = qr_code_svg(texts.raw("verify_url")) if texts.has("verify_url") else ""
    lines = (texts.label("id") + number if number else "") + (texts.label("verify") if code else "")
    return f'<div class="proof"><div>{lines}</div>{code}</div>' if lines else ""


CERTIFICATE = Template.load("certificate", layout)
