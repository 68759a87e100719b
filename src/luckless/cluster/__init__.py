"""Work in pieces on other machines, by Ray. Nothing else of the package imports it, and it imports Ray at need."""
