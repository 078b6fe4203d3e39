"""Where the files of a batch go: a folder, or one file that combines all rows."""

from mediakit.batches.targets.failures import failure_message
from mediakit.batches.targets.manifest import Manifest
from mediakit.batches.targets.opening import open_target
from mediakit.batches.targets.store import Store
from mediakit.batches.targets.target import Target

__all__ = ["Manifest", "Store", "Target", "failure_message", "open_target"]
