"""Ways to show a local file. `{folder}` is replaced by its folder."""

FILES = {
    "image": "<img src='{folder}/secret.svg'>",
    "srcset": "<img srcset='{folder}/secret.svg 1x'>",
    "background": "<div style='width:40px;height:40px;background:url({folder}/secret.svg)'></div>",
    "svg-image": "<svg width=40 height=40><image href='{folder}/secret.svg' width=40 height=40 /></svg>",
    "poster": "<video poster='{folder}/secret.svg'></video>",
    "frame": "<iframe src='{folder}/secret.html'></iframe>",
    "frame-in-frame": "<iframe srcdoc=\"<iframe src='{folder}/secret.html'></iframe>\"></iframe>",
    "data-frame": "<iframe src=\"data:text/html,<iframe src='{folder}/secret.html'></iframe>\"></iframe>",
    "object": "<object data='{folder}/secret.html' type=text/html></object>",
    "embed": "<embed src='{folder}/secret.html' type=text/html>",
    "stylesheet": "<link rel=stylesheet href='{folder}/secret.css'>",
    "import": "<style>@import '{folder}/secret.css';</style>",
    "base": "<iframe srcdoc=\"<base href='{folder}/'><img src=secret.svg>\"></iframe>",
    "import-in-data": "<link rel=stylesheet href=\"data:text/css,@import '{folder}/secret.css'\">",
}
"""Each shows the file if the folder belongs to a web site."""

SPELLINGS = [
    "file://{path}",
    "FiLe://{path}",
    "file:{path}",
    "file:////{path}",
    "file://localhost{path}",
    "file:\\\\{path}",
    "\x01file://{path}",
    "fi\tle://{path}",
]
"""URLs of a local file that browsers accept."""

FILE_LIKE = ["{path}", "//{path}", "view-source:file://{path}", "blob:file://{path}", "filesystem:file://{path}"]
"""URLs that could be mistaken for URLs of a local file."""
