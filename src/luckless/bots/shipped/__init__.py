"""The bots that are shipped: compiled rules, one file a family. A new one is a file here and a line in `registry`."""
