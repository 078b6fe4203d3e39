"""Notebooks as scripts, in the percent format that Jupytext, VS Code, Spyder and PyCharm open as cells."""
