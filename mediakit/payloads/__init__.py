"""Texts for codes that phones act on: join a network, keep a contact, pay.

`mediakit.qr(mediakit.payloads.wifi("Guests", password="sunflower-42"))`

Each function gives the text of a code, escaped as its format demands, and refuses what no phone would take.
"""

from mediakit.payloads.contact import contact
from mediakit.payloads.event import event
from mediakit.payloads.payment import payment
from mediakit.payloads.place import location
from mediakit.payloads.reach import email, phone
from mediakit.payloads.wifi import wifi

__all__ = ["contact", "email", "event", "location", "payment", "phone", "wifi"]
