"""English words that stand in nearly every text and so tell none from another."""

from __future__ import annotations

from typing import Final

STOP_WORDS: Final = frozenset(
    """
    a about above after again against all am an and any are aren't as at be because been before being below between
    both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each few for from
    further had hadn't has hasn't have haven't having he he'd he'll he's her here here's hers herself him himself his
    how how's i i'd i'll i'm i've if in into is isn't it it's its itself just let's me more most my myself no nor not
    now of off on once only or other our ours ourselves out over own same she she'd she'll she's should shouldn't so
    some such than that that's the their theirs them themselves then there there's these they they'd they'll they're
    they've this those through to too under until up us very was wasn't we we'd we'll we're we've were weren't what
    what's when when's where where's which while who who's whom why why's will with won't would wouldn't you you'd
    you'll you're you've your yours yourself yourselves
    """.split()  # noqa: SIM905 (a list of two hundred strings reads worse)
)
