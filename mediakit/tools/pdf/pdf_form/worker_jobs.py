"""Functions that run in a worker process. Importing this module does not import pikepdf."""

from mediakit.tools.pdf.pdf_form.job import FormJob, FormOutcome


def work(job: FormJob) -> FormOutcome:
    """List, fill or flatten the fields; see `form_work.work`."""
    from mediakit.tools.pdf.pdf_form import form_work

    return form_work.work(job)
