"""The benchmarks: contenders take turns, the table reports results, and missing packages are skipped."""

import gzip
import importlib
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bench.__main__ import BENCHMARKS, benches_of, main
from bench.figures import ratios, store
from bench.race import Bench, Case, NotMeasured, Sample, race
from bench.similarity import similarity
from bench.table import table
from bench.worker import HERE, Worker, node_peer

CASE = Case("tall", {"height": 3})


@pytest.fixture(autouse=True)
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that benchmarks write ratios to, in place of that of the repository."""
    monkeypatch.setattr("bench.figures.RESULTS", tmp_path)
    return tmp_path


class FakeContender:
    """A contender that reports a fixed time."""

    def __init__(self, name: str, seconds: float, content: bytes = b"", *, log: list[str] | None = None) -> None:
        self.name = name
        self.seconds = seconds
        self.content = content
        self.log = [] if log is None else log
        self.running = False

    def start(self) -> None:
        self.running = True

    def stop(self) -> None:
        self.running = False

    def make(self, case: Case) -> bytes:  # noqa: ARG002 - required by the protocol
        return self.content

    def time(self, case: Case, repeats: int) -> Sample:  # noqa: ARG002 - required by the protocol
        self.log.append(self.name)
        return Sample(self.seconds, self.seconds / 2)


class MissingContender(FakeContender):
    """A contender that is not installed."""

    def start(self) -> None:
        raise NotMeasured("npm is not installed")


class UnsupportedContender(FakeContender):
    """A contender that does not support the case."""

    def make(self, case: Case) -> bytes:
        raise NotMeasured(f"does not support {case.name}")


def bench(ours: FakeContender, *peers: FakeContender) -> Bench:
    return Bench(
        "fake", "Test data.", [CASE], ours, peers, inspect=lambda case, content: f"{case.name}, {len(content)}"
    )


def cells(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]


def successful_job(values: Mapping[str, Any]) -> Any:
    sys.stdout.write("output of a package, not of the worker\n")
    return lambda: b"x" * values["height"]


def failing_job(values: Mapping[str, Any]) -> Any:
    raise ValueError(f"height: {values['height']} is too much")


@pytest.fixture
def worker(request: pytest.FixtureRequest) -> Iterator[Worker]:
    running = Worker("worker", [sys.executable, "-m", "bench.package_worker", "tests.test_bench", request.param])
    running.start()
    yield running
    running.stop()


def test_race_reports_our_medians_relative_to_those_of_peer() -> None:
    ours, peer = race(bench(FakeContender("ours", 0.2, b"123"), FakeContender("peer", 0.8, b"123456")), rounds=3)
    assert ours.ours == (1.0, 1.0, 1.0)
    assert peer.median == (0.8, 0.4, 6)
    assert peer.ours == (0.25, 0.25, 0.5)
    assert peer.remark == "tall, 6"


def test_race_reverses_order_every_other_round() -> None:
    log: list[str] = []
    list(race(bench(FakeContender("ours", 1, log=log), FakeContender("peer", 1, log=log)), rounds=4))
    assert log[-8:] == ["ours", "peer", "peer", "ours"] * 2


def test_race_stops_every_contender() -> None:
    contenders = FakeContender("ours", 1), FakeContender("peer", 1), UnsupportedContender("unsupported", 1)
    list(race(bench(*contenders), rounds=1))
    assert [contender.running for contender in contenders] == [False, False, False]


def test_table_reports_missing_peer_as_not_measured() -> None:
    rows = list(
        race(
            bench(
                FakeContender("ours", 1),
                MissingContender("gone", 1),
                UnsupportedContender("unsupported", 1),
                FakeContender("peer", 1),
            ),
            rounds=1,
        )
    )
    remarks = {row[1]: row[-1] for row in cells(table(rows))}
    assert remarks["gone"] == "not measured: npm is not installed"
    assert remarks["unsupported"] == "not measured: does not support tall"
    assert remarks["peer"] == "tall, 0"


def test_table_has_one_line_per_contender_and_names_case_once() -> None:
    text = table(
        list(race(bench(FakeContender("ours", 0.002, b"1" * 1234), FakeContender("peer", 0.5, b"1")), rounds=1))
    )
    head, rule, *lines = cells(text)
    assert head == ["Case", "Package", "Wall ms", "CPU ms", "Bytes", "Ours / other: wall", "CPU", "Bytes", "Result"]
    assert set("".join(rule)) == {"-", ":"}
    assert lines[0] == ["tall", "ours", "2.00", "1.00", "1,234", "1.00", "1.00", "1.00", "tall, 1234"]
    assert lines[1] == ["", "peer", "500", "250", "1", "0.004", "0.004", "1234", "tall, 1"]
    assert len({len(line) for line in text.splitlines()}) == 1


def test_table_omits_columns_without_values() -> None:
    assert "Bytes" not in table(list(race(bench(FakeContender("ours", 1)), rounds=1)))


@pytest.mark.parametrize("worker", ["successful_job"], indirect=True)
def test_worker_runs_job_of_case(worker: Worker) -> None:
    assert worker.make(CASE) == b"xxx"
    assert worker.time(CASE, 5).wall > 0


@pytest.mark.parametrize("worker", ["failing_job"], indirect=True)
def test_worker_reports_error_of_job(worker: Worker) -> None:
    with pytest.raises(NotMeasured, match="ValueError: height: 3 is too much"):
        worker.make(CASE)


@pytest.mark.parametrize("worker", ["no_such_job"], indirect=True)
def test_worker_reports_error_when_it_cannot_start(worker: Worker) -> None:
    with pytest.raises(NotMeasured, match=r"AttributeError: .* has no attribute 'no_such_job'"):
        worker.make(CASE)


def test_node_peer_is_not_measured_without_node(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotMeasured, match="Node is not installed"):
        node_peer("qrcode", "qr.cjs").start()


@pytest.mark.parametrize("tool", BENCHMARKS)
def test_every_bench_has_tool_cases_and_peers(tool: str) -> None:
    for found in benches_of(tool):
        assert found.tool.startswith(tool)
        assert found.cases
        assert found.ours.name.startswith("mediakit")
        assert found.peers
        assert len({found.ours.name, *(peer.name for peer in found.peers)}) == 1 + len(found.peers)


def test_list_of_tools_contains_every_bench_file() -> None:
    assert {path.stem for path in HERE.glob("*.py") if "\nBENCHES = [" in path.read_text("utf-8")} == set(BENCHMARKS)


def test_unknown_tool_exits_with_list_of_tools(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", "fax"])
    with pytest.raises(SystemExit):
        main()
    assert f"TOOL: must be one of {', '.join(BENCHMARKS)}, got fax." in capsys.readouterr().err


def test_similarity_is_one_for_equal_image_and_less_for_coarse_one() -> None:
    image = Image.radial_gradient("L")
    coarse = image.reduce(16).resize(image.size, Image.Resampling.NEAREST)
    assert similarity(image, image) == pytest.approx(1.0)
    assert 0 < similarity(image, coarse) < 0.95


@pytest.mark.parametrize("folder", ["", "/nowhere"])
def test_bench_without_corpus_reports_it_and_continues(
    folder: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEDIAKIT_BENCH_CORPUS", folder)
    monkeypatch.setattr(
        "bench.__main__.benches_of", lambda _tool: [bench(FakeContender("ours", 1), FakeContender("peer", 1))]
    )
    monkeypatch.setattr(sys, "argv", ["bench", "web_to_markdown", "--rounds", "1"])
    main()
    printed = capsys.readouterr().out
    assert "Not scored: " in printed
    assert "MEDIAKIT_BENCH_CORPUS" in printed


def test_saved_pages_are_measured_beside_libraries(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.html").write_text(f"<title>{name}</title><p>Tea is poured over leaves.</p>")
    empty = tmp_path / "empty"
    empty.mkdir()
    saved_pages = importlib.import_module("bench.saved_pages")

    report = saved_pages.report([tmp_path, empty], rounds=1)

    assert "| 2 pages, ours / other: CPU |" in report
    assert "| readability-lxml + markdownify |" in report
    assert saved_pages.report([empty]) == f"Not measured: no pages in {empty}."


def test_corpus_is_scored_for_mediakit_and_libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Tea is poured over leaves, and they are left alone for three minutes, or for five. " * 4
    page = f"<title>Tea</title><nav><a href=/>Home</a></nav><article><h1>Tea</h1><p>{text}</p></article>"
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(page.encode()))
    truth = {"a": {"corpus": "own", "file": "a.html.gz", "text": text, "meta": {"title": "Tea"}}}
    (tmp_path / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    monkeypatch.setattr("bench.packages.shutil.which", lambda _name: None)

    report = importlib.import_module("bench.scores").report(tmp_path)

    assert "| mediakit | 1.000 |" in report
    assert "| Metadata, share of correct fields | title |" in report
    assert report.endswith("Node is not installed")


def test_run_replaces_rows_of_the_same_package_and_keeps_those_of_packages_that_are_missing(results: Path) -> None:
    def row(peer: str, cpu: float, work: str = "fake: tall") -> dict[str, Any]:
        return ratios(work, peer, "python -m bench fake", cpu=cpu)

    store("fake", [row("slow 1.0 (Node)", 0.12345), row("missing 2.1", 0.5), row("slow 1.0", 2, "removed case")])
    store("fake", [row("slow 1.1 (Node)", 0.4)], ["fake: tall", "fake: short"])
    stored = json.loads((results / "fake.json").read_text("utf-8"))
    assert [(each["peer"], each["cpu"]) for each in stored] == [("slow 1.1 (Node)", 0.4), ("missing 2.1", 0.5)]
    assert stored[0] == {
        "work": "fake: tall",
        "peer": "slow 1.1 (Node)",
        "cpu": 0.4,
        "wall": None,
        "bytes": None,
        "command": "python -m bench fake",
    }


@pytest.mark.parametrize("name", [name for name in BENCHMARKS if (HERE / f"results/{name}.json").is_file()])
def test_every_row_on_the_page_on_speed_is_one_that_its_command_measures(name: str) -> None:
    measured = {
        (f"{bench.tool}: {case.name}", _without_version(peer.name))
        for bench in benches_of(name)
        for case in bench.cases
        for peer in bench.peers
    }
    rows = json.loads((HERE / f"results/{name}.json").read_text("utf-8"))
    assert {(row["work"], _without_version(row["peer"])) for row in rows} <= measured
    assert {row["command"] for row in rows} == {f"python -m bench {name}"}


def _without_version(name: str) -> str:
    return re.sub(r" \d[\w.]*", "", name)
