"""The engine as an environment for learners: PettingZoo's turn-based interface (extra `env`)."""
