"""Chromium's command line flags: only pages send traffic, and only through their proxy."""

from collections.abc import Iterable

CLOSED_PORT = "http://127.0.0.1:9"
"""Proxy for traffic outside of a render."""


def resolver_rules(proxy_host: str) -> str:
    """Return the flag that lets Chromium resolve no name but that of the proxy."""
    return f"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE {proxy_host}"


NETWORK_FLAGS = (
    # Each render has its own proxy. Traffic outside of a render goes to a closed port.
    f"--proxy-server={CLOSED_PORT}",
    "--proxy-bypass-list=<-loopback>",
    resolver_rules("127.0.0.1"),
    "--dns-prefetch-disable",
    "--disable-quic",
    # Chromium has renamed this flag; each release ignores the name that it does not know.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)
"""The flags without which a page could send traffic past its proxy."""

FLAGS = (
    *NETWORK_FLAGS,
    "--no-pings",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-client-side-phishing-detection",
    "--disable-domain-reliability",
    "--disable-sync",
    # Closing windows that a page opens would keep the page from finishing its load.
    "--block-new-web-contents",
    # Decode large images before the screenshot, not after it.
    "--disable-checker-imaging",
)
"""Only pages send traffic, and only through their proxy. Pages open no windows. Screenshots are complete."""


def remote_flags(proxy_host: str) -> tuple[str, ...]:
    """Return the flags that a remote Chromium must have.

    Args:
        proxy_host: Name or address of this server, as the remote Chromium sees it.
    """
    own_rules = resolver_rules("127.0.0.1")
    network = (resolver_rules(proxy_host) if flag == own_rules else flag for flag in NETWORK_FLAGS)
    # Chromium tells its command line only with --enable-automation.
    return ("--enable-automation", *network)


def missing_flags(arguments: Iterable[str], proxy_host: str) -> list[str]:
    """Return the flags that a remote Chromium lacks, from its command line. Of a repeated flag, the last one counts."""
    last = {argument.partition("=")[0]: argument for argument in arguments}
    return [flag for flag in remote_flags(proxy_host) if last.get(flag.partition("=")[0]) != flag]
