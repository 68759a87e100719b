"""One module a page, found by itself: `router`, and `NAVIGATION` for pages that stand in the navigation.

Addresses are `/KIND/PLACE`, with the JSON twin at `/api/KIND/PLACE`; PLACE is the path of a run below the folder that
is served, empty for the folder itself.
"""
