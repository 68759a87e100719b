"""Benchmarks beside comparable packages that are installed. Both are timed in one run: ratios are less noisy."""
