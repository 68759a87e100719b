"""The engine as environments for learners elsewhere: PettingZoo's and Gymnasium's interfaces (extra `env`)."""
