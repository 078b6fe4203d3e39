"""What a tool is: requests, results, and how one function serves every face."""
