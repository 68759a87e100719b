"""The dashboard in the browser: pages over what is stored below a folder. It computes nothing of its own."""
