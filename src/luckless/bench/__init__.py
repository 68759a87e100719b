"""Our figures beside the peers that are installed, measured in one run: ratios count, the machine is noisy."""
