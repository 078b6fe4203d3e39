"""Workbooks and tables: XLSX, XLSM, XLSB, XLS, ODS, CSV and TSV."""
