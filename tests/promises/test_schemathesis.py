"""Generated requests get only documented answers. `make contract` runs thousands of them."""

import pytest

from tests.contract.run import PATHS_WITHOUT_BROWSER, RunPlan, run


@pytest.mark.timeout(900)  # grows with the number of tools
def test_generated_requests_get_only_documented_answers() -> None:
    report = run(RunPlan("examples,fuzzing", examples=12, paths=PATHS_WITHOUT_BROWSER))
    assert report.exit_code == 0, report.text
    assert report.statuses["200"] > 30
    assert report.statuses["400"] > 50
    assert not {status for status in report.statuses if status >= "500"} - {"502"}
