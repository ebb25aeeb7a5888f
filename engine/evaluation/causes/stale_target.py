"""An agent went for something that was gone by then.

Its plan named a block or a mob that was there when the plan was asked for, or that its prompt still spoke of, but that
had vanished, burnt or been taken before the agent was done. What a teammate took while both were at work on it is
duplicate work instead. Weight: the steps of the action, by the share of its targets that were gone.
"""

from __future__ import annotations

from engine.evaluation.causes.scene import Lost
from engine.evaluation.causes.watch import Watch, at, cause
from engine.events.log import Event
from engine.events.payloads import ActionEnded, MobDied


@cause("stale_target", "Stale target")
class StaleTarget(Watch):
    """Actions that end `vanished` or `not_found` though their target once existed."""

    hears = (ActionEnded,)

    def apply(self, event: Event) -> None:
        """Note the targets that the action missed."""
        ended: ActionEnded = event.payload
        doing = self.scene.doing[ended.agent]
        stale = [lost for lost in self.scene.lost if lost.by is None or lost.gone.seq < doing.seq]
        if not stale:
            return
        share = min(1.0, len(stale) / ended.wanted) if ended.do == "mine_blocks_at" else 1.0
        first = stale[0]
        self.note(
            ended.agent,
            event,
            share * (event.world_time - doing.tick),
            [doing.plan.seq, doing.seq, *(lost.gone.seq for lost in stale), event.seq],
            f"{ended.agent} went for {first.what}, {_fate(first)} at {at(first.gone.world_time)}",
        )


def _fate(lost: Lost) -> str:
    if lost.by is None:
        return "which vanished"
    return f"which {lost.by.agent} had {'killed' if isinstance(lost.gone.payload, MobDied) else 'taken'}"
