"""Bots that learn: features, networks, Q-learning and soft actor-critic (extra `learn`, which brings torch)."""
