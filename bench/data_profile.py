"""`data_profile` compared with the minimal report of ydata-profiling: a CSV file of ten columns."""

import json
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import mediakit
from bench.data_convert import csv_content
from bench.package_worker import Job
from bench.race import Bench, Case
from bench.worker import ours, python_peer


def with_mediakit(values: Mapping[str, Any]) -> Job:
    content = csv_content(values["rows"])
    return lambda: mediakit.data_profile(content).content


def with_ydata_profiling(values: Mapping[str, Any], *, as_html: bool = False) -> Job:
    import pandas as pd
    from ydata_profiling import ProfileReport  # type: ignore[import-not-found]  # installed when the benchmark runs

    content = csv_content(values["rows"])

    def profile() -> bytes:
        report = ProfileReport(pd.read_csv(BytesIO(content)), minimal=True, progress_bar=False)
        text: str = report.to_html() if as_html else report.to_json()
        return text.encode()

    return profile


def with_html_of_ydata_profiling(values: Mapping[str, Any]) -> Job:
    return with_ydata_profiling(values, as_html=True)


def read_back(_case: Case, content: bytes) -> str:
    """Return the number of columns, or that it is a page."""
    if content.startswith(b"<"):
        return "HTML with charts"
    found = json.loads(content)
    return f"{len(found['columns'] if 'columns' in found else found['variables'])} columns"


BENCHES = [
    Bench(
        tool="data_profile",
        about="A CSV file of ten columns becomes JSON. mediakit also looks for problems and keys.",
        cases=[Case(f"{rows:,} rows", {"rows": rows}) for rows in (1000, 20_000)],
        ours=ours("bench.data_profile:with_mediakit"),
        peers=[
            python_peer("ydata-profiling", "bench.data_profile:with_ydata_profiling"),
            python_peer("ydata-profiling", "bench.data_profile:with_html_of_ydata_profiling", remark="HTML"),
        ],
        inspect=read_back,
    )
]
