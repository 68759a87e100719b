"""DIVAT: skill in heads-up limit hold'em, street by street, with the luck of the cards removed.

`settings` holds what sensible play is, `hand.report_hand` explains one hand, `analysis.analyse` judges many at once,
`gathering` reads them from logs, `judgement` makes estimates of them, `sweep` does so under other settings, and
`roe_build` computes the roll-out table before the flop.
"""
