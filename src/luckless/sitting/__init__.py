"""A person plays bots, hand after hand: at the terminal or in the browser, kept on disk, judged with luck removed."""
