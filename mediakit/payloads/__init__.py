"""Texts of QR codes that phones act on: join a network, save a contact, make a payment.

`mediakit.qr(mediakit.payloads.wifi("Guests", password="sunflower-42"))`

Each function returns the text of a code, escaped as its format requires, and validates the values.
"""

from mediakit.payloads.contact import contact
from mediakit.payloads.email_and_phone import email, phone
from mediakit.payloads.event import event
from mediakit.payloads.location import location
from mediakit.payloads.payment import payment
from mediakit.payloads.wifi import wifi

__all__ = ["contact", "email", "event", "location", "payment", "phone", "wifi"]
