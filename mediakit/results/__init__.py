"""The results of tools: files, typed data, and how both are saved and sent."""
