"""Prompts, made of the templates in this folder: a frame for each policy, and advice for each policy and task type.

A briefing is what never changes in an episode; the state of things follows it in each call.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from engine.agents.actions import ActionInfo, offered
from engine.agents.team.observation import facts
from engine.spec.model import TaskSpec

_FOLDER = Path(__file__).parent
STATE = Template("""## Step $step of $max_steps

## State

```json
$state
```
""")


@cache
def _template(name: str) -> Template:
    return Template((_FOLDER / name).read_text(encoding="utf-8").strip())


def centralized_briefing(spec: TaskSpec) -> str:
    """The standing part of the master's prompts."""
    return _briefing("centralized", spec, first_agent=spec.agents.spawn[0].name)


def distributed_briefing(spec: TaskSpec, agent: str) -> str:
    """The standing part of an agent's prompts."""
    names = [one.name for one in spec.agents.spawn]
    return _briefing("distributed", spec, agent_name=agent, agent_index=str(names.index(agent)))


def _briefing(policy: str, spec: TaskSpec, **names: str) -> str:
    guidance = spec.task.guidance.text.strip()
    return _template(f"{policy}/frame.md").substitute(
        names,
        agent_count=len(spec.agents.spawn),
        task_type=spec.task.type,
        goal=spec.task.goal,
        guidance=guidance or "(no further guidance)",
        advice=_template(f"{policy}/{spec.task.type}.md").template,
        actions="\n".join(map(_describe, offered(spec.task.type))),
        facts=compact(facts(spec)),
    )


def state_prompt(step: float, max_steps: int, state: Any) -> str:
    """The part of a prompt that tells how things are."""
    return STATE.substitute(step=step, max_steps=max_steps, state=compact(state))


def compact(value: Any) -> str:
    """JSON on one line, without spaces that cost tokens."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _describe(info: ActionInfo) -> str:
    properties = info.parameters.model_json_schema()["properties"]
    listed = "; ".join(
        f"`{name}`: {_kind(schema)}" + (" (may be left out)" if "default" in schema else "")
        for name, schema in properties.items()
    )
    return f"- `{info.name}` ({listed}). {info.description}"


def _kind(schema: dict[str, Any]) -> str:
    """A parameter's type in words."""
    if schema.get("type") == "array":
        if "prefixItems" in schema:
            return "[x, y, z], whole numbers"
        return f"list of {_kind(schema['items'])}"
    bounds = [
        f"{word} {schema[key]}" for key, word in (("minimum", "from"), ("maximum", "to")) if key in schema
    ]
    names = {"integer": "whole number", "number": "number", "string": "name"}
    return " ".join([names[schema["type"]], *bounds])
