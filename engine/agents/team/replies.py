"""From a model's words to plans: the forms of the paper's appendix G, read with patience (SPEC section 4).

Nothing a model writes may crash an episode: whatever cannot be read is a `ReplyFault`, which the model is told. What a
reply may hold is bounded, since it comes back in later prompts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from engine.agents.plans import Plan, Step
from engine.agents.team.finding import ReplyFault, find_object

MAX_STEPS = 64
MAX_MESSAGES = 32
MAX_MESSAGE = 2_000
MAX_NAME = 80
"""Characters of a task's id, of an action's name and of a role."""
MAX_PARAMETERS = 8_000
"""Characters of one action's parameters, as JSON."""
MAX_NOTE = 500
MAX_FAULT = 300
MAX_LISTED = 5
"""Faults of one kind that are told one by one."""


def _text(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _words(value: Any) -> Any:
    return "" if value is None else _text(value)


def _names(value: Any) -> Any:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _or_empty(value: Any) -> Any:
    return {} if value is None else value


def _or_none(value: Any) -> Any:
    return [] if value is None else value


def _bounded(value: dict[str, Any]) -> dict[str, Any]:
    length = len(json.dumps(value, ensure_ascii=False))
    if length > MAX_PARAMETERS:
        raise ValueError(f"the parameters are {length} characters long; at most {MAX_PARAMETERS} are allowed")
    return value


Name = Annotated[str, Field(max_length=MAX_NAME), BeforeValidator(_text)]
Words = Annotated[str, BeforeValidator(_words)]


class _Form(BaseModel):
    """Unknown keys are passed over, and null is as good as left out: models like to add some."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class PlannedStep(_Form):
    """One action of a plan."""

    id: Name
    do: Annotated[str, Field(max_length=MAX_NAME)]
    with_: Annotated[dict[str, Any], BeforeValidator(_or_empty), AfterValidator(_bounded)] = Field(
        default_factory=dict, alias="with"
    )
    after: Annotated[list[Name], Field(max_length=MAX_STEPS), BeforeValidator(_names)] = []
    note: Words = ""


PlanForm = Annotated[list[PlannedStep], Field(max_length=MAX_STEPS), BeforeValidator(_or_none)]


class CentralizedReply(_Form):
    """A plan for every agent."""

    reasoning: Words = ""
    agent_plans: dict[str, PlanForm]


class WrittenMessage(_Form):
    """A message to one, several (a list) or all (`all`) peers."""

    to: str | list[str]
    content: Words


class DistributedReply(_Form):
    """One agent's own plan, its part in the team, and what it tells its peers."""

    reasoning: Words = ""
    my_role: Words = ""
    plan: PlanForm
    messages: Annotated[list[WrittenMessage], BeforeValidator(_or_none)] = []


CENTRALIZED_SCHEMA = CentralizedReply.model_json_schema()
DISTRIBUTED_SCHEMA = DistributedReply.model_json_schema()
"""What an endpoint that can be held to a schema is given."""

Form = TypeVar("Form", bound=_Form)


def read_centralized(text: str) -> CentralizedReply:
    """The reply to a centralized prompt.

    Raises:
        ReplyFault: it cannot be read.
    """
    return _validate(CentralizedReply, find_object(text, "agent_plans"))


def read_distributed(text: str) -> DistributedReply:
    """The reply to a distributed prompt.

    Raises:
        ReplyFault: it cannot be read.
    """
    return _validate(DistributedReply, find_object(text, "plan"))


def _validate(form: type[Form], value: Any) -> Form:
    try:
        return form.model_validate(value)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in fault["loc"])[:MAX_FAULT]
        raise ReplyFault(f"{where or 'the object'}: {fault['msg']}"[:MAX_FAULT]) from error


def plan_of(steps: list[PlannedStep], reasoning: str) -> Plan:
    """The plan as the engine carries it out."""
    return Plan(
        tuple(Step(step.id, step.do, step.with_, tuple(step.after), step.note[:MAX_NOTE]) for step in steps),
        reasoning,
    )


def listed(faults: Sequence[str]) -> str:
    """Faults in one sentence, the first ones in full."""
    more = len(faults) - MAX_LISTED
    told = [fault[:MAX_FAULT] for fault in faults[:MAX_LISTED]]
    return "; ".join([*told, f"and {more} more like that"] if more > 0 else told)
