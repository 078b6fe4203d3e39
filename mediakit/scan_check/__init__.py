"""Whether a printed QR code will be read: simulated photos of it at several sizes, decoded by mediakit's reader."""

from mediakit.scan_check.check import scan_check
from mediakit.scan_check.report import ScanReport

__all__ = ["ScanReport", "scan_check"]
