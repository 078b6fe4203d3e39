"""`python -m bench.kernel [ROUNDS]`: time of `mediakit.serve()` in the first cell of a new kernel, including imports.

Each round uses a new kernel. Times start with the call; CPU time is that of the kernel.
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

def response_time(line, body=b""):
    head = f"{line} HTTP/1.1\\r\\nhost: x\\r\\nconnection: close\\r\\nx-api-key: {server.key}\\r\\n"
    head += f"content-type: text/plain\\r\\ncontent-length: {len(body)}\\r\\n\\r\\n"
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(head.encode() + body)
        first = connection.recv(100)
        while connection.recv(65536):
            pass
    assert b" 200 " in first, first
    return time.perf_counter() - wall_start, time.process_time() - cpu_start

wall_start, cpu_start = time.perf_counter(), time.process_time()
import mediakit
server = mediakit.serve()
times = {"serve() returns": (time.perf_counter() - wall_start, time.process_time() - cpu_start)}
times["first response of the docs page"] = response_time("GET /docs")
times["first QR code"] = response_time("POST /qr", b"https://example.com")
print(json.dumps(times))
"""


def main() -> None:
    """Print the medians for a new and an existing MEDIAKIT_HOME."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    print(f"Medians of {rounds} kernels, in milliseconds.\n\n| | New home: wall | CPU | Existing home: wall | CPU |")
    print("| --- | --: | --: | --: | --: |")
    with tempfile.TemporaryDirectory() as existing:
        measure(existing)
        samples: list[tuple[dict[str, list[float]], dict[str, list[float]]]] = []
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as new:
                samples.append((measure(new), measure(existing)))
    for step in samples[0][0]:
        figures = [1000 * median(sample[home][step][kind] for sample in samples) for home in (0, 1) for kind in (0, 1)]
        print(f"| {step} | {' | '.join(f'{figure:.0f}' for figure in figures)} |")


def measure(home: str) -> dict[str, list[float]]:
    """Run the cell in a new kernel and return its times."""
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(env={**os.environ, "MEDIAKIT_HOME": home})
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)
        printed: list[str] = []
        reply = client.execute_interactive(CELL, timeout=60, output_hook=lambda message: printed.append(_text(message)))
        if reply["content"]["status"] != "ok":
            raise RuntimeError(reply["content"]["evalue"])
        return dict(json.loads("".join(printed)))
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def _text(message: dict[str, dict[str, str]]) -> str:
    return message["content"].get("text", "")


if __name__ == "__main__":
    main()
