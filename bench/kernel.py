"""`python -m bench.kernel [ROUNDS]`: `mediakit.serve()` in the first cell of a fresh kernel, imports included.

Each round has a kernel of its own. Seconds count from the call; processor time is that of the kernel.
"""

import json
import os
import sys
import tempfile
from statistics import median

from jupyter_client.manager import KernelManager

ROUNDS = 9

CELL = """
import json, socket, time

def answer(line, body=b""):
    head = f"{line} HTTP/1.1\\r\\nhost: x\\r\\nconnection: close\\r\\nx-api-key: {server.key}\\r\\n"
    head += f"content-type: text/plain\\r\\ncontent-length: {len(body)}\\r\\n\\r\\n"
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(head.encode() + body)
        first = connection.recv(100)
        while connection.recv(65536):
            pass
    assert b" 200 " in first, first
    return time.perf_counter() - began, time.process_time() - worked

began, worked = time.perf_counter(), time.process_time()
import mediakit
server = mediakit.serve()
told = {"serve() is back": (time.perf_counter() - began, time.process_time() - worked)}
told["its page is answered"] = answer("GET /docs")
told["a QR code is answered"] = answer("POST /qr", b"https://example.com")
print(json.dumps(told))
"""


def main() -> None:
    """Print the medians of both kinds of home."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    print(f"Medians of {rounds} kernels, in milliseconds.\n\n| | New home: wall | CPU | Known home: wall | CPU |")
    print("| --- | --: | --: | --: | --: |")
    with tempfile.TemporaryDirectory() as known:
        measure(known)
        samples: list[tuple[dict[str, list[float]], dict[str, list[float]]]] = []
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as new:
                samples.append((measure(new), measure(known)))
    for step in samples[0][0]:
        figures = [1000 * median(sample[home][step][kind] for sample in samples) for home in (0, 1) for kind in (0, 1)]
        print(f"| {step} | {' | '.join(f'{figure:.0f}' for figure in figures)} |")


def measure(home: str) -> dict[str, list[float]]:
    """Run the cell in a new kernel."""
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(env={**os.environ, "MEDIAKIT_HOME": home})
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)
        printed: list[str] = []
        reply = client.execute_interactive(CELL, timeout=60, output_hook=lambda told: printed.append(_text(told)))
        if reply["content"]["status"] != "ok":
            raise RuntimeError(reply["content"]["evalue"])
        return dict(json.loads("".join(printed)))
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def _text(told: dict[str, dict[str, str]]) -> str:
    return told["content"].get("text", "")


if __name__ == "__main__":
    main()
