"""Functions that run in a worker process. Importing this module does not import pikepdf."""

from mediakit.engines.pdf.forms.job import FormJob, FormOutcome


def work(job: FormJob) -> FormOutcome:
    """List, fill or flatten the fields; see `work.work`."""
    from mediakit.engines.pdf.forms import work as form_work

    return form_work.work(job)
