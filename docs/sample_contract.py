"""Write the sample PDF `mediakit.samples.CONTRACT`: `python docs/sample_contract.py`.

All names and numbers in it are made up.
"""

# ruff: noqa: INP001  # a script, not part of a package

from pathlib import Path

import mediakit

STYLE = """
@page { margin: 26mm 24mm }
body { font: 11pt/1.5 Georgia, "DejaVu Serif", serif; color: #1d2733; hyphens: auto; text-align: justify }
h1 { font: 600 23pt/1.2 "Helvetica Neue", "DejaVu Sans", sans-serif; margin: 0 0 4pt; text-align: left }
h2 { font: 600 12.5pt/1.3 "Helvetica Neue", "DejaVu Sans", sans-serif; margin: 20pt 0 4pt; color: #0f5c63 }
p { margin: 0 0 8pt } .lead { color: #5b6875; margin-bottom: 18pt }
table { width: 100%; border-collapse: collapse; font-size: 10pt; text-align: left }
th, td { padding: 6pt 8pt; border-bottom: .6pt solid #c9d2da; vertical-align: top }
th { font-weight: 600; width: 24% } a { color: #0f5c63 }
.sign { display: flex; gap: 40pt; margin-top: 44pt }
.sign div { flex: 1; border-top: .8pt solid #1d2733; padding-top: 5pt }
.next { break-before: page }
"""

BODY = """
<h1>Service agreement</h1>
<p class="lead">Agreement 2026-0417 between Nora Feldmann and Harbor Analytics Ltd</p>
<h2>1. Parties</h2>
<table>
<tr><th>Client</th><td>Nora Feldmann, Lindenweg 14, 04109 Leipzig, Germany</td></tr>
<tr><th>Contact</th>
<td><a href="mailto:nora.feldmann@example.com">nora.feldmann@example.com</a>, +49 341 5550 142</td></tr>
<tr><th>Provider</th><td>Harbor Analytics Ltd, 8 Quay Street, Bristol BS1 4DB, United Kingdom</td></tr>
<tr><th>Contact</th>
<td><a href="mailto:office@harbor-analytics.example">office@harbor-analytics.example</a>, +44 117 496 0123</td></tr>
</table>
<h2>2. Services</h2>
<p>The provider analyzes the visitor numbers of the client's three museums, reports them every month, and answers the
questions of Nora Feldmann or a person whom she names. Reports are delivered by the fifth working day of the following
month, as tables and as a summary of two pages.</p>
<p>The provider may use subcontractors only after the client has agreed in writing. Requests are sent to
nora.feldmann@example.com; an answer is due within ten working days.</p>
<h2>3. Confidentiality</h2>
<p>Both parties keep confidential what they learn about each other. This includes the names of visitors, the accounts
of the museums, and the terms of this agreement. The duty continues for five years after the agreement ends.</p>
<h2 class="next">4. Payment</h2>
<p>The client pays EUR 1,850.00 a month, and EUR 95.00 for each additional hour that was agreed before.</p>
<table>
<tr><th>Account holder</th><td>Harbor Analytics Ltd</td></tr>
<tr><th>IBAN</th><td>GB33 BUKB 2020 1555 5555 55</td></tr>
<tr><th>Refunds to</th><td>Nora Feldmann, DE75 5121 0800 1245 1261 99</td></tr>
</table>
<h2>5. Term</h2>
<p>The agreement begins on 1 February 2026. Either party may end it with three months' notice at the end of a quarter.
Notices are sent by letter, or by e-mail to the addresses in section 1.</p>
<h2>6. Contacts in urgent cases</h2>
<p>Outside working hours, call +44 117 496 0177. For the client, Nora Feldmann can be reached at +49 341 5550 198.</p>
<div class="sign"><div>Nora Feldmann, client</div><div>Samuel Okafor, Harbor Analytics Ltd</div></div>
"""


def main() -> None:
    """Print the agreement and write it to `mediakit/samples/contract.pdf`."""
    html = f'<html lang="en"><head><title>Service agreement with Nora Feldmann</title><style>{STYLE}</style></head>'
    html += f"<body>{BODY}</body></html>"
    mediakit.pdf(html, format="A4", outline=True, tagged=True).save(
        Path(__file__).parents[1] / "mediakit" / "samples" / "contract.pdf"
    )


if __name__ == "__main__":
    main()
