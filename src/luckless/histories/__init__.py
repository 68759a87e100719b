"""Hands on disk and in other people's formats: columns, stored matches, PHH, competition logs and text."""
