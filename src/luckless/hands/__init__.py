"""Hand strength, equity and hand rank."""
