"""Estimates of skill: how strong a player is, and how sure that is.

`estimate` is what every estimator returns, `units` what it is counted in; `compare` tests two bots, `sequential`
stops a match when it is decided and `asymptotic` does so for values without bound, `stopping` stands for either;
`planning` says how many hands that takes, `proportion` counts games won, `guidelines` puts a win rate into words.
These play no poker: results come in as arrays, one value an independent sample.
"""
