"""Calls of a tool in this process or in a worker process."""

import asyncio
import hashlib
import inspect
import os
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePath
from tempfile import gettempdir
from typing import Any
from uuid import uuid4

from mediakit.batches.names import file_name
from mediakit.batches.targets.journal import Record
from mediakit.batches.targets.store import Store
from mediakit.core.runtime import runtime
from mediakit.core.tool import Tool
from mediakit.engines.templates import TEMPLATES, Template
from mediakit.engines.templates.registry import BUNDLED, register
from mediakit.errors import InvalidInput, MediakitError, ServerBusy, TooManyRequests
from mediakit.results.files import FileResult
from mediakit.results.result import MAX_SHOWN, Result, card
from mediakit.results.saving import check_suffix
from mediakit.settings import BrowserSettings

NOTES = ("warnings", "fitted", "defaults_used")
"""Lists of the meta that reports include, because they may need attention."""

MAX_RETRY_SECONDS = 300.0
"""Time for which a row is retried while the server is busy or the rate limit is reached."""


@dataclass(frozen=True, slots=True)
class Call:
    """The call for a row."""

    row: int
    name: str
    values: Mapping[str, Any]
    key: str


@dataclass(frozen=True)
class Group:
    """Calls that a worker makes one after another, or with the render slots of its browser."""

    tool: Tool[..., Any]
    calls: Sequence[Call]
    store: Store | None
    """Where files are written; None to return the results."""
    templates: Sequence[Template] = ()
    """Own templates of the calls, which the worker may not have."""
    stop_file: Path = field(default_factory=lambda: Path(gettempdir(), f"mediakit-stop-{uuid4().hex}"))
    """A file that exists once the batch is stopped. Workers of this machine then make no further rows."""


@dataclass(slots=True)
class Outcome:
    """What a call returned: the record of a saved file, a result, or an error."""

    result: Any = None
    record: Record | None = None
    error: MediakitError | None = None
    ms: float = 0.0


def run_group(group: Group) -> list[Outcome]:
    """Make all calls of a group and return their outcomes in order; calls after a stop have empty ones."""
    for template in group.templates:
        if template.name not in TEMPLATES:
            register(template)
    if not inspect.iscoroutinefunction(group.tool.function):
        return [Outcome() if group.stop_file.exists() else _outcome(group, call) for call in group.calls]
    return runtime.run(_outcomes(group))


def _outcome(group: Group, call: Call) -> Outcome:
    start = time.perf_counter()
    try:
        result = group.tool(**call.values)
    except MediakitError as error:
        return Outcome(error=error, ms=_since(start))
    return save(group.store, call, result, _since(start))


async def _outcomes(group: Group) -> list[Outcome]:
    slots = asyncio.Semaphore(local_calls())

    async def run(call: Call) -> Outcome:
        async with slots:
            if group.stop_file.exists():
                return Outcome()
            start = time.perf_counter()
            try:
                result = await with_retries(partial(group.tool.aio, **call.values))
            except MediakitError as error:
                return Outcome(error=error, ms=_since(start))
            return await asyncio.to_thread(save, group.store, call, result, _since(start))

    return await asyncio.gather(*map(run, group.calls))


def save(store: Store | None, call: Call, result: Result, ms: float) -> Outcome:
    """Write the file of a result and return its record, or the error of a name with the suffix of another format.

    A result that a gallery shows gets its thumbnail here, in the worker. Without a store, the result is returned.

    Raises:
        OSError: The file cannot be written.
    """
    shown = card(result) if call.row <= MAX_SHOWN else None
    if store is None:
        return Outcome(result=result, ms=ms)
    file, saved = file_name(call.name, result), result._saved()
    try:
        check_suffix(PurePath(file), saved)
    except InvalidInput as error:
        return Outcome(error=error, ms=ms)
    store.write(file, saved.content)
    member, members = "", dict[str, Any]()
    if isinstance(result, FileResult):
        member, members = result._sent_as(), result._members()
        del members["mime_type"]  # the record has it
    record = Record(
        call.row,
        call.name,
        call.key,
        file,
        saved.mime_type,
        len(saved.content),
        hashlib.sha256(saved.content).hexdigest(),
        round(ms, 2),
        notes_of(result),
        dict(result.meta),
        member,
        members,
        {} if shown is None else shown.to_dict(),
    )
    return Outcome(record=record, ms=ms)


def notes_of(result: Result) -> dict[str, Sequence[str]]:
    """Return what may need attention: warnings, fitted texts and example texts."""
    return {name: found for name in NOTES if (found := result.meta.get(name))}


async def with_retries(call: Callable[[], Awaitable[Any]]) -> Any:
    """Await a call; repeat it while the server is busy or the rate limit is reached."""
    deadline = time.monotonic() + MAX_RETRY_SECONDS
    while True:
        try:
            return await call()
        except (ServerBusy, TooManyRequests) as error:
            can_retry = type(error) in (ServerBusy, TooManyRequests)  # a subclass is not temporary
            if not can_retry or time.monotonic() + error.retry_after > deadline:
                raise
            await asyncio.sleep(error.retry_after)


def own_templates(values: Iterable[Mapping[str, Any]]) -> list[Template]:
    """Return the templates of calls that are not part of mediakit."""
    names = {name for each in values if isinstance(name := each.get("template"), str)}
    return [TEMPLATES[name] for name in sorted(names.difference(BUNDLED)) if name in TEMPLATES]


def local_calls() -> int:
    """Return a number of concurrent calls that keeps every render slot and every processor busy."""
    return max(BrowserSettings().render_slots, os.cpu_count() or 1) + 1


def _since(start: float) -> float:
    return (time.perf_counter() - start) * 1000
