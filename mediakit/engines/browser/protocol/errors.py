"""The error of a command to Chromium."""


class ProtocolError(Exception):
    """Chromium answered a command with an error, or cannot answer it any more.

    `Target crashed` and `Target closed` mean that the page's process or Chromium exited.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
