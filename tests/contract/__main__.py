"""Call a server with thousands of generated requests, and check every answer against the OpenAPI document.

    python -m tests.contract
    python -m tests.contract --path /qr --examples 500 --seed 7

The command starts a server on 127.0.0.1 with its own temporary accounts, runs Schemathesis, and stops the server.
Without `--path` it runs twice: over all operations, and then with more requests over those without a browser.
"""

import argparse
import sys
from collections import Counter

from tests.contract.run import PATHS_WITHOUT_BROWSER, RunPlan, run

MORE_EXAMPLES = 450


def main() -> int:
    """Run the command, and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.contract")
    parser.add_argument("--examples", type=int, default=RunPlan.examples, help="generated requests per operation")
    parser.add_argument("--phases", default=RunPlan.phases, help="examples, coverage, fuzzing")
    parser.add_argument("--path", action="append", default=[], help="only this path; can be repeated")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    plans = [RunPlan(options.phases, options.examples, options.seed, options.path)]
    if not options.path:
        plans.append(RunPlan("fuzzing", MORE_EXAMPLES, options.seed + 1, PATHS_WITHOUT_BROWSER))
    statuses: Counter[str] = Counter()
    exit_code = 0
    for plan in plans:
        report = run(plan)
        sys.stdout.write(report.text)
        statuses.update(report.statuses)
        exit_code = exit_code or report.exit_code
    sys.stdout.write(f"\n{statuses.total():,} calls by status: {dict(sorted(statuses.items()))}\n")
    return exit_code


if __name__ == "__main__":
    sys.exit(main())
