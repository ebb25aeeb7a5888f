"""Two agents did the same work, and one of them in vain.

Three ways: a teammate took a block out of the list that an agent was mining just then; an agent built a floor that
teammates had built since its plan was asked for, and placed nothing; an agent deposited more of an item than the
task asks for, though it was not the only one to bring it. Weight: the steps of the action, by the share of its
targets that the other took; all steps of the floor; for surplus items, the agent's mean steps of mining a block.
"""

from __future__ import annotations

from collections import defaultdict

from engine.agents.actions import BuildFloor
from engine.evaluation.causes.scene import Scene
from engine.evaluation.causes.watch import Watch, at, cause
from engine.events.log import Event
from engine.events.payloads import ActionEnded, ChestChanged, EpisodeStarted

QUOTA = "deposit "
"""How the names of checkpoints begin that ask for so many of an item in the chests."""


@cause("duplicate_work", "Duplicate work")
class DuplicateWork(Watch):
    """Blocks that two mined, floors that two built, and items beyond the quota."""

    hears = (EpisodeStarted, ActionEnded, ChestChanged)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self._quotas: dict[str, float] = {}
        self._stored: defaultdict[str, int] = defaultdict(int)
        self._bringers: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self._mined: defaultdict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))

    def apply(self, event: Event) -> None:
        """Note what was done twice."""
        match event.payload:
            case EpisodeStarted() as started:
                self._quotas = {
                    point.name.removeprefix(QUOTA): point.need
                    for point in started.checkpoints
                    if point.name.startswith(QUOTA)
                }
                for chest in started.chests:
                    for item, count in chest.items.items():
                        self._stored[item] += count
            case ActionEnded(do="mine_blocks_at") as ended:
                self._mine(event, ended)
            case ActionEnded(do="build_floor") as ended:
                self._build(event, ended)
            case ChestChanged() as changed:
                self._store(event, changed)
            case _:
                pass

    def _mine(self, event: Event, ended: ActionEnded) -> None:
        doing = self.scene.doing[ended.agent]
        blocks, ticks = self._mined[ended.agent]
        self._mined[ended.agent] = (blocks + ended.done, ticks + event.world_time - doing.tick)
        lost_ones = [(lost, lost.by) for lost in self.scene.lost if lost.gone.seq > doing.seq]
        twice = [(lost, by) for lost, by in lost_ones if by is not None]
        if not twice:
            return
        first, other = twice[0]
        evidence = [doing.seq, event.seq]
        for lost, by in twice:
            evidence += [by.seq, lost.gone.seq]
        self.note(
            ended.agent,
            event,
            min(1.0, len(twice) / ended.wanted) * (event.world_time - doing.tick),
            evidence,
            f"{ended.agent} and {other.agent} both went for {first.what}; {other.agent} got it "
            f"at {at(first.gone.world_time)}",
        )

    def _build(self, event: Event, ended: ActionEnded) -> None:
        """Cells that are filled already count as done, so an `ok` alone does not mean that the agent built."""
        doing = self.scene.doing[ended.agent]
        floor = doing.parameters() if ended.outcome == "ok" and not doing.placed else None
        if not isinstance(floor, BuildFloor):
            return
        there = [made for cell in floor.cells() if (made := self.scene.stands(cell)) is not None]
        others = [
            made
            for made in there
            if made.payload.cause == "agent"
            and made.payload.source != ended.agent
            and made.world_time > doing.plan.informed
        ]
        if others:
            self.note(
                ended.agent,
                event,
                event.world_time - doing.tick,
                [doing.seq, *(made.seq for made in others), event.seq],
                f"{ended.agent} came to build the floor at {list(floor.center_pos)}, which "
                f"{others[0].payload.source} had built",
            )

    def _store(self, event: Event, changed: ChestChanged) -> None:
        item, agent = changed.item, changed.agent
        before = self._stored[item]
        self._stored[item] += changed.delta
        quota = self._quotas.get(item)
        if quota is None or changed.delta <= 0:
            return
        bringers = self._bringers[item]
        surplus = self._stored[item] - max(before, quota)
        others = [seq for name, seq in bringers.items() if name != agent]
        bringers[agent] = event.seq
        if surplus > 0 and others:
            blocks, ticks = self._mined[agent]
            self.note(
                agent,
                event,
                surplus * (ticks / blocks if blocks else 0.0),
                [*others, event.seq],
                f"{agent} brought {surplus:g} {item.replace('_', ' ')} more than the {quota:g} asked for",
            )
