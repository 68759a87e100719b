"""SQLite files that are catalogues: opened without changing them, checked for damage, sealed by a digest."""
