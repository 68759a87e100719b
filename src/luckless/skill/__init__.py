"""How strong players are by their hands: estimators under one protocol, each with its verdict.

An estimator takes hands and gives a `Verdict`: for every player money and a luck-adjusted win rate, with intervals.
`money` counts chips; `divat` takes the luck of the cards out of heads-up limit hands; `all_in` the luck of all-ins;
`by_steps` walks through hands of any game (`walking`) and takes out the luck of cards and of known policies.
"""
