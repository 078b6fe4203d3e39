"""Example calls."""

from mediakit.core.tool import Example
from mediakit.samples import BADGE_HTML, FORM, PARTICIPANTS, PROPOSAL, PROPOSAL_DATA

GUESTS = [
    {"name": "Ada Lovelace", "role": "Speaker", "ticket": "SUMMIT-0001", "link": "https://example.com/ada"},
    {"name": "Grace O’Malley & Sons", "role": "Sponsor", "ticket": "SUMMIT-0002", "link": "https://example.com/grace"},
    {"name": "Zu Chongzhi", "role": "Workshop", "ticket": "SUMMIT-0003", "link": "https://example.com/zu"},
]

REGISTRATIONS = [
    {"name": "Ada Lovelace", "email": "ada@example.com", "country": "United Kingdom", "newsletter": True},
    {"name": "Sofia Kowalewska", "email": "sofia@example.com", "country": "Germany", "newsletter": False},
]

CLIENTS = [
    {"client.name": "Mae Winter", "client.company": "Harbor Tea Company", "title": "A website for Harbor Tea"},
    {"client.name": "Jules Brandt", "client.company": "Alpine Optics", "title": "A website for Alpine Optics"},
]

EXAMPLES = [
    Example(
        "Certificates of a template",
        {
            "rows": PARTICIPANTS,
            "template": "certificate",
            "data": {"issuer": "Open Learning Institute", "accent": "#0f766e"},
            "filename": "{certificate_id} {recipient}",
        },
    ),
    Example(
        "Badges with QR codes and barcodes, in one PDF",
        {
            "rows": GUESTS,
            "html": BADGE_HTML,
            "data": {"event": "Lake Summit 2026"},
            "filename": "{name}",
            "format": "A5",
            "merge": True,
        },
    ),
    Example("A PDF form for each row", {"rows": REGISTRATIONS, "file": FORM, "filename": "{n:03} {name}"}),
    Example(
        "Word documents of a template",
        {"rows": CLIENTS, "file": PROPOSAL, "data": PROPOSAL_DATA, "filename": "{client.company}"},
    ),
]
