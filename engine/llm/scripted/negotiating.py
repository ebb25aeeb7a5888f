"""How the scripted planner negotiates: claims are proposed to all, and conflicts go to the lower YAML index.

The one who loses a block to a peer of a lower index is offered another by a counter-proposal, and takes that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from engine.agents.messages import tag_of
from engine.llm.scripted.situation import Said, Situation
from engine.world import rules
from engine.world.geometry import Cell, octile

PATIENCE = 3
"""Steps that a proposal is left open."""
CLAIM_STEPS = 20
"""Steps after which a claim has lapsed."""

_CELL = re.compile(r"\[(-?\d+), ?(-?\d+), ?(-?\d+)\]")
_INSTEAD = " take "
"""What comes before the blocks that a counter-proposal offers."""


def proposal(cells: Sequence[Cell]) -> dict[str, Any]:
    """The message that claims blocks."""
    return {"to": "all", "content": f"[PROPOSAL] I take {_write(cells)}."}


def _write(cells: Sequence[Cell]) -> str:
    return ", ".join(f"[{x}, {y}, {z}]" for x, y, z in cells)


def _read(text: str) -> list[Cell]:
    return [(int(x), int(y), int(z)) for x, y, z in _CELL.findall(text)]


class Talk:
    """Where the negotiation stands for the one who is asked."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._me = situation.me
        self._rank = {name: index for index, name in enumerate(situation.team)}
        self._mine = self._last_proposal(self._me)

    def _last_proposal(self, sender: str) -> Said | None:
        return next(
            (
                said
                for said in reversed(self._situation.messages)
                if said.sender == sender
                and tag_of(said.text) == "PROPOSAL"
                and self._situation.step - said.step <= CLAIM_STEPS
            ),
            None,
        )

    @property
    def _has_acted(self) -> bool:
        """Whether I have done anything but wait since my last proposal."""
        since = self._mine.step if self._mine else 0.0
        return any(
            entry.get("do", "wait") != "wait" and entry["step"] > since for entry in self._situation.history
        )

    @property
    def is_open(self) -> bool:
        """Whether I have proposed something and not acted on it yet."""
        return self._mine is not None and not self._has_acted

    @property
    def is_waiting(self) -> bool:
        """Whether I still give the others time to answer."""
        return self.is_open and self._mine is not None and self._situation.step - self._mine.step < PATIENCE

    @property
    def is_over(self) -> bool:
        """Whether what I proposed can be acted on."""
        return self.is_open and not self.is_waiting

    def taken(self) -> frozenset[Cell]:
        """Blocks that I leave to others: what they have claimed, unless I did too and have the lower index."""
        mine = set(_read(self._mine.text)) if self._mine and self.is_open else set()
        left: set[Cell] = set()
        for name, index in self._rank.items():
            said = None if name == self._me else self._last_proposal(name)
            if said is not None:
                claimed = set(_read(said.text))
                left |= claimed if index < self._rank[self._me] else claimed - mine
        return frozenset(left)

    def given(self) -> list[Cell]:
        """Blocks that counter-proposals offer me instead of what I proposed, as far as nobody else has claimed them."""
        if self._mine is None or not self.is_open:
            return []
        offers = [
            cell
            for said in self._situation.messages
            if said.step >= self._mine.step
            and said.sender != self._me
            and tag_of(said.text) == "COUNTER-PROPOSAL"
            for cell in _read(said.text.partition(_INSTEAD)[2])
        ]
        return [cell for cell in offers if cell not in self.taken()]

    def answers(self, claimed: Sequence[Cell] = ()) -> list[dict[str, Any]]:
        """An answer to every proposal that I have not answered yet.

        Args:
            claimed: what I am about to claim, beside what I have claimed already.
        """
        return [self._answer(said, set(claimed)) for said in self._unanswered()]

    def _unanswered(self) -> list[Said]:
        open_proposals: dict[str, Said] = {}
        for said in self._situation.messages:
            tag = tag_of(said.text)
            if said.sender == self._me:
                if tag in ("AGREE", "DISAGREE", "COUNTER-PROPOSAL"):
                    for name in said.to:
                        open_proposals.pop(name, None)
            elif tag == "PROPOSAL" and self._situation.step - said.step <= CLAIM_STEPS:
                open_proposals[said.sender] = said
        return list(open_proposals.values())

    def _answer(self, said: Said, claimed: set[Cell]) -> dict[str, Any]:
        mine = claimed | (set(_read(self._mine.text)) if self._mine and self.is_open else set())
        both = [cell for cell in _read(said.text) if cell in mine]
        if not both:
            return {"to": said.sender, "content": "[AGREE] None of that is mine."}
        if self._rank[said.sender] < self._rank[self._me]:
            return {"to": said.sender, "content": f"[AGREE] I leave you {_write(both)}."}
        others = self._alternatives(said, mine, len(both))
        if not others:
            return {
                "to": said.sender,
                "content": f"[DISAGREE] I have claimed {_write(both)}; look for others.",
            }
        text = f"[COUNTER-PROPOSAL] I have claimed {_write(both)};{_INSTEAD}{_write(others)} instead."
        return {"to": said.sender, "content": text}

    def _alternatives(self, said: Said, mine: set[Cell], count: int) -> list[Cell]:
        """Blocks near what the peer wanted that nobody has claimed and that the peer's tools harvest."""
        wanted = _read(said.text)
        carried = self._situation.facts["team"][said.sender]["starts_with"]
        kinds = {target.block for target in self._situation.targets}
        claimed = mine | set(wanted) | self.taken()
        free = [
            sighting.cell
            for sighting in self._situation.blocks
            if sighting.cell not in claimed
            and (sighting.block in kinds or not kinds)
            and _harvests(carried, sighting.block)
        ]
        x, _, z = wanted[0]
        return sorted(free, key=lambda cell: (octile(cell[0] - x, cell[2] - z), cell))[:count]


def _harvests(carried: Sequence[str], block: str) -> bool:
    drops = rules.block(block).drops
    return bool(drops) and rules.harvests(rules.best_tool(carried, block), rules.block(block))
