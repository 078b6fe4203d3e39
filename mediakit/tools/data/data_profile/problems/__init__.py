"""The problems of a table: each module finds problems of one kind, and `find` runs them all."""

from mediakit.tools.data.data_profile.problems.finder import find
from mediakit.tools.data.data_profile.problems.problem import KINDS, Problem

__all__ = ["KINDS", "Problem", "find"]
