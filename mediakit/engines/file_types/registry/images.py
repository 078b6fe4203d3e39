"""Images and drawings."""

from mediakit.engines.file_types.file_type import FileType, at, starts

IMAGES = {
    "png": FileType("image/png", (".png", ".apng"), "a PNG image", "image", starts(b"\x89PNG\r\n\x1a\n")),
    "apng": FileType("image/apng", (".apng", ".png"), "an animated PNG image", "image"),
    "mng": FileType("video/x-mng", (".mng",), "an MNG animation", "image", starts(b"\x8aMNG\r\n\x1a\n")),
    "jpeg": FileType(
        "image/jpeg",
        (".jpg", ".jpeg", ".jpe", ".jfif", ".jif", ".mpo"),
        "a JPEG image",
        "image",
        starts(b"\xff\xd8\xff"),
    ),
    "jpeg-ls": FileType("image/jls", (".jls",), "a JPEG-LS image", "image", starts(b"\xff\xd8\xff\xf7")),
    "gif": FileType("image/gif", (".gif",), "a GIF image", "image", starts(b"GIF87a", b"GIF89a")),
    "webp": FileType("image/webp", (".webp",), "a WebP image", "image", (at(0, b"RIFF", 8, b"WEBP"),)),
    "tiff": FileType(
        "image/tiff", (".tif", ".tiff"), "a TIFF image", "image", starts(b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
    ),
    "dng": FileType("image/x-adobe-dng", (".dng",), "a DNG raw photo", "image"),
    "cr2": FileType("image/x-canon-cr2", (".cr2",), "a Canon raw photo", "image", (at(0, b"II*\0", 8, b"CR\2"),)),
    "cr3": FileType("image/x-canon-cr3", (".cr3",), "a Canon raw photo", "image"),
    "crw": FileType("image/x-canon-crw", (".crw",), "a Canon raw photo", "image", (at(0, b"II", 6, b"HEAPCCDR"),)),
    "nef": FileType("image/x-nikon-nef", (".nef",), "a Nikon raw photo", "image"),
    "arw": FileType("image/x-sony-arw", (".arw",), "a Sony raw photo", "image"),
    "orf": FileType(
        "image/x-olympus-orf", (".orf",), "an Olympus raw photo", "image", starts(b"IIRO", b"IIRS", b"MMOR")
    ),
    "rw2": FileType("image/x-panasonic-rw2", (".rw2", ".raw"), "a Panasonic raw photo", "image", starts(b"IIU\0")),
    "raf": FileType("image/x-fujifilm-raf", (".raf",), "a Fujifilm raw photo", "image", starts(b"FUJIFILMCCD-RAW")),
    "bmp": FileType("image/bmp", (".bmp", ".dib"), "a BMP image", "image"),
    "ico": FileType("image/vnd.microsoft.icon", (".ico",), "a Windows icon", "image"),
    "cur": FileType("image/x-win-bitmap", (".cur",), "a Windows cursor", "image"),
    "ani": FileType("application/x-navi-animation", (".ani",), "an animated Windows cursor", "image"),
    "icns": FileType("image/icns", (".icns",), "a macOS icon", "image", starts(b"icns")),
    "psd": FileType("image/vnd.adobe.photoshop", (".psd",), "a Photoshop image", "image", starts(b"8BPS\0\1")),
    "psb": FileType("image/vnd.adobe.photoshop", (".psb",), "a large Photoshop image", "image", starts(b"8BPS\0\2")),
    "xcf": FileType("image/x-xcf", (".xcf",), "a GIMP image", "image", starts(b"gimp xcf ")),
    "avif": FileType("image/avif", (".avif",), "an AVIF image", "image"),
    "avif-sequence": FileType("image/avif", (".avif", ".avifs"), "an animated AVIF image", "image"),
    "heic": FileType("image/heic", (".heic", ".heif", ".hif"), "a HEIC image", "image"),
    "heic-sequence": FileType("image/heic-sequence", (".heic", ".heics"), "a HEIC image sequence", "image"),
    "heif": FileType("image/heif", (".heif", ".heic", ".hif"), "a HEIF image", "image"),
    "heif-sequence": FileType("image/heif-sequence", (".heif", ".heifs"), "a HEIF image sequence", "image"),
    "jxl": FileType(
        "image/jxl", (".jxl",), "a JPEG XL image", "image", starts(b"\xff\x0a", b"\0\0\0\x0cJXL \r\n\x87\n")
    ),
    "jxr": FileType("image/jxr", (".jxr", ".wdp", ".hdp"), "a JPEG XR image", "image", starts(b"II\xbc")),
    "jp2": FileType("image/jp2", (".jp2",), "a JPEG 2000 image", "image", starts(b"\0\0\0\x0cjP  \r\n\x87\n")),
    "jpx": FileType("image/jpx", (".jpx", ".jpf"), "a JPEG 2000 image", "image"),
    "jpm": FileType("image/jpm", (".jpm",), "a JPEG 2000 compound image", "image"),
    "mj2": FileType("video/mj2", (".mj2", ".mjp2"), "a Motion JPEG 2000 video", "video"),
    "j2c": FileType(
        "image/j2c", (".j2c", ".j2k", ".jpc"), "a JPEG 2000 codestream", "image", starts(b"\xff\x4f\xff\x51\0")
    ),
    "bpg": FileType("image/bpg", (".bpg",), "a BPG image", "image", starts(b"BPG\xfb")),
    "flif": FileType("image/flif", (".flif",), "a FLIF image", "image", starts(b"FLIF")),
    "qoi": FileType("image/x-qoi", (".qoi",), "a QOI image", "image", starts(b"qoif")),
    "exr": FileType("image/x-exr", (".exr",), "an OpenEXR image", "image", starts(b"v/1\x01")),
    "hdr": FileType(
        "image/vnd.radiance", (".hdr", ".pic"), "a Radiance HDR image", "image", starts(b"#?RADIANCE\n", b"#?RGBE\n")
    ),
    "dds": FileType("image/vnd.ms-dds", (".dds",), "a DirectDraw texture", "image", starts(b"DDS \x7c\0\0\0")),
    "ktx": FileType("image/ktx", (".ktx",), "a KTX texture", "image", starts(b"\xabKTX 11\xbb\r\n\x1a\n")),
    "ktx2": FileType("image/ktx2", (".ktx2",), "a KTX 2 texture", "image", starts(b"\xabKTX 20\xbb\r\n\x1a\n")),
    "astc": FileType("image/x-astc", (".astc",), "an ASTC texture", "image", starts(b"\x13\xab\xa1\x5c")),
    "pcx": FileType("image/vnd.zbrush.pcx", (".pcx",), "a PCX image", "image"),
    "dcx": FileType("image/x-dcx", (".dcx",), "a multi-page PCX image", "image", starts(b"\xb1\x68\xde\x3a")),
    "tga": FileType("image/x-tga", (".tga", ".icb", ".vda", ".vst"), "a Targa image", "image"),
    "sgi": FileType("image/x-sgi", (".sgi", ".rgb", ".bw"), "a Silicon Graphics image", "image"),
    "ras": FileType("image/x-cmu-raster", (".ras", ".sun"), "a Sun raster image", "image", starts(b"\x59\xa6\x6a\x95")),
    "pbm": FileType("image/x-portable-bitmap", (".pbm", ".pnm"), "a PBM image", "image"),
    "pgm": FileType("image/x-portable-graymap", (".pgm", ".pnm"), "a PGM image", "image"),
    "ppm": FileType("image/x-portable-pixmap", (".ppm", ".pnm"), "a PPM image", "image"),
    "pam": FileType("image/x-portable-arbitrarymap", (".pam", ".pnm"), "a PAM image", "image", starts(b"P7\nWIDTH ")),
    "pfm": FileType("image/x-portable-floatmap", (".pfm",), "a PFM image", "image"),
    "xbm": FileType("image/x-xbitmap", (".xbm",), "an XBM image", "image"),
    "xpm": FileType("image/x-xpixmap", (".xpm",), "an XPM image", "image", starts(b"/* XPM */")),
    "svg": FileType("image/svg+xml", (".svg",), "an SVG image", "image"),
    "wmf": FileType(
        "image/wmf",
        (".wmf",),
        "a Windows metafile",
        "image",
        starts(b"\xd7\xcd\xc6\x9a\0\0", b"\1\0\x09\0\0\3", b"\2\0\x09\0\0\3"),
    ),
    "emf": FileType(
        "image/emf", (".emf",), "an enhanced Windows metafile", "image", (at(0, b"\1\0\0\0", 40, b" EMF"),)
    ),
    "djvu": FileType(
        "image/vnd.djvu", (".djvu", ".djv"), "a DjVu document", "document", (at(0, b"AT&TFORM", 12, b"DJV"),)
    ),
    "fits": FileType("image/fits", (".fits", ".fit", ".fts"), "a FITS image", "image", starts(b"SIMPLE  =")),
    "dicom": FileType("application/dicom", (".dcm", ".dicom"), "a DICOM image", "image", (at(128, b"DICM"),)),
    "nifti": FileType("application/x-nifti", (".nii",), "a NIfTI image", "image", (at(344, b"n+1\0"),)),
    "dwg": FileType("image/vnd.dwg", (".dwg",), "an AutoCAD drawing", "image", starts(b"AC10")),
    "dxf": FileType("image/vnd.dxf", (".dxf",), "a DXF drawing", "image", starts(b"AutoCAD Binary DXF\r\n\x1a\0")),
    "ilbm": FileType("image/x-ilbm", (".iff", ".ilbm", ".lbm"), "an Amiga IFF image", "image"),
    "xwd": FileType("image/x-xwindowdump", (".xwd",), "an X window dump", "image"),
    "pict": FileType(
        "image/x-pict", (".pct", ".pict"), "a Macintosh PICT image", "image", (at(522, b"\0\x11\2\xff\x0c\0"),)
    ),
    "ecw": FileType("image/x-ecw", (".ecw",), "an ECW image", "image", starts(b"ecw\0")),
    "farbfeld": FileType("image/x-farbfeld", (".ff",), "a farbfeld image", "image", starts(b"farbfeld")),
    "aseprite": FileType("image/x-aseprite", (".aseprite", ".ase"), "an Aseprite image", "image"),
    "clip": FileType("image/x-clip-studio", (".clip",), "a Clip Studio image", "image", starts(b"CSFCHUNK")),
}
