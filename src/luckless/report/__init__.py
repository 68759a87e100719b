"""Figures and reports: each report is one self-contained HTML file."""
