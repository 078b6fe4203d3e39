"""Failures of a worker, independent of the work. Each tool maps them to an error for its caller.

    WorkerFailed        RuntimeError
    ├── TookTooLong     TimeoutError
    ├── OutOfMemory     MemoryError
    ├── Crashed
    └── Interrupted
        ├── NotStarted
        ├── Killed
        └── PoolClosed

The first three are caused by the job: its file is too complex or damaged. `Interrupted` is not, so the same job can
succeed later; `workers.run` raises it as `ServerBusy`.
"""


class WorkerFailed(RuntimeError):
    """A worker did not return a result."""


class TookTooLong(WorkerFailed, TimeoutError):
    """The job exceeded its time limit. Its worker was killed."""


class OutOfMemory(WorkerFailed, MemoryError):
    """The job exceeded its memory limit."""


class Crashed(WorkerFailed):
    """The worker process crashed or exited, or its response is invalid."""


class Interrupted(WorkerFailed):
    """The job did not finish, for a reason that the job did not cause."""


class NotStarted(Interrupted):
    """The worker process ended, or its start timed out, before it called the function."""


class Killed(Interrupted):
    """The worker process was killed from outside during the job, by an operator or for lack of memory."""


class PoolClosed(Interrupted):
    """The pool is closed and starts no more workers."""
