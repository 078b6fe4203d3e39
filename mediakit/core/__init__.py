"""The core of a tool: its request, its result, and the function that serves every interface."""
