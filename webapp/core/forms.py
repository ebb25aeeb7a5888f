"""What the forms of things with a name and a secret have in common."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, TypeVar

from django import forms
from django.db.models import Model

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
M = TypeVar("M", bound=Model)

if TYPE_CHECKING:
    _Base = forms.ModelForm
else:

    class _Base(forms.ModelForm):
        """Takes no parameter at run time, unlike for the checker of types."""

        def __class_getitem__(cls, _: object) -> type:
            return cls


class NamedForm(_Base[M]):
    """Settings under a name that can be typed in a command, with a secret that goes in and never comes out again.

    Attributes:
        what: the thing in a word, as `model`.
        taken: names, in small letters, that mean something else in an address, a command or to people.
        write_only: the field that holds the secret.
    """

    what: ClassVar[str]
    taken: ClassVar[tuple[str, ...]]
    write_only: ClassVar[str]

    @property
    def has_lost_secret(self) -> bool:
        """Whether a secret was typed into a form that comes back with faults; it does not come back with it."""
        return self.is_bound and not self.is_valid() and bool(self.data.get(self.write_only))

    def clean_name(self) -> str:
        """One that can be typed in a command and stand in an address."""
        name: str = self.cleaned_data["name"]
        if not _NAME.fullmatch(name):
            raise forms.ValidationError("Use letters, digits and . _ - only, a letter or digit first.")
        if name.lower() in self.taken:
            raise forms.ValidationError(f"“{name}” has another meaning; choose another name.")
        others = self._meta.model._default_manager.exclude(pk=self.instance.pk)
        if others.filter(name__iexact=name).exists():
            raise forms.ValidationError(f"There is a {self.what} “{name}” already; choose another name.")
        return name

    def bound(self, name: str, lowest: float, highest: float, number: str = "number") -> None:
        """Hold a field between two numbers, in the browser and in words; `number` is what to write."""
        field = self.fields[name]
        field.widget.attrs |= {"min": lowest, "max": highest}

        def check(value: float) -> None:
            if not lowest <= value <= highest:
                raise forms.ValidationError(f"Write a {number} from {lowest:,} to {highest:,}.")

        field.validators = [check]
