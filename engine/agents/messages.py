"""Messages between agents: their tags, and which proposals still wait for an answer (paper, appendix G; SPEC 6, 11)."""

from __future__ import annotations

import re

from engine.events.payloads import ActionStarted, AgentDied, MessageSent, Payload

PROPOSALS = frozenset({"PROPOSAL", "COUNTER-PROPOSAL"})
ANSWERS = frozenset({"AGREE", "DISAGREE", "COUNTER-PROPOSAL"})
TAGS = (
    "PROPOSAL",
    "AGREE",
    "DISAGREE",
    "COUNTER-PROPOSAL",
    "STATUS",
    "DISCOVERY",
    "HELP",
    "CONFLICT",
    "PLAN_CHANGE",
)

_TAG = re.compile(r"[\s*]*\[([A-Za-z_ -]+)\]")


def _letters(tag: str) -> str:
    """The tag without what people write differently."""
    return "".join(char for char in tag if char.isalpha()).upper()


_BY_LETTERS = {_letters(tag): tag for tag in TAGS}


def tag_of(text: str) -> str:
    """The tag that a message begins with, without brackets; empty if it begins with none that is known."""
    found = _TAG.match(text)
    return _BY_LETTERS.get(_letters(found[1]), "") if found else ""


class Negotiation:
    """Which proposals are unanswered: a fold over messages, actions and deaths.

    A proposal is open between its sender and each receiver until that receiver answers, one of the two dies, or the
    sender begins an action other than `wait`: silence counts as agreement then.
    """

    def __init__(self) -> None:
        self._open: set[tuple[str, str]] = set()

    def concerns(self, agent: str) -> bool:
        """Whether a proposal made by or sent to the agent is unanswered."""
        return any(agent in pair for pair in self._open)

    def apply(self, payload: Payload) -> bool:
        """Take in one event's payload; True if a proposal was opened or closed."""
        before = len(self._open)
        match payload:
            case MessageSent() if payload.tag:
                return self._hear(payload)
            case ActionStarted() if payload.do != "wait":
                self._open = {pair for pair in self._open if pair[0] != payload.agent}
            case AgentDied():
                self._open = {pair for pair in self._open if payload.agent not in pair}
            case _:
                pass
        return len(self._open) != before

    def _hear(self, message: MessageSent) -> bool:
        before = set(self._open)
        if message.tag in ANSWERS:
            self._open -= {(receiver, message.sender) for receiver in message.to}
        if message.tag in PROPOSALS:
            self._open |= {(message.sender, receiver) for receiver in message.to}
        return self._open != before
