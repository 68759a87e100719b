"""How results show themselves in notebooks: one module a kind of result.

Each has `summary` (a line), `block` (HTML), `figure` (Plotly) and `rows` (plain values, one a row of a table).
"""
