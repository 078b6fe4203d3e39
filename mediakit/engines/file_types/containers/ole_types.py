"""The type of an OLE compound file ([MS-CFB]), from the names of its streams and the class of its root."""

from mediakit.engines.file_types.containers.ole_streams import read_entries

_CLASSES = {
    "00020906": "doc", "00020900": "doc", "00020907": "doc", "00020810": "xls", "00020820": "xls", "64818d10": "ppt",
    "00021a14": "vsd", "00021a13": "vsd", "00021201": "pub", "000c1084": "msi", "000c1086": "msi", "000c1082": "msi",
    "74b78f3a": "mpp", "00020d0b": "msg", "00028302": "works",
}  # fmt: skip
"""First part of the class identifier of the root, by type."""

_STREAMS = (
    ("EncryptedPackage", "office-encrypted"),
    ("WordDocument", "doc"),
    ("Workbook", "xls"),
    ("Book", "xls"),
    ("PowerPoint Document", "ppt"),
    ("PP40", "ppt"),
    ("VisioDocument", "vsd"),
    ("__properties_version1.0", "msg"),
    ("__nameid_version1.0", "msg"),
    ("Quill", "pub"),
    ("FileHeader", "hwp"),
    ("MatOST", "works"),
    ("Catalog", "thumbs-db"),
)


def ole_type(content: bytes) -> str:
    """Return the name of a compound file's type, `ole` for an unknown one."""
    entries = read_entries(content)
    names = {entry.name for entry in entries}
    found = next((kind for stream, kind in _STREAMS if stream in names), None)
    if found == "hwp" and "BodyText" not in names:
        found = None
    if found is None and entries:
        found = _CLASSES.get(entries[0].class_id)
    if found is None and any("\u4840" in name for name in names):  # the encoded table names of [MS-MSI] installers
        found = "msi"
    return found or "ole"
