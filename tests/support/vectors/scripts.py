"""JavaScript that sends requests: in the page, in workers, and by navigation."""

from tests.support.vectors import NOWHERE, UNPROXIED, UNSANDBOXED, Response, Vector, in_frame

__all__ = ["NAVIGATIONS", "SCRIPTS", "WINDOWS"]

_JS: dict[str, str] = {"Content-Type": "text/javascript", "Service-Worker-Allowed": "/"}


def _script(name: str, code: str, reaches: frozenset[str] = UNSANDBOXED, **replies: str) -> Vector:
    """Return a vector that runs code. The public site serves each keyword argument as the script `/key.js`."""
    scripts: dict[str, Response] = {f"/{key}.js": (200, content, _JS) for key, content in replies.items()}
    return Vector(f"js-{name}", f"<script>(async () => {{ {code} }})().catch(() => 0)</script>", scripts, reaches)


def _navigating(name: str, code: str, reaches: frozenset[str] = UNSANDBOXED) -> Vector:
    return in_frame(f"leave-{name}", f"<body><script>{code}</script>", reaches)


def _worker(name: str, inside: str, reaches: frozenset[str] = UNSANDBOXED, kind: str = "Worker") -> Vector:
    return _script(name, f"window['{name}'] = new {kind}('{{public}}/w.js')", reaches, w=inside)


def _service_worker(name: str, inside: str) -> Vector:
    # Playwright blocks service workers in mediakit's contexts. Elsewhere they need a page of their own origin.
    code = "const made = await navigator.serviceWorker.register('{public}/w.js', {scope: '{public}/'})"
    return _script(name, code, UNPROXIED, w=inside)


def _peer(name: str, servers: str, reaches: frozenset[str]) -> Vector:
    code = f"""const peer = window['{name}'] = new RTCPeerConnection({{iceServers: [{servers}]}});
        peer.createDataChannel('x'); await peer.setLocalDescription(await peer.createOffer());"""
    return _script(name, code, reaches)


_CANDIDATE = """const a = window.candidateA = new RTCPeerConnection(), b = window.candidateB = new RTCPeerConnection();
a.createDataChannel('x'); await a.setLocalDescription(await a.createOffer());
await b.setRemoteDescription(a.localDescription); await b.setLocalDescription(await b.createAnswer());
await a.setRemoteDescription(b.localDescription);
await a.addIceCandidate({sdpMLineIndex: 0, sdpMid: '0',
    candidate: 'candidate:1 1 udp 2122260223 127.0.0.1 {own} typ host generation 0'})"""

_IMPORT_MAP = """document.head.append(Object.assign(document.createElement('script'),
    {type: 'importmap', textContent: '{"imports": {"canary": "{js}"}}'})); await import('canary')"""

_FRAME_SOCKET = """document.body.append(Object.assign(document.createElement('iframe'),
    {srcdoc: '<scr' + 'ipt>new WebSocket("ws://127.0.0.1:{own}/")</scr' + 'ipt>'}))"""

_FRAME_CODE = """document.body.append(Object.assign(document.createElement('iframe'),
    {src: "javascript:fetch('{html}', {mode: 'no-cors'})"}))"""

_ON_ERROR = """document.body.insertAdjacentHTML('beforeend',
    "<img src='data:,' onerror=fetch('{html}',{mode:'no-cors'})>")"""

_SHEET = """const made = new CSSStyleSheet(); made.replaceSync('#js-sheet{background:url({png})}');
document.adoptedStyleSheets.push(made); document.body.insertAdjacentHTML('beforeend', '<b id=js-sheet>x</b>')"""

_SPECULATION = """document.head.append(Object.assign(document.createElement('script'), {type: 'speculationrules',
    textContent: JSON.stringify({KIND: [{source: 'list', urls: ['{html}'], eagerness: 'immediate'}]})}))"""

_PING = """const a = document.createElement('a'); a.href = '#x'; a.ping = '{html}';
document.body.append(a); a.click()"""

_PAYMENT = """await new PaymentRequest([{supportedMethods: 'http://{host}/js-payment.json'}],
    {total: {label: 'x', amount: {currency: 'EUR', value: '1'}}}).show()"""

_AUCTION = """await navigator.joinAdInterestGroup(
    {owner: location.origin, name: 'x', biddingLogicURL: '{js}', updateURL: '{json}'}, 99)"""

_SOCKETS = """new TCPSocket('127.0.0.1', {own});
new UDPSocket({remoteAddress: '127.0.0.1', remotePort: {own}})"""

_FEDERATED = """await navigator.credentials.get(
    {identity: {providers: [{configURL: '{json}', clientId: 'x'}]}})"""

_CLICK = """const a = Object.assign(document.createElement('a'), {href: '{html}', WITH});
document.body.append(a); a.click()"""

SCRIPTS = [
    _script("fetch", "await fetch('{html}', {mode: 'no-cors'})"),
    _script("fetch-read", "document.title = await (await fetch('{html}')).text()"),
    _script(
        "fetch-post", "await fetch('{json}', {method: 'POST', body: 'x', mode: 'no-cors', credentials: 'include'})"
    ),
    _script("fetch-keepalive", "await fetch('{json}', {method: 'POST', body: 'x', mode: 'no-cors', keepalive: true})"),
    _script("fetch-https", "await fetch('https://127.0.0.1:{own}/', {mode: 'no-cors'})"),
    _script("fetch-local", "await fetch('{html}', {mode: 'no-cors', targetAddressSpace: 'loopback'})", UNPROXIED),
    _script("fetch-later", "fetchLater('{json}', {activateAfter: 0})"),
    _script("xhr", "const x = new XMLHttpRequest(); x.open('GET', '{html}'); x.send()"),
    _script("xhr-sync", "const x = new XMLHttpRequest(); x.open('GET', '{html}', false); x.send()"),
    _script("beacon", "navigator.sendBeacon('{json}', 'x')"),
    _script("event-source", "window.source = new EventSource('{html}')"),
    _script("websocket", "new WebSocket('ws://127.0.0.1:{own}/')"),
    _script("websocket-ipv6", "new WebSocket('ws://[::1]:{own}/')"),
    _script("websocket-tls", "new WebSocket('wss://127.0.0.1:{own}/')"),
    _script("websocket-stream", "window.stream = new WebSocketStream('ws://127.0.0.1:{own}/')"),
    _script("websocket-frame", _FRAME_SOCKET),
    _worker("worker-fetch", "fetch('{html}', {mode: 'no-cors'})"),
    _worker("worker-import-scripts", "importScripts('{js}')"),
    _worker("worker-websocket", "new WebSocket('ws://127.0.0.1:{own}/')"),
    _worker("worker-import", "import('{js}')"),
    _worker("worker-xhr", "const x = new XMLHttpRequest(); x.open('GET', '{html}', false); x.send()"),
    _script("worker-source", "new Worker('{js}')", NOWHERE),
    _script("worker-blob", "new Worker(URL.createObjectURL(new Blob([\"importScripts('{js}')\"])))"),
    _worker("shared-worker-fetch", "fetch('{html}', {mode: 'no-cors'})", kind="SharedWorker"),
    _worker("shared-worker-websocket", "new WebSocket('ws://127.0.0.1:{own}/')", kind="SharedWorker"),
    _service_worker("service-worker-fetch", "fetch('{html}', {mode: 'no-cors'})"),
    _service_worker("service-worker-websocket", "new WebSocket('ws://127.0.0.1:{own}/')"),
    _service_worker("service-worker-import", "importScripts('{js}')"),
    _script(
        "background-fetch",
        "await (await navigator.serviceWorker.ready).backgroundFetch.fetch('x', ['{html}'])",
        NOWHERE,
    ),
    _script("import", "await import('{js}')"),
    _script("import-map", _IMPORT_MAP),
    _script("image", "new Image().src = '{png}'"),
    _script("document-write", "document.write(\"<img src='{png}'>\")"),
    _script("inner-html", "document.body.insertAdjacentHTML('beforeend', \"<img src='{png}'>\")"),
    _script("font-face", "await new FontFace('x', 'url({png})').load()"),
    _script("audio", "new Audio('{png}').play()"),
    _script("sheet", _SHEET),
    _script("onerror", _ON_ERROR),
    _script("javascript-frame", _FRAME_CODE),
    _script("paint-worklet", "await CSS.paintWorklet.addModule('{js}')"),
    _script("audio-worklet", "await new OfflineAudioContext(1, 1, 44100).audioWorklet.addModule('{js}')"),
    _script("shared-storage-worklet", "await sharedStorage.worklet.addModule('{js}')", NOWHERE),
    _script("speculation-prefetch", _SPECULATION.replace("KIND", "prefetch"), UNPROXIED),
    _script("speculation-prerender", _SPECULATION.replace("KIND", "prerender"), UNPROXIED),
    _script("ping", _PING),
    _peer("webrtc-stun", "{urls: 'stun:127.0.0.1:{own}'}", UNPROXIED),
    _peer("webrtc-stun-name", "{urls: 'stun:localhost:{own}'}", UNPROXIED),
    _peer("webrtc-turn-udp", "{urls: 'turn:127.0.0.1:{own}?transport=udp', username: 'x', credential: 'x'}", UNPROXIED),
    _peer(
        "webrtc-turn-tcp", "{urls: 'turn:127.0.0.1:{own}?transport=tcp', username: 'x', credential: 'x'}", UNSANDBOXED
    ),
    _peer(
        "webrtc-turn-tls", "{urls: 'turns:127.0.0.1:{own}?transport=tcp', username: 'x', credential: 'x'}", UNSANDBOXED
    ),
    _script("webrtc-candidate", _CANDIDATE, UNPROXIED),
    _script("webtransport", "window.transport = new WebTransport('https://127.0.0.1:{own}/')", UNPROXIED),
    _script("fedcm", _FEDERATED),
    _script(
        "webauthn",
        "await navigator.credentials.get({publicKey: {challenge: new Uint8Array(16), rpId: '127.0.0.1'}})",
        NOWHERE,
    ),
    _script("payment", _PAYMENT, NOWHERE),
    _script("interest-group", _AUCTION, NOWHERE),
    _script("notification", "new Notification('x', {icon: '{png}', image: '{png}'})", NOWHERE),
    _script(
        "media-session", "navigator.mediaSession.metadata = new MediaMetadata({artwork: [{src: '{png}'}]})", NOWHERE
    ),
    _script(
        "push", "await (await navigator.serviceWorker.ready).pushManager.subscribe({userVisibleOnly: true})", NOWHERE
    ),
    _script(
        "port-scan",
        "for (const name of ['127.0.0.1', '[::1]', 'localhost']) fetch(`http://${name}:{own}/`, {mode: 'no-cors'})",
    ),
    _script("direct-sockets", _SOCKETS, NOWHERE),
    _script(
        "reporting",
        "new ReportingObserver(() => 0).observe(); navigator.registerProtocolHandler('web+x', '{html}?%s')",
        NOWHERE,
    ),
]

NAVIGATIONS = [
    _navigating("location", "location.href = '{html}'"),
    _navigating("location-late", "setTimeout(() => location.replace('{html}'), 300)"),
    _navigating("form-get", "document.body.innerHTML = \"<form action='{html}'></form>\"; document.forms[0].submit()"),
    _navigating(
        "form-post",
        "document.body.innerHTML = \"<form method=post action='{html}'></form>\"; document.forms[0].submit()",
    ),
    _navigating("click", _CLICK.replace("WITH", "")),
    _navigating("download", _CLICK.replace("WITH", "download: 'x'")),
    _navigating(
        "beacon",
        "addEventListener('pagehide', () => navigator.sendBeacon('{json}', 'x')); location.href = 'about:blank'",
    ),
    _navigating("navigation", "navigation.navigate('{html}')"),
    _navigating("view-source", "location.href = 'view-source:{html}'", NOWHERE),
]
"""The page navigates away. Each vector has its own page, shown in a frame."""

WINDOWS = [
    _navigating(
        "form-blank",
        "document.body.innerHTML = \"<form target=_blank action='{html}'></form>\"; document.forms[0].submit()",
        UNPROXIED,
    ),
    _navigating("open", "open('{html}')", UNPROXIED),
    _navigating("open-written", "open('about:blank').document.write(\"<img src='{png}'>\")", UNPROXIED),
    _navigating("click-blank", _CLICK.replace("WITH", "target: '_blank'"), UNPROXIED),
    _navigating("open-view-source", "open('view-source:{html}')", NOWHERE),
]
"""The page opens a window. Whether mediakit's browser allows windows is not specified."""
