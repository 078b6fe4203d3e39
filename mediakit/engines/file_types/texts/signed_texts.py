"""Texts that a line at their start identifies: calendars, mails, keys, subtitles, patches."""

import re

_STARTS = (
    ("BEGIN:VCALENDAR", "ics"),
    ("BEGIN:VCARD", "vcf"),
    ("-----BEGIN PGP SIGNATURE", "pgp-signature"),
    ("-----BEGIN PGP PUBLIC KEY", "pgp-keys"),
    ("-----BEGIN PGP PRIVATE KEY", "pgp-keys"),
    ("-----BEGIN PGP ", "pgp"),
    ("-----BEGIN ", "pem"),
    ("---- BEGIN SSH2 ", "pem"),
    ("ssh-rsa ", "ssh-key"),
    ("ssh-ed25519 ", "ssh-key"),
    ("[playlist]", "pls"),
    ("[InternetShortcut]", "url"),
    ("[Script Info]", "ass"),
    ("Windows Registry Editor Version", "reg"),
    ("REGEDIT4", "reg"),
    ("##fileformat=VCF", "vcf-genome"),
    ("<?php", "php"),
    ("{\\rtf", "rtf"),
    ("%!PS", "ps"),
    ("# Wavefront", "obj"),
)

_MAIL_HEADER = (
    r"(?:Return-Path|Received|Delivered-To|Message-ID|MIME-Version|X-[\w-]+|From|To|Subject|Date|Reply-To|Cc|Sender|"
    r"Content-Type|DKIM-Signature|ARC-[\w-]+|Authentication-Results|List-[\w-]+|References|In-Reply-To|User-Agent)"
)
_PATTERNS: tuple[tuple[str, str], ...] = (
    ("vtt", r"WEBVTT(?:[ \t\n]|$)"),
    ("hls", r"#EXTM3U\b(?s:.{0,2000})#EXT-X-"),
    ("m3u", r"#EXTM3U\b"),
    ("srt", r"\d+[ \t]*\n\d{1,2}:\d{2}:\d{2},\d{3}\s*-->"),
    ("mbox", r"From \S+ .*\d{4}.*\n(?:[\w-]+:.*)"),
    ("mht", r"(?is)(?=(?:[^\n]*\n){0,12}?From:\s*<saved by)[\w-]+:"),
    ("eml", rf"(?i){_MAIL_HEADER}:[^\n]*(?:\n[ \t][^\n]*)*\n(?:[\w-]+:[^\n]*(?:\n[ \t][^\n]*)*\n){{2,}}"),
    ("diff", r"(?:diff --git |Index: .*\n=+|--- .*\n\+\+\+ .*\n@@ )"),
    ("diff", r"From [0-9a-f]{40} (?s:.{0,3000})\ndiff --git "),
    ("uuencode", r"begin(?:-base64)? [0-7]{3,4} \S"),
    ("hex", r"(?::[0-9A-Fa-f]{10,}\n){2}"),
    ("srec", r"(?:S[0-9][0-9A-F]{6,}\n){2}"),
    ("ldif", r"(?:version: 1\n+)?dn:{1,2} \S.*\n(?:[\w;-]+:)"),
    ("ris", r"TY  - [A-Z]{3,}"),
    ("stl", r"solid\b.*\n\s*facet\s+normal\b"),
    ("dxf-text", r"(?:999\n.*\n\s*)*0\nSECTION\n"),
    ("fasta", r">\S.*\n[ACGTUNRYKMSWBDHVacgtun*\-]{20,}\n|>\S.*\n[A-Z*\-]{50,}\n"),
    ("fastq", r"@\S.*\n[ACGTN]+\n\+.*\n"),
    ("pdb-protein", r"HEADER    .{40}\d\d-[A-Z]{3}-\d\d"),
    ("xbm", r"#define\s+\w+_width\s+\d+\s+#define\s+\w+_height\s+\d+"),
    ("cue", r"(?:REM .*\n|PERFORMER .*\n|TITLE .*\n)*FILE \"?.*\"? (?:WAVE|MP3|BINARY|AIFF)\n"),
    ("pgn", r"\[Event \".*\"\]\n\[\w+ \""),
    ("lrc", r"(?:\[\w+:.*\]\n)*(?:\[\d\d:\d\d\.\d\d\].*\n){2}"),
    ("troff", r"(?:\.\\\".*\n|'\\\".*\n)*\.(?:TH|Dd) "),
    (
        "bibtex",
        r"(?:%.*\n|\s)*@(?:article|book|inproceedings|misc|phdthesis|techreport|online|string|comment)\s*[{(]",
    ),
    ("tex", r"(?:%.*\n|\s)*\\(?:documentclass|documentstyle|input|usepackage|begin\{document\}|ProvidesPackage)"),
    ("po", r"(?:#.*\n|\s)*msgid \"(?s:.{0,5000}?)\nmsgstr(?:\[0\])? \""),
)

"""Types by what their text begins with, its line breaks as line feeds: a pattern with two ways to read a line break
takes time that doubles with each line."""

_COMPILED = [(name, re.compile(pattern)) for name, pattern in _PATTERNS]

_INTERPRETERS = (
    ("python", "python"),
    ("pypy", "python"),
    ("bash", "shell"),
    ("zsh", "shell"),
    ("ksh", "shell"),
    ("dash", "shell"),
    ("fish", "shell"),
    ("ash", "shell"),
    ("sh", "shell"),
    ("node", "javascript"),
    ("deno", "typescript"),
    ("perl", "perl"),
    ("ruby", "ruby"),
    ("php", "php"),
    ("lua", "lua"),
    ("tclsh", "tcl"),
    ("wish", "tcl"),
    ("gawk", "awk"),
    ("awk", "awk"),
    ("pwsh", "powershell"),
    ("rscript", "r"),
    ("julia", "julia"),
    ("make", "makefile"),
    ("groovy", "groovy"),
    ("osascript", "text"),
    ("swift", "swift"),
    ("elixir", "elixir"),
    ("escript", "erlang"),
    ("runhaskell", "haskell"),
)
_SHEBANG = re.compile(r"#![ \t]*(\S+)(?:[ \t]+(?:-\S+[ \t]+)*(\S+))?")


def signed_text(start: str, sample: str) -> str | None:
    """Return the type of a text that its first lines identify.

    Args:
        start: The text without white space at its start.
        sample: The text.
    """
    if start.startswith("#!"):
        return _interpreted(start)
    found = next((name for beginning, name in _STARTS if start.startswith(beginning)), None)
    if found or not sample:
        return found
    lines = start.replace("\r\n", "\n").replace("\r", "\n")
    return next((name for name, pattern in _COMPILED if pattern.match(lines)), None)


def _interpreted(start: str) -> str | None:
    """Return the language of a script by the program that its first line names."""
    found = _SHEBANG.match(start)
    if found is None:
        return None
    program = found[1].rpartition("/")[2].lower()
    if program == "env":
        program = (found[2] or "").rpartition("/")[2].lower()
    return next((name for beginning, name in _INTERPRETERS if program.startswith(beginning)), "shell")
