"""What to launch: a grid of tasks, policies, models, modes, worlds and seeds, and what it may cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator

from engine.agents.policies import POLICIES
from engine.episode.settings import MODES, WORLDS, Budget
from engine.errors import SettingsError
from webapp.core import words
from webapp.core.params import number
from webapp.core.templatetags.ui import model_name
from webapp.launch.actions import MAX_EPISODES, Grid
from webapp.launch.seeds import parse_seeds
from webapp.runs.providers import SCRIPTED, asks_model, check_model, known_models
from webapp.servers.registry import known_servers
from webapp.tasks.models import Task

MAX_REPEATS = 100
MINUTE_S = 60.0
PAPER_MINUTES = 40
"""What an episode may spend on inference by default, as in the paper."""
MOST = 10**12
"""The largest limit of a budget."""
DEFAULT_PACE = "4"
EMBEDDED = "embedded"


class TaskChoiceField(forms.ModelMultipleChoiceField):
    """Tasks by primary key, also when a key is a number that no database takes."""

    def clean(self, value: Any) -> Any:
        """The chosen tasks."""
        for pk in value or ():
            if number(str(pk)) is None:
                raise forms.ValidationError(self.error_messages["invalid_pk_value"], params={"pk": pk})
        return super().clean(value)


def limit(label: str, *, whole: bool = True, initial: int | None = None, hint: str = "") -> forms.Field:
    """A field for one limit of a budget; left empty there is none."""
    kind = forms.IntegerField if whole else forms.FloatField
    return kind(
        label=label,
        required=False,
        initial=initial,
        validators=[MinValueValidator(1 if whole else 0.0001), MaxValueValidator(MOST)],
        widget=forms.NumberInput(attrs={"class": "form-control", "step": "1" if whole else "any"}),
        help_text=hint,
        error_messages={"invalid": "Write a whole number." if whole else "Write a number."},
    )


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
    models = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Models",
        initial=[SCRIPTED],
    )
    more_models = forms.CharField(
        label="More models",
        required=False,
        max_length=1_000,
        widget=forms.TextInput(
            attrs={"class": "form-control", "autocomplete": "off", "placeholder": "scripted:latency=5"}
        ),
        help_text="By name, with settings, separated by spaces.",
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
    server = forms.ChoiceField(
        label="Minecraft server",
        required=False,
        widget=forms.Select(attrs={"class": "form-select"}),
        error_messages={"invalid_choice": "There is no server “%(value)s” any more."},
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

    clock = forms.ChoiceField(
        choices=[
            ("virtual", "virtual: a reply’s latency is added to world time"),
            ("real", "real: world time keeps to the wall clock while a model thinks"),
        ],
        initial="virtual",
        label="Clock",
        widget=forms.Select(attrs={"class": "form-select"}),
        help_text="For asynchronous episodes. On the real clock one lasts as long as its world time.",
        required=False,
    )
    budget_minutes = limit("Inference, min", whole=False, initial=PAPER_MINUTES, hint="40 in the paper.")
    budget_inferences = limit("Inferences")
    budget_tokens = limit("Tokens")
    budget_usd = limit("US dollars", whole=False)
    run_budget_minutes = limit("Inference, min", whole=False)
    run_budget_inferences = limit("Inferences")
    run_budget_tokens = limit("Tokens")
    run_budget_usd = limit("US dollars", whole=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        policies = [(name, info.label) for name, info in POLICIES.items()]
        self.fields["policies"].choices = policies  # type: ignore[attr-defined]
        self.fields["policies"].initial = [policies[0][0]]
        self.fields["models"].choices = known_models()  # type: ignore[attr-defined]
        servers = [("", EMBEDDED), *((name, name) for name in known_servers())]
        self.fields["server"].choices = servers  # type: ignore[attr-defined]

    def clean_seeds(self) -> list[int]:
        """The seeds as numbers."""
        try:
            return parse_seeds(self.cleaned_data["seeds"])
        except ValueError as fault:
            raise forms.ValidationError(str(fault)) from fault

    def clean_more_models(self) -> list[str]:
        """The names, each checked."""
        names: list[str] = self.cleaned_data["more_models"].split()
        for name in names:
            try:
                check_model(name)
            except SettingsError as fault:
                raise forms.ValidationError(str(fault)) from fault
        return names

    def clean(self) -> dict[str, Any]:
        """Refuse policies without the model that they need, and a grid that is too large, naming its size."""
        data = super().clean() or {}
        asking = [name for name in data.get("policies", ()) if asks_model(name)]
        if asking and not self.errors and not (data["models"] or data["more_models"]):
            self.add_error(
                "models", f"Choose at least one: {', '.join(asking)} cannot decide without a model."
            )
        if not self.errors and (count := len(grid(data))) > MAX_EPISODES:
            raise forms.ValidationError(
                f"That is {count:,} episodes; a run may have {MAX_EPISODES:,}. Choose fewer tasks, policies, "
                "models, modes, seeds or repeats, or launch several runs."
            )
        return data


def grid(data: dict[str, Any]) -> Grid:
    """What a valid form asks for. Models that no chosen policy asks are left out, a server where none is needed too."""
    asked = any(asks_model(name) for name in data["policies"])
    return Grid(
        tasks=list(data["tasks"]),
        policies=data["policies"],
        models=list(dict.fromkeys([*data["models"], *data["more_models"]])) if asked else [],
        modes=data["modes"],
        worlds=data["worlds"],
        seeds=data["seeds"],
        repeats=data["repeats"],
        server=data["server"] if "minecraft" in data["worlds"] else "",
        clock=data["clock"] or "virtual",
    )


def budget(data: dict[str, Any], prefix: str) -> Budget:
    """A valid form's budget, of the episode (`budget`) or of the run (`run_budget`)."""
    minutes = data[f"{prefix}_minutes"]
    return Budget(
        inference_s=None if minutes is None else minutes * MINUTE_S,
        inferences=data[f"{prefix}_inferences"],
        tokens=data[f"{prefix}_tokens"],
        usd=data[f"{prefix}_usd"],
    )


def write_budget(plain: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """A budget as a run's settings hold it → the form's values."""
    seconds = plain.get("inference_s")
    return {
        f"{prefix}_minutes": None if seconds is None else f"{seconds / MINUTE_S:g}",
        **{f"{prefix}_{name}": plain.get(name) for name in ("inferences", "tokens", "usd")},
    }


def default_name(grid: Grid) -> str:
    """`Gold rush · centralized · scripted (no LLM) · sync`; long lists by their number."""
    listed = (
        ("tasks", [task.title for task in grid.tasks]),
        ("policies", list(grid.policies)),
        ("models", [model_name(model) for model in grid.models]),
        ("modes", list(grid.modes)),
    )
    return " · ".join(
        ", ".join(names) if len(names) <= 2 else f"{len(names)} {what}" for what, names in listed if names
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
