"""DIVAT: skill in heads-up limit hold'em, round by round, with the luck of the cards removed.

`settings` holds what sensible play is, `notation` reads hands from text, `hand.report_hand` explains one hand,
`analysis.analyse` judges many at once, `roe_build` computes the roll-out table before the flop.
"""
