"""What people look at: figures, and one self-contained HTML file."""
