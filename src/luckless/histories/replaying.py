"""Replaying by its old name, for `match_writer`; the replay itself is `luckless.rules.replaying`."""

from luckless.rules.replaying import replay as replay
