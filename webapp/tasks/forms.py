"""Adding a task, and finding one."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.text import slugify

from engine.errors import Fault
from engine.spec.loader import check_text
from engine.spec.model import TASK_TYPES, TaskSpec
from webapp.core import words
from webapp.tasks.models import Suite, Task

MAX_BYTES = 256 * 1024
OWN_SUITE = "my-tasks"
OWN_SUITE_TITLE = "My tasks"
SLUG_LENGTH = 80


class FilterForm(forms.Form):
    """What the library's list is narrowed to."""

    type = forms.ChoiceField(
        required=False, label="Type", choices=[("", "All types"), *words.choices(TASK_TYPES, words.KINDS)]
    )
    q = forms.CharField(required=False, label="Text", max_length=200)


class TaskForm(forms.Form):
    """A new task as pasted YAML or as a file, checked by the engine's own loader.

    After validation `spec` is the task, and `faults` holds what is wrong with the YAML, by line.
    """

    suite = forms.ChoiceField(label="Suite", help_text="Where the task is filed in the library.")
    title = forms.CharField(
        required=False,
        max_length=SLUG_LENGTH,
        label="Title",
        help_text="Also gives the task its address. Left empty: the task’s id, or the file’s name.",
    )
    file = forms.FileField(
        required=False,
        label="YAML file",
        help_text="At most 256 KB. A chosen file takes the place of the text below.",
        widget=forms.ClearableFileInput(attrs={"accept": ".yaml,.yml"}),
    )
    text = forms.CharField(
        required=False,
        label="Or paste the YAML",
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 18, "spellcheck": "false", "class": "code-input", "wrap": "off"}
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        suites = dict(Suite.objects.values_list("slug", "title"))
        self.fields["suite"].choices = list({OWN_SUITE: OWN_SUITE_TITLE, **suites}.items())  # type: ignore[attr-defined]
        self.spec: TaskSpec | None = None
        self.faults: list[Fault] = []
        self.yaml = ""
        self.stem = ""

    def clean_file(self) -> str:
        """The file's text; its size is looked at before anything is read."""
        upload: UploadedFile | None = self.cleaned_data.get("file")
        if upload is None:
            return ""
        if upload.size is None or upload.size > MAX_BYTES:
            size = (upload.size or 0) / 1024
            raise forms.ValidationError(f"The file has {size:,.0f} KB; at most 256 KB are accepted.")
        if PurePath(upload.name or "").suffix.lower() not in (".yaml", ".yml"):
            raise forms.ValidationError("Choose a file whose name ends in .yaml or .yml.")
        self.stem = slugify(PurePath(upload.name or "").stem)
        try:
            return upload.read().decode("utf-8-sig")
        except UnicodeDecodeError as fault:
            raise forms.ValidationError(f"The file is not UTF-8 text (byte {fault.start + 1}).") from fault

    def keep(self) -> None:
        """Put a file's text into the text field, where it can be mended: browsers forget chosen files."""
        if self.yaml:
            data = QueryDict("", mutable=True)
            data.update(self.data)
            data["text"] = self.yaml
            self.data = data

    def clean_text(self) -> str:
        """The pasted text, with line ends as the loader counts them."""
        text: str = self.cleaned_data["text"].replace("\r\n", "\n")
        if len(text.encode()) > MAX_BYTES:
            raise forms.ValidationError("The text has more than 256 KB, which is the most that is accepted.")
        return text

    def clean(self) -> dict[str, Any]:
        """Load the task and find its address; every fault stands beside the field it came from."""
        data = super().clean() or {}
        source = "file" if data.get("file") else "text"
        self.yaml = data.get(source, "")
        if "file" in self.errors or "text" in self.errors:
            return data
        if not self.yaml.strip():
            self.add_error("text", "Paste a task’s YAML here, or choose a file.")
            return data
        report = check_text(self.yaml, self.stem or "task")
        if report.spec is None:
            self.faults = list(report.errors)
            faults = "1 fault, listed above with its line"
            if len(self.faults) > 1:
                faults = f"{len(self.faults)} faults, listed above with their lines"
            self.add_error(source, f"The task has {faults}.")
            return data
        self.spec = report.spec
        data["slug"] = slugify(data.get("title") or report.spec.id.replace("_", "-").replace(".", "-"))[
            :SLUG_LENGTH
        ]
        self._check_address(data)
        return data

    def _check_address(self, data: dict[str, Any]) -> None:
        slug = data["slug"].strip("-")
        if not slug:
            self.add_error("title", "Give the task a title with at least one letter or digit (A–Z, 0–9).")
        elif Task.objects.filter(suite__slug=data.get("suite"), slug=slug).exists():
            self.add_error(
                "title",
                f"The suite already has a task “{slug}”. Choose another title, or another suite.",
            )
