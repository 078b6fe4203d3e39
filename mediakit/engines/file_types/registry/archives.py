"""Archives, compressed files, packages and disk images."""

from mediakit.engines.file_types.file_type import FileType, at, starts

ARCHIVES = {
    "zip": FileType(
        "application/zip",
        (".zip", ".cbz", ".kmz", ".sketch"),
        "a ZIP file",
        "archive",
        starts(b"PK\3\4", b"PK\5\6", b"PK\7\x08PK\3\4", b"PK00PK\3\4"),
    ),
    "jar": FileType("application/java-archive", (".jar", ".war", ".ear"), "a Java archive", "archive"),
    "apk": FileType("application/vnd.android.package-archive", (".apk",), "an Android package", "archive"),
    "ipa": FileType("application/x-ios-app", (".ipa",), "an iOS package", "archive"),
    "xpi": FileType("application/x-xpinstall", (".xpi",), "a Firefox extension", "archive"),
    "crx": FileType(
        "application/x-google-chrome-extension", (".crx",), "a Chrome extension", "archive", starts(b"Cr24")
    ),
    "whl": FileType("application/zip", (".whl", ".zip"), "a Python wheel", "archive"),
    "nupkg": FileType("application/zip", (".nupkg", ".zip"), "a NuGet package", "archive"),
    "vsix": FileType("application/vsix", (".vsix",), "a Visual Studio extension", "archive"),
    "rar": FileType(
        "application/vnd.rar", (".rar", ".cbr"), "a RAR archive", "archive", starts(b"Rar!\x1a\x07", b"RE\x7e\x5e")
    ),
    "7z": FileType(
        "application/x-7z-compressed", (".7z", ".cb7"), "a 7z archive", "archive", starts(b"7z\xbc\xaf\x27\x1c")
    ),
    "tar": FileType("application/x-tar", (".tar",), "a TAR archive", "archive"),
    "gzip": FileType(
        "application/gzip",
        (".gz", ".tgz", ".gzip", ".svgz", ".emz", ".wmz", ".vgz"),
        "a gzip file",
        "archive",
        starts(b"\x1f\x8b\x08"),
    ),
    "bzip2": FileType("application/x-bzip2", (".bz2", ".tbz2", ".tbz"), "a bzip2 file", "archive"),
    "bzip": FileType("application/x-bzip", (".bz",), "a bzip file", "archive", starts(b"BZ0")),
    "xz": FileType("application/x-xz", (".xz", ".txz"), "an XZ file", "archive", starts(b"\xfd7zXZ\0")),
    "zstd": FileType(
        "application/zstd", (".zst", ".zstd", ".tzst"), "a Zstandard file", "archive", starts(b"\x28\xb5\x2f\xfd")
    ),
    "lz4": FileType(
        "application/x-lz4", (".lz4",), "an LZ4 file", "archive", starts(b"\x04\x22\x4d\x18", b"\x02\x21\x4c\x18")
    ),
    "lzip": FileType("application/x-lzip", (".lz",), "an lzip file", "archive", starts(b"LZIP\0", b"LZIP\1")),
    "lzma": FileType("application/x-lzma", (".lzma",), "an LZMA file", "archive"),
    "lzop": FileType("application/x-lzop", (".lzo",), "an lzop file", "archive", starts(b"\x89LZO\0\r\n\x1a\n")),
    "lrzip": FileType("application/x-lrzip", (".lrz",), "an lrzip file", "archive", starts(b"LRZI\0")),
    "snappy": FileType(
        "application/x-snappy-framed", (".sz",), "a Snappy file", "archive", starts(b"\xff\x06\0\0sNaPpY")
    ),
    "compress": FileType(
        "application/x-compress", (".Z", ".z"), "a compress (.Z) file", "archive", starts(b"\x1f\x9d", b"\x1f\xa0")
    ),
    "pack": FileType("application/x-pack", (".z",), "a pack (.z) file", "archive", starts(b"\x1f\x1e")),
    "rzip": FileType("application/x-rzip", (".rz",), "an rzip file", "archive", starts(b"RZIP\2")),
    "zlib": FileType("application/zlib", (".zlib", ".zz"), "a zlib stream", "archive"),
    "szdd": FileType(
        "application/x-ms-compress-szdd",
        (".ex_", ".dl_"),
        "a compressed Windows file",
        "archive",
        starts(b"SZDD\x88\xf0\x27\x33"),
    ),
    "cab": FileType(
        "application/vnd.ms-cab-compressed", (".cab",), "a Windows cabinet", "archive", starts(b"MSCF\0\0\0\0")
    ),
    "installshield": FileType(
        "application/x-installshield", (".cab", ".hdr"), "an InstallShield cabinet", "archive", starts(b"ISc(")
    ),
    "arj": FileType("application/x-arj", (".arj",), "an ARJ archive", "archive", starts(b"\x60\xea")),
    "lha": FileType("application/x-lzh-compressed", (".lzh", ".lha"), "an LHA archive", "archive"),
    "ace": FileType("application/x-ace-compressed", (".ace",), "an ACE archive", "archive", (at(7, b"**ACE**"),)),
    "alz": FileType("application/x-alz-compressed", (".alz",), "an ALZip archive", "archive", starts(b"ALZ\1")),
    "egg": FileType("application/x-egg", (".egg",), "an EGG archive", "archive", starts(b"EGGA\0\1")),
    "zoo": FileType("application/x-zoo", (".zoo",), "a ZOO archive", "archive", (at(20, b"\xdc\xa7\xc4\xfd"),)),
    "stuffit": FileType("application/x-stuffit", (".sit",), "a StuffIt archive", "archive", starts(b"SIT!")),
    "stuffitx": FileType("application/x-stuffitx", (".sitx",), "a StuffIt X archive", "archive", starts(b"StuffIt")),
    "ar": FileType(
        "application/x-archive", (".a", ".ar", ".lib"), "an ar archive", "archive", starts(b"!<arch>\n", b"!<thin>\n")
    ),
    "deb": FileType(
        "application/vnd.debian.binary-package",
        (".deb", ".udeb"),
        "a Debian package",
        "archive",
        starts(b"!<arch>\ndebian-binary"),
    ),
    "rpm": FileType("application/x-rpm", (".rpm",), "an RPM package", "archive", starts(b"\xed\xab\xee\xdb")),
    "cpio": FileType(
        "application/x-cpio",
        (".cpio",),
        "a cpio archive",
        "archive",
        starts(b"070701", b"070702", b"070707", b"\xc7\x71", b"\x71\xc7"),
    ),
    "xar": FileType("application/x-xar", (".xar", ".pkg"), "a XAR archive", "archive", starts(b"xar!")),
    "asar": FileType("application/x-asar", (".asar",), "an Electron archive", "archive"),
    "wim": FileType(
        "application/x-ms-wim", (".wim", ".esd", ".swm"), "a Windows image", "archive", starts(b"MSWIM\0\0\0")
    ),
    "iso": FileType(
        "application/x-iso9660-image", (".iso",), "a disc image (ISO 9660)", "archive", (at(32769, b"CD001"),)
    ),
    "udf": FileType(
        "application/x-udf-image", (".iso", ".udf"), "a disc image (UDF)", "archive", (at(32769, b"BEA01"),)
    ),
    "dmg": FileType("application/x-apple-diskimage", (".dmg",), "a macOS disk image", "archive"),
    "qcow2": FileType(
        "application/x-qemu-disk", (".qcow2", ".qcow"), "a QEMU disk image", "archive", starts(b"QFI\xfb")
    ),
    "vmdk": FileType(
        "application/x-vmdk-disk",
        (".vmdk",),
        "a VMware disk image",
        "archive",
        starts(b"KDMV", b"# Disk DescriptorFile"),
    ),
    "vdi": FileType(
        "application/x-virtualbox-vdi", (".vdi",), "a VirtualBox disk image", "archive", (at(64, b"\x7f\x10\xda\xbe"),)
    ),
    "vhd": FileType("application/x-vhd-disk", (".vhd",), "a virtual hard disk", "archive", starts(b"conectix")),
    "vhdx": FileType("application/x-vhdx-disk", (".vhdx",), "a virtual hard disk", "archive", starts(b"vhdxfile")),
    "squashfs": FileType(
        "application/vnd.squashfs",
        (".squashfs", ".sfs", ".snap"),
        "a SquashFS image",
        "archive",
        starts(b"hsqs", b"sqsh"),
    ),
    "warc": FileType("application/warc", (".warc",), "a web archive (WARC)", "archive", starts(b"WARC/0.", b"WARC/1.")),
    "aar": FileType("application/x-apple-archive", (".aar",), "an Apple archive", "archive", starts(b"AA01", b"YAA1")),
    "zpaq": FileType("application/x-zpaq", (".zpaq",), "a ZPAQ archive", "archive", starts(b"zPQ", b"7kSt")),
    "shar": FileType("application/x-shar", (".shar",), "a shell archive", "archive"),
}
