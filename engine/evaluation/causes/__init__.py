"""Why an episode that was played did not succeed: named causes, computed from its event log alone.

Every module of this folder whose class bears `@cause(…)` looks out for one cause; a new one needs nothing but its file.
Several causes may hold for one episode. Each has a weight, so that the greatest can stand first: the agent-steps that
it cost, as its module says. An episode that succeeded, or was not played to an end, has none.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from engine.episode.result import Cause
from engine.evaluation.causes.fold import Causes, causes
from engine.evaluation.causes.watch import CAUSES, CauseInfo, Watch, cause

for _module in sorted(found.name for found in iter_modules(__path__)):
    import_module(f"{__name__}.{_module}")

__all__ = ["CAUSES", "Cause", "CauseInfo", "Causes", "Watch", "cause", "causes"]
