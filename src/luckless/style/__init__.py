"""How agents play: strategy vector, aggression and tightness, and who gives chips to whom."""
