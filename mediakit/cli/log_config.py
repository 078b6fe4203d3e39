"""The log of `mediakit serve`: one line for each request to standard error, as text or as JSON."""

import json
import logging
from datetime import UTC, datetime
from typing import Any, Literal

FORMATTERS: dict[str, dict[str, Any]] = {
    "text": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
    "json": {"()": "mediakit.cli.log_config.JsonFormatter"},
}

STANDARD_ATTRIBUTES = {*logging.LogRecord("", 0, "", 0, "", (), None).__dict__, "message", "asctime", "color_message"}
"""Attributes that every record has, and the message that uvicorn colors; further ones are fields of the log line."""


def log_config(log_format: Literal["text", "json"]) -> dict[str, Any]:
    """Return the logging configuration of each worker process, for mediakit and uvicorn."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": FORMATTERS[log_format]},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"level": "WARNING", "handlers": ["stderr"]},
        "loggers": {"mediakit": {"level": "INFO"}},
    }


class JsonFormatter(logging.Formatter):
    """Formats a record as a JSON object in one line, with the fields of `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {
            "time": time.replace("+00:00", "Z"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **{name: value for name, value in record.__dict__.items() if name not in STANDARD_ATTRIBUTES},
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)
