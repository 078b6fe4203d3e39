"""`certificate`: an award to print and frame, with a code that leads to its proof."""

from mediakit.engines.templates.fit import Fit
from mediakit.engines.templates.keys import Key, web_address
from mediakit.engines.templates.marks import qr_code
from mediakit.engines.templates.template import Template
from mediakit.engines.templates.texts import Texts

KEYS = (
    Key("title", 100, "Certificate of Completion", "Certificado de finalización"),
    Key("intro", 120, "This certificate is awarded to", "Se otorga el presente certificado a"),
    Key("recipient", 100, "Jordan Lee", "Laura Jiménez"),
    Key("statement", 160, "for successfully completing the course", "por haber completado con éxito el curso"),
    Key("course", 160, "Introduction to Data Analysis", "Introducción al análisis de datos"),
    Key("details", 120, "20 hours", "20 horas"),
    Key("date", 40, "March 3, 2026", "3 de marzo de 2026"),
    Key("issuer", 100, "Open Learning Institute", "Instituto de Aprendizaje Abierto"),
    Key("signer", 80, "Dr. Maria Silva", "Dra. María Silva"),
    Key("signer_title", 80, "Director", "Directora"),
    Key("signer2", 80),
    Key("signer2_title", 80),
    Key("certificate_id", 60, "OLI-2026-0042", "IAA-2026-0042"),
    Key("verify_url", 300, rule=web_address),
)
WORDS = {"id": ("Certificate no.", "Certificado n.º"), "verify": ("Scan to verify", "Escanee para verificar")}


def layout(texts: Texts) -> str:
    """Write the certificate: who issues it, the award, and the signatures."""
    room = texts.width - 2 * 120
    issuer = texts.put("issuer", Fit(room - (220 if texts.has("logo") else 0), 20, 13, weight=600, tracking=0.02))
    award = (
        texts.put("title", Fit(room, 54, 30, lines=2, weight=500, family="serif", height=100, leading=1.25), tag="h1")
        + ('<div class="rule"></div>' if texts.has("title") else "")
        + texts.put("intro", Fit(room, 18, 13))
        + texts.put(
            "recipient",
            Fit(room, 78, 34, lines=2, weight=600, family="serif", tracking=-0.01, height=118, leading=1.32),
        )
        + texts.put("statement", Fit(room, 18, 13))
        + texts.put("course", Fit(room, 32, 19, lines=2, weight=650, tracking=-0.015, leading=1.25))
        + _when(texts)
    )
    return (
        f'<div class="frame"><header>{texts.logo()}{issuer}</header><section>{award}</section>'
        f'<footer><div class="signed">{_signature(texts, "signer")}{_signature(texts, "signer2")}</div>'
        f"{_proof(texts)}</footer></div>"
    )


def _when(texts: Texts) -> str:
    details = texts.put("details", Fit(560, 16, 12, weight=500))
    date = texts.put("date", Fit(290, 16, 12, weight=500))
    dot = "<i>·</i>" if details and date else ""
    return f'<div class="when">{details}{dot}{date}</div>'


def _signature(texts: Texts, key: str) -> str:
    if not texts.has(key, f"{key}_title"):
        return ""
    name = texts.put(key, Fit(210, 16, 13, lines=2, weight=600), name="signer")
    return f'<div class="signature">{name}{texts.put(f"{key}_title", Fit(210, 13.5, 11, lines=2), name="role")}</div>'


def _proof(texts: Texts) -> str:
    number = texts.put("certificate_id", Fit(230, 14, 10, lines=2, weight=550, tracking=0.01))
    code = qr_code(texts.raw("verify_url")) if texts.has("verify_url") else ""
    lines = (texts.label("id") + number if number else "") + (texts.label("verify") if code else "")
    return f'<div class="proof"><div>{lines}</div>{code}</div>' if lines else ""


CERTIFICATE = Template(
    "certificate",
    "An award to print, with signatures and a code to verify it.",
    1123,
    794,
    KEYS,
    layout,
    WORDS,
    families=("sans", "serif"),
)
