"""Maximum-likelihood decoder for blurred EAN-13 and UPC-A: a model of the whole symbol is fitted to a line of bars.

A decoder that locates the edges of bars fails where blur merges narrow bars. The model predicts the blurred line for
any digits, so the digits that explain the line best are found without edges (O. Gallo, R. Manduchi: Reading 1D
Barcodes with Mobile Phones Using Deformable Templates, IEEE TPAMI 33, 2011).
"""
