"""What can go wrong with a worker, whatever the work. Tools say what it means for their caller.

WorkerFailed      RuntimeError
├── TookTooLong   TimeoutError
├── OutOfMemory   MemoryError
└── Crashed
    └── NeverBegan
"""


class WorkerFailed(RuntimeError):
    """A worker gave no answer."""


class TookTooLong(WorkerFailed, TimeoutError):
    """The function ran longer than it may; its worker was killed."""


class OutOfMemory(WorkerFailed, MemoryError):
    """The function needed more memory than it may have."""


class Crashed(WorkerFailed):
    """The worker died, or answered nonsense."""


class NeverBegan(Crashed):
    """The worker was gone before it called the function, so nothing of the work was done."""
