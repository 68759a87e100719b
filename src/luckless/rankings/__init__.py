"""Rankings of many players from a table of who beats whom: pure functions that know no poker."""
