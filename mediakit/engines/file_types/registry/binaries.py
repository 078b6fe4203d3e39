"""Fonts, executables, databases, 3D models and other binary data."""

from mediakit.engines.file_types.file_type import FileType, at, starts

FONTS = {
    "ttf": FileType("font/ttf", (".ttf",), "a TrueType font", "font", starts(b"true\0", b"\0\1\0\0\0")),
    "otf": FileType("font/otf", (".otf", ".ttf"), "an OpenType font", "font", starts(b"OTTO\0")),
    "ttc": FileType(
        "font/collection", (".ttc", ".otc"), "a font collection", "font", starts(b"ttcf\0\1\0\0", b"ttcf\0\2\0\0")
    ),
    "woff": FileType("font/woff", (".woff",), "a WOFF font", "font", starts(b"wOFF")),
    "woff2": FileType("font/woff2", (".woff2",), "a WOFF2 font", "font", starts(b"wOF2")),
    "eot": FileType("application/vnd.ms-fontobject", (".eot",), "an embedded OpenType font", "font"),
    "pfb": FileType(
        "application/x-font-type1",
        (".pfb", ".pfa"),
        "a Type 1 font",
        "font",
        starts(b"%!PS-AdobeFont-", b"%!FontType1"),
    ),
    "pcf": FileType("application/x-font-pcf", (".pcf",), "an X11 bitmap font", "font", starts(b"\1fcp")),
    "bdf": FileType("application/x-font-bdf", (".bdf",), "a BDF bitmap font", "font", starts(b"STARTFONT ")),
    "psf": FileType(
        "application/x-font-linux-psf", (".psf", ".psfu"), "a console font", "font", starts(b"\x72\xb5\x4a\x86")
    ),
    "dfont": FileType("application/x-dfont", (".dfont",), "a macOS font", "font"),
}

EXECUTABLES = {
    "exe": FileType(
        "application/vnd.microsoft.portable-executable",
        (".exe", ".scr", ".com", ".cpl"),
        "a Windows program",
        "executable",
    ),
    "dll": FileType(
        "application/vnd.microsoft.portable-executable",
        (".dll", ".ocx", ".sys", ".cpl", ".drv", ".efi", ".mui", ".pyd", ".exe"),
        "a Windows library",
        "executable",
    ),
    "dos": FileType("application/x-msdownload", (".exe", ".com"), "a DOS or 16-bit Windows program", "executable"),
    "elf": FileType(
        "application/x-elf",
        (".elf", ".so", ".o", ".bin", ".ko", ".out", ".axf", ".prx"),
        "a Linux or Unix program (ELF)",
        "executable",
        starts(b"\x7fELF"),
    ),
    "macho": FileType(
        "application/x-mach-binary",
        (".macho", ".dylib", ".o", ".bundle"),
        "a macOS program (Mach-O)",
        "executable",
        starts(b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe"),
    ),
    "class": FileType("application/java-vm", (".class",), "a compiled Java class", "executable"),
    "coff": FileType("application/x-coff", (".obj", ".o"), "a COFF object file", "executable"),
    "wasm": FileType("application/wasm", (".wasm",), "a WebAssembly module", "executable", starts(b"\0asm")),
    "dex": FileType(
        "application/vnd.android.dex",
        (".dex",),
        "an Android program (DEX)",
        "executable",
        starts(b"dex\n03", b"dex\n04"),
    ),
    "luac": FileType("application/x-lua-bytecode", (".luac",), "compiled Lua", "executable", starts(b"\x1bLua")),
    "pyc": FileType("application/x-python-code", (".pyc",), "compiled Python", "executable"),
    "msi": FileType("application/x-msi", (".msi", ".msp", ".mst"), "a Windows installer", "executable"),
    "llvm": FileType("application/x-llvm", (".bc",), "LLVM bitcode", "executable", starts(b"BC\xc0\xde")),
    "beam": FileType(
        "application/x-erlang-binary", (".beam",), "compiled Erlang", "executable", (at(0, b"FOR1", 8, b"BEAM"),)
    ),
    "nes": FileType("application/x-nintendo-nes-rom", (".nes",), "a NES game", "executable", starts(b"NES\x1a")),
    "gameboy": FileType(
        "application/x-gameboy-rom",
        (".gb", ".gbc"),
        "a Game Boy game",
        "executable",
        (at(260, b"\xce\xed\x66\x66\xcc\x0d\0\x0b"),),
    ),
    "xex": FileType("application/x-xbox-executable", (".xex",), "an Xbox 360 program", "executable", starts(b"XEX2")),
}

DATA = {
    "sqlite": FileType(
        "application/vnd.sqlite3",
        (".sqlite", ".sqlite3", ".db", ".db3", ".gpkg", ".mbtiles"),
        "a SQLite database",
        "data",
        starts(b"SQLite format 3\0"),
    ),
    "mdb": FileType(
        "application/vnd.ms-access",
        (".mdb", ".accdb", ".mde"),
        "an Access database",
        "data",
        starts(b"\0\1\0\0Standard Jet DB\0", b"\0\1\0\0Standard ACE DB\0"),
    ),
    "dbf": FileType("application/vnd.dbf", (".dbf",), "a dBASE table", "data"),
    "parquet": FileType(
        "application/vnd.apache.parquet", (".parquet", ".pq"), "a Parquet file", "data", starts(b"PAR1", b"PARE")
    ),
    "arrow": FileType(
        "application/vnd.apache.arrow.file", (".arrow", ".feather"), "an Arrow file", "data", starts(b"ARROW1\0\0")
    ),
    "feather": FileType("application/x-feather", (".feather", ".fea"), "a Feather file", "data", starts(b"FEA1")),
    "avro": FileType("application/avro", (".avro",), "an Avro file", "data", starts(b"Obj\1")),
    "orc": FileType("application/vnd.apache.orc", (".orc",), "an ORC file", "data", starts(b"ORC")),
    "hdf5": FileType(
        "application/x-hdf5",
        (".h5", ".hdf5", ".hdf", ".nc", ".he5"),
        "an HDF5 file",
        "data",
        (at(0, b"\x89HDF\r\n\x1a\n"), at(512, b"\x89HDF\r\n\x1a\n")),
    ),
    "hdf4": FileType("application/x-hdf", (".hdf", ".h4"), "an HDF4 file", "data", starts(b"\x0e\3\x13\1")),
    "netcdf": FileType(
        "application/x-netcdf", (".nc", ".cdf"), "a NetCDF file", "data", starts(b"CDF\1", b"CDF\2", b"CDF\5")
    ),
    "grib": FileType("application/x-grib", (".grib", ".grb", ".grib2", ".grb2"), "a GRIB weather file", "data"),
    "npy": FileType("application/x-npy", (".npy",), "a NumPy array", "data", starts(b"\x93NUMPY")),
    "npz": FileType("application/x-npz", (".npz", ".zip"), "a NumPy archive", "data"),
    "mat": FileType(
        "application/x-matlab-data",
        (".mat",),
        "a MATLAB file",
        "data",
        starts(b"MATLAB 5.0 MAT-file", b"MATLAB 7.3 MAT-file"),
    ),
    "rdata": FileType(
        "application/x-r-data",
        (".rdata", ".rda", ".rds"),
        "an R data file",
        "data",
        starts(b"RDX2\n", b"RDX3\n", b"RDA2\n"),
    ),
    "sas": FileType(
        "application/x-sas-data",
        (".sas7bdat",),
        "a SAS data set",
        "data",
        (at(12, b"\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\0"),),
    ),
    "xport": FileType(
        "application/x-sas-xport",
        (".xpt",),
        "a SAS transport file",
        "data",
        starts(b"HEADER RECORD*******LIBRARY HEADER"),
    ),
    "spss": FileType(
        "application/x-spss-sav", (".sav", ".zsav"), "an SPSS data file", "data", starts(b"$FL2@(#)", b"$FL3@(#)")
    ),
    "stata": FileType("application/x-stata-dta", (".dta",), "a Stata data file", "data", starts(b"<stata_dta>")),
    "pickle": FileType("application/x-pickle", (".pkl", ".pickle"), "a Python pickle", "data"),
    "pcap": FileType(
        "application/vnd.tcpdump.pcap",
        (".pcap", ".cap", ".dmp"),
        "a network capture",
        "data",
        starts(b"\xa1\xb2\xc3\xd4", b"\xd4\xc3\xb2\xa1", b"\xa1\xb2\x3c\x4d", b"\x4d\x3c\xb2\xa1"),
    ),
    "pcapng": FileType("application/x-pcapng", (".pcapng", ".ntar"), "a network capture (pcapng)", "data"),
    "snoop": FileType("application/x-snoop", (".snoop",), "a network capture (snoop)", "data", starts(b"snoop\0\0\0")),
    "der": FileType("application/x-x509-ca-cert", (".der", ".cer", ".crt"), "a certificate (DER)", "data"),
    "pkcs12": FileType("application/x-pkcs12", (".p12", ".pfx"), "a PKCS #12 key store", "data"),
    "pkcs7": FileType("application/pkcs7-mime", (".p7m", ".p7c", ".p7b", ".p7s"), "a PKCS #7 message", "data"),
    "jks": FileType(
        "application/x-java-keystore",
        (".jks", ".keystore"),
        "a Java key store",
        "data",
        starts(b"\xfe\xed\xfe\xed\0\0\0"),
    ),
    "keepass": FileType(
        "application/x-keepass2", (".kdbx", ".kdb"), "a KeePass database", "data", starts(b"\3\xd9\xa2\x9a")
    ),
    "pgp-binary": FileType("application/pgp-encrypted", (".gpg", ".pgp"), "a PGP file", "data"),
    "age": FileType(
        "application/x-age-encryption", (".age",), "an age-encrypted file", "data", starts(b"age-encryption.org/v1\n")
    ),
    "luks": FileType("application/x-luks", (".luks",), "a LUKS-encrypted disk", "data", starts(b"LUKS\xba\xbe")),
    "openssl": FileType(
        "application/x-openssl-encrypted", (".enc",), "an OpenSSL-encrypted file", "data", starts(b"Salted__")
    ),
    "lnk": FileType(
        "application/x-ms-shortcut",
        (".lnk",),
        "a Windows shortcut",
        "data",
        starts(b"\x4c\0\0\0\1\x14\2\0\0\0\0\0\xc0\0\0\0\0\0\0\x46"),
    ),
    "alias": FileType(
        "application/x.apple.alias", (".alias",), "a macOS alias", "data", starts(b"book\0\0\0\0mark\0\0\0\0")
    ),
    "bplist": FileType(
        "application/x-bplist",
        (".plist", ".bplist", ".nib", ".strings"),
        "a binary property list",
        "data",
        starts(b"bplist0", b"bplist1"),
    ),
    "ds-store": FileType(
        "application/x-apple-ds-store", (".ds_store",), "a macOS folder file", "data", starts(b"\0\0\0\1Bud1\0")
    ),
    "evtx": FileType("application/x-ms-evtx", (".evtx",), "a Windows event log", "data", starts(b"ElfFile\0")),
    "regf": FileType(
        "application/x-ms-registry", (".dat", ".hve", ".reg"), "a Windows registry hive", "data", starts(b"regf")
    ),
    "minidump": FileType(
        "application/x-dmp",
        (".dmp", ".mdmp"),
        "a Windows crash dump",
        "data",
        starts(b"MDMP\x93\xa7", b"PAGEDUMP", b"PAGEDU64"),
    ),
    "thumbs-db": FileType("application/x-thumbs-db", (".db",), "a Windows thumbnail cache", "data", starts(b"CMMM")),
    "prefetch": FileType(
        "application/x-ms-prefetch", (".pf",), "a Windows prefetch file", "data", (at(4, b"SCCA"), at(0, b"MAM\4"))
    ),
    "icc": FileType("application/vnd.iccprofile", (".icc", ".icm"), "a color profile", "data", (at(36, b"acsp"),)),
    "mo": FileType(
        "application/x-gettext-translation",
        (".mo", ".gmo"),
        "compiled translations",
        "data",
        starts(b"\xde\x12\x04\x95\0\0", b"\x95\x04\x12\xde\0\0"),
    ),
    "shp": FileType(
        "application/x-esri-shape", (".shp", ".shx"), "an ESRI shapefile", "data", starts(b"\0\0\x27\x0a\0\0\0\0")
    ),
    "las": FileType("application/vnd.las", (".las", ".laz"), "a LAS point cloud", "data", starts(b"LASF\0")),
    "glb": FileType(
        "model/gltf-binary", (".glb", ".vrm"), "a glTF 3D model", "data", starts(b"glTF\1\0\0\0", b"glTF\2\0\0\0")
    ),
    "blend": FileType(
        "application/x-blender", (".blend",), "a Blender file", "data", starts(b"BLENDER_", b"BLENDER-", b"BLENDER17")
    ),
    "fbx": FileType("application/x-fbx", (".fbx",), "an FBX 3D model", "data", starts(b"Kaydara FBX Binary  \0")),
    "stl": FileType("model/stl", (".stl",), "an STL 3D model", "data"),
    "obj": FileType("model/obj", (".obj",), "a Wavefront 3D model", "data"),
    "mtl": FileType("model/mtl", (".mtl",), "Wavefront materials", "data"),
    "ply": FileType("model/ply", (".ply",), "a PLY 3D model", "data", starts(b"ply\nformat ", b"ply\r\nformat ")),
    "3mf": FileType("model/3mf", (".3mf",), "a 3MF 3D model", "data"),
    "3ds": FileType("application/x-3ds", (".3ds",), "a 3D Studio model", "data"),
    "vrml": FileType("model/vrml", (".wrl", ".vrml"), "a VRML scene", "data", starts(b"#VRML V")),
    "usdz": FileType("model/vnd.usdz+zip", (".usdz",), "a USDZ 3D model", "data"),
    "usdc": FileType("model/vnd.usd", (".usdc", ".usd"), "a USD 3D scene", "data", starts(b"PXR-USDC")),
    "skp": FileType(
        "application/vnd.sketchup.skp",
        (".skp",),
        "a SketchUp model",
        "data",
        starts(b"\xff\xfe\xff\x0eS\0k\0e\0t\0c\0h\0U\0p\0"),
    ),
    "step": FileType("model/step", (".step", ".stp", ".p21"), "a STEP 3D model", "data", starts(b"ISO-10303-21;")),
    "pdb": FileType("application/vnd.palm", (".pdb", ".prc"), "a Palm database", "data"),
    "llvm-profile": FileType(
        "application/x-llvm-profile",
        (".profraw",),
        "an LLVM profile",
        "data",
        starts(b"\x81rforpl\xff", b"\xfflprofr\x81"),
    ),
    "git-index": FileType("application/x-git-index", (), "a Git index", "data", starts(b"DIRC\0\0\0")),
    "git-pack": FileType("application/x-git-pack", (".pack",), "a Git pack", "data", starts(b"PACK\0\0\0")),
    "mie": FileType("application/x-mie", (".mie",), "a MIE metadata file", "data", starts(b"~\x10\4", b"~\x18\4")),
    "unity": FileType(
        "application/vnd.unity",
        (".unity3d", ".bundle", ".assets"),
        "a Unity file",
        "data",
        starts(b"UnityFS\0", b"UnityWeb\0", b"UnityRaw\0"),
    ),
    "gguf": FileType("application/x-gguf", (".gguf",), "a GGUF model", "data", starts(b"GGUF")),
    "cdx": FileType("chemical/x-cdx", (".cdx",), "a ChemDraw file", "data", starts(b"VjCD0100")),
    "bam": FileType("application/x-bam", (".bam",), "a BAM alignment", "data"),
    "appledouble": FileType(
        "multipart/appledouble", (".appledouble",), "an AppleDouble file", "data", starts(b"\0\5\x16\7\0\2\0\0")
    ),
    "applesingle": FileType(
        "application/applefile", (".applesingle",), "an AppleSingle file", "data", starts(b"\0\5\x16\0\0\2\0\0")
    ),
    "tzif": FileType("application/tzif", (), "a time zone file", "data", starts(b"TZif")),
    "terminfo": FileType("application/x-terminfo", (), "compiled terminfo", "data", starts(b"\x1a\1", b"\x1e\2")),
    "java-serialized": FileType(
        "application/x-java-serialized-object", (".ser",), "a serialized Java object", "data", starts(b"\xac\xed\0\5")
    ),
    "jmod": FileType("application/x-jmod", (".jmod",), "a Java module", "data", starts(b"JM\1\0PK")),
    "torrent": FileType("application/x-bittorrent", (".torrent",), "a BitTorrent file", "data"),
    "cbor": FileType("application/cbor", (".cbor",), "CBOR data", "data", starts(b"\xd9\xd9\xf7")),
    "riff": FileType("application/x-riff", (".riff",), "a RIFF file", "data"),
    "iff": FileType("application/x-iff", (".iff",), "an IFF file", "data"),
    "ebml": FileType("application/x-ebml", (".ebml",), "an EBML file", "data"),
    "unknown": FileType("application/octet-stream", (), "an unknown kind of file", "data"),
    "empty": FileType("application/x-empty", (), "an empty file", "data"),
}
