"""Messages for errors that end a batch, because its files cannot be written."""

import errno

_FULL = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)})
_FORBIDDEN = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


def failure_message(error: OSError, location: str, saved: int) -> str:
    """Return what happened, what is saved, and how to continue.

    Args:
        error: The error of a write.
        location: The target, as messages show it.
        saved: Number of files that are saved.
    """
    files = "1 file is saved" if saved == 1 else f"{saved} files are saved" if saved else "no file is saved"
    if isinstance(error, FileNotFoundError):
        return f"to: {location} was removed while the batch was running. Run the batch again to make its files again."
    if error.errno in _FULL:
        problem, fix = f"no space left on device in {location}", "Free space and run the batch again to continue."
    elif error.errno in _FORBIDDEN or isinstance(error, PermissionError):
        problem, fix = f"no permission to write in {location}", "Change the permissions and run the batch again."
    elif error.errno == errno.EFBIG:
        problem, fix = f"a file for {location} is larger than allowed", "Run the batch again to continue."
    else:
        problem = f"cannot write to {location}: {error.strerror or error}"
        fix = "Run the batch again to continue."
    return f"to: {problem}; {files}. {fix}"
