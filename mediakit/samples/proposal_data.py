"""The data of `PROPOSAL`."""

from typing import Any

PROPOSAL_DATA: dict[str, Any] = {
    "number": "2026-014",
    "title": "A new website for Lakeside Rowing",
    "date": "2026-03-09",
    "valid_until": "2026-04-30",
    "studio": {
        "name": "Northlight Studio",
        "contact": "Ines Moreau",
        "email": "hello@northlight.example",
        "address": "12 Quay Street, Bristol",
    },
    "client": {"name": "Ada Quist", "company": "Lakeside Rowing Club", "is_new": True},
    "intro": "Thank you for the day at the boathouse. Here is what we would build, what it costs, and how we would "
    "work together.\nEverything can be changed until we start.",
    "items": [
        {"work": "Design of 8 pages, phones & desktops", "hours": 42, "rate": 95, "amount": 3990},
        {"work": "Booking calendar for boats", "hours": 60, "rate": 95, "amount": 5700},
        {"work": "Photography on the lake", "hours": 8, "rate": 120, "amount": 960},
    ],
    "discount": 5,
    "total": 10117.5,
    "steps": [
        "We sketch all pages with you in one afternoon.",
        "You see a first version after two weeks, with your own texts.",
        "We train your team, and stay reachable for a year.",
    ],
    "website": {"link": "https://northlight.example/start", "text": "northlight.example/start"},
}
"""Values for all placeholders of the template."""
