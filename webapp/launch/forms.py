"""What to launch: a grid of tasks, policies, modes, worlds and seeds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from engine.agents.policies import POLICIES
from engine.episode.settings import MODES, WORLDS
from webapp.core import words
from webapp.core.params import number
from webapp.launch.actions import MAX_EPISODES
from webapp.launch.seeds import parse_seeds
from webapp.tasks.models import Task

MAX_REPEATS = 100
DEFAULT_PACE = "4"


class TaskChoiceField(forms.ModelMultipleChoiceField):
    """Tasks by primary key, also when a key is a number that no database takes."""

    def clean(self, value: Any) -> Any:
        """The chosen tasks."""
        for pk in value or ():
            if number(str(pk)) is None:
                raise forms.ValidationError(self.error_messages["invalid_pk_value"], params={"pk": pk})
        return super().clean(value)


class LaunchForm(forms.Form):
    """A launch. Its defaults are valid, so that pressing the button is enough where a task is chosen."""

    tasks = TaskChoiceField(
        queryset=Task.objects.select_related("suite").defer("yaml", "goal").order_by("suite__title", "title"),
        widget=forms.CheckboxSelectMultiple,
        label="Tasks",
        error_messages={
            "required": "Choose at least one task.",
            "invalid_choice": "One of the chosen tasks is not in the library any more.",
            "invalid_pk_value": "“%(pk)s” does not name a task.",
        },
    )
    policies = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        label="Policies",
        error_messages={"required": "Choose at least one policy."},
    )
    modes = forms.MultipleChoiceField(
        choices=words.choices(MODES, words.MODES),
        widget=forms.CheckboxSelectMultiple,
        label="Modes",
        initial=["sync"],
        error_messages={"required": "Choose at least one mode."},
    )
    worlds = forms.MultipleChoiceField(
        choices=words.choices(WORLDS, words.WORLDS),
        widget=forms.CheckboxSelectMultiple,
        label="Worlds",
        initial=["simulator"],
        error_messages={"required": "Choose at least one world."},
    )
    seeds = forms.CharField(
        label="Seeds",
        initial="0",
        max_length=2_000,
        widget=forms.TextInput(attrs={"class": "form-control", "autocomplete": "off"}),
        help_text="Whole numbers and ranges: 0-9 or 0, 3, 7. Two seeds give two layouts of the same task.",
        error_messages={"required": "Write at least one seed, such as 0, or a range, such as 0-9."},
    )
    repeats = forms.IntegerField(
        label="Repeats",
        initial=1,
        min_value=1,
        max_value=MAX_REPEATS,
        widget=forms.NumberInput(attrs={"class": "form-control"}),
        help_text="Episodes of each combination. More than one makes sense only for policies that vary by themselves.",
        error_messages={"invalid": "Write a whole number.", "required": "Write a whole number, at least 1."},
    )
    pace = forms.TypedChoiceField(
        choices=[(f"{pace:g}", word) for pace, word in words.PACES.items()],
        coerce=float,
        initial=DEFAULT_PACE,
        widget=forms.RadioSelect,
        label="Pace",
        help_text="Times real time, for watching. It does not change what happens, and can be changed at any time.",
        error_messages={"required": "Choose a pace."},
    )
    name = forms.CharField(
        label="Name",
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"class": "form-control", "autocomplete": "off"}),
        help_text="Left empty, the run is named after what it launches.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        policies = [(name, info.label) for name, info in POLICIES.items()]
        self.fields["policies"].choices = policies  # type: ignore[attr-defined]
        self.fields["policies"].initial = [policies[0][0]]

    def clean_seeds(self) -> list[int]:
        """The seeds as numbers."""
        try:
            return parse_seeds(self.cleaned_data["seeds"])
        except ValueError as fault:
            raise forms.ValidationError(str(fault)) from fault

    def clean(self) -> dict[str, Any]:
        """Refuse a grid that is too large, naming its size."""
        data = super().clean() or {}
        if not self.errors and (count := episodes(data)) > MAX_EPISODES:
            raise forms.ValidationError(
                f"That is {count:,} episodes; a run may have {MAX_EPISODES:,}. Choose fewer tasks, policies, "
                "modes, seeds or repeats, or launch several runs."
            )
        return data


def episodes(data: dict[str, Any]) -> int:
    """How many episodes a valid form's grid has."""
    count: int = data["repeats"]
    for axis in ("tasks", "policies", "modes", "worlds", "seeds"):
        count *= len(data[axis])
    return count


def default_name(tasks: Iterable[Task], policies: Iterable[str], modes: Iterable[str]) -> str:
    """`Gold rush · oracle · sync`; long lists by their number."""
    titles = [task.title for task in tasks]
    listed = (("tasks", titles), ("policies", list(policies)), ("modes", list(modes)))
    return " · ".join(
        ", ".join(names) if len(names) <= 2 else f"{len(names)} {what}" for what, names in listed
    )[:200]


def write_seeds(seeds: Iterable[int]) -> str:
    """Seeds as the form's text, neighbours as ranges: `[0, 1, 2, 7]` → `0-2, 7`."""
    groups: list[list[int]] = []
    for seed in sorted(seeds):
        if groups and seed == groups[-1][-1] + 1:
            groups[-1].append(seed)
        else:
            groups.append([seed])
    return ", ".join(str(group[0]) if len(group) == 1 else f"{group[0]}-{group[-1]}" for group in groups)
