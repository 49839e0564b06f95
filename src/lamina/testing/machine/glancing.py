"""What the machine asks at a glance: a sheet draws what a unit of the same store draws."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import rule

from lamina.domain.anchor import Anchor
from lamina.domain.bm25 import weigh
from lamina.domain.search import Search
from lamina.domain.selection import Selection
from lamina.domain.sheet import Wanted
from lamina.domain.terms import label
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology
from lamina.testing.contracts.candidates import by_word
from lamina.testing.contracts.glances import heard
from lamina.testing.machine.asking import Asking
from lamina.testing.machine.model import LABELS, LEXEMES, NUMBERS, WHOSE
from lamina.testing.samples import EMBEDDING, vector, without_spots

CELLS = st.builds(
    Selection,
    tiers=st.frozensets(st.sampled_from(Tier), min_size=1),
    typologies=st.frozensets(st.sampled_from(Typology), min_size=1),
)


class Glancing(Asking):
    """Where a store can be so asked."""

    @rule(
        whose=WHOSE,
        numbers=NUMBERS,
        words=LEXEMES,
        labels=LABELS,
        limit=st.integers(1, 15),
        newest=st.integers(0, 3),
        selection=CELLS,
    )
    def glance(  # noqa: PLR0913, PLR0917 (what a draw is asked)
        self,
        whose: Anchor,
        numbers: tuple[int, ...],
        words: list[str],
        labels: dict[str, str],
        limit: int,
        newest: int,
        selection: Selection,
    ) -> None:
        """The same found, with the same scores, and the same beside it; and the records that these are."""
        terms = [label(*one) for one in labels.items()]
        wanted = Wanted(vector(*numbers), EMBEDDING.model, list(dict.fromkeys([*terms, *words])))
        for store in self.stores:
            if store.glances is None:
                continue
            sheet = store.glances.sheet(whose, selection, wanted)
            assert sheet is not None
            search = Search(limit, wanted.vector, wanted.model, weigh(words, sheet.counts), terms, terms, newest=newest)
            seen, places = sheet.draw(search, 2)
            versions = dict(zip(seen.outlines.ids, sheet.versions[places].tolist(), strict=True))
            with store.reading(whose) as unit:
                (drawn,) = unit.candidates.draw([search], 2, selection)
                records = unit.records.get(versions)
            assert heard(seen) == heard(drawn)
            assert by_word(seen) == by_word(drawn)
            assert without_spots(seen.outlines) == without_spots(drawn.outlines)
            assert store.glances.records(whose, versions) == records
