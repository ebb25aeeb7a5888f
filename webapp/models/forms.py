"""Adding and changing a model endpoint."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from django import forms

from engine.addresses import AddressError
from engine.errors import SettingsError
from engine.llm.endpoint import RESERVED
from webapp.core.forms import NamedForm
from webapp.models.models import ModelEndpoint
from webapp.models.registry import SCRIPTED_PREFIX, address_policy

LONGEST_KEY = 1_000
LONGEST_EXTRA = 4_000
KEY_CLEARED = "The address has changed, so the stored key was removed. Type in the key for the new address."

_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*_API_KEY")
_SECRET = re.compile(r"[!-~]+")


class EndpointForm(NamedForm[ModelEndpoint]):
    """An endpoint's settings. A key goes in and never comes out again.

    Attributes:
        has_cleared_key: whether saving removed a stored key because the address has changed.
    """

    what = "model"
    taken = ("new", "replay", "scripted")
    write_only = "key"

    key = forms.CharField(
        label="API key",
        required=False,
        max_length=LONGEST_KEY,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text="Stored encrypted and never shown again.",
    )
    remove_key = forms.BooleanField(label="Remove the stored key", required=False)
    extra_body = forms.CharField(
        label="Extra parameters",
        required=False,
        max_length=LONGEST_EXTRA,
        widget=forms.Textarea(attrs={"rows": 3, "class": "code-input", "spellcheck": "false"}),
        help_text='A JSON object that is added to every request, such as {"reasoning_effort": "low"}.',
    )

    class Meta:
        model = ModelEndpoint
        fields = [
            "name",
            "model",
            "base_url",
            "key_variable",
            "json_support",
            "max_tokens",
            "temperature",
            "timeout_s",
            "patience_s",
            "prompt_price",
            "completion_price",
            "declares_latency",
        ]
        labels = {
            "model": "Model",
            "base_url": "Base URL",
            "key_variable": "or environment variable",
            "json_support": "JSON support",
            "max_tokens": "Longest reply",
            "temperature": "Temperature",
            "timeout_s": "Time-out",
            "patience_s": "Patience",
            "prompt_price": "Price of prompts",
            "completion_price": "Price of completions",
            "declares_latency": "It is a scripted server that declares its latency",
        }
        help_texts = {
            "name": "What you call it in launches and in --model NAME, without spaces. Runs remember it so.",
            "model": "The model’s name at the endpoint, such as gpt-5.1.",
            "base_url": "The API’s root, such as https://api.openai.com/v1.",
            "key_variable": "The name of a variable that holds the key, such as OPENAI_API_KEY.",
            "json_support": "What holds replies to JSON. Found out, it costs a refused request or two an episode.",
            "max_tokens": "Tokens, reasoning included.",
            "temperature": "Left empty, the endpoint decides.",
            "timeout_s": "Seconds for one request.",
            "patience_s": "Seconds for one answer, all retries together.",
            "prompt_price": "US dollars per million tokens.",
            "completion_price": "US dollars per million tokens, reasoning included.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.has_cleared_key = False
        self._before = ModelEndpoint.objects.filter(pk=self.instance.pk).first()
        for name, lowest, highest, step in (
            ("max_tokens", 1, 1_000_000, 1),
            ("temperature", 0, 2, "any"),
            ("timeout_s", 1, 3_600, "any"),
            ("patience_s", 1, 14_400, "any"),
            ("prompt_price", 0, 100_000, "any"),
            ("completion_price", 0, 100_000, "any"),
        ):
            self.bound(name, lowest, highest)
            self.fields[name].widget.attrs["step"] = step
            if isinstance(value := self.initial.get(name), float):
                self.initial[name] = f"{value:g}"
        if self.instance.extra_body:
            self.initial["extra_body"] = json.dumps(self.instance.extra_body, indent=2)
        if self.has_stored_key:
            self.fields["key"].help_text += " Left empty, the stored key stays."
        else:
            del self.fields["remove_key"]

    @property
    def has_stored_key(self) -> bool:
        """Whether the endpoint being changed has a stored key."""
        return bool(self._before and self._before.key_token)

    def clean_base_url(self) -> str:
        """One that the operator allows; what its host stands for is looked up when it is asked."""
        url: str = self.cleaned_data["base_url"]
        try:
            address_policy().check_url(url)
        except AddressError as fault:
            raise forms.ValidationError(f"{fault}.") from fault
        return url

    def clean_key(self) -> str:
        """One that can stand in a request's head."""
        key: str = self.cleaned_data["key"]
        if key and not _SECRET.fullmatch(key):
            raise forms.ValidationError("A key has no spaces and no letters beyond A–Z. Copy it again.")
        return key

    def clean_key_variable(self) -> str:
        """A variable made for the purpose, so that no other secret of the machine can be sent somewhere."""
        name: str = self.cleaned_data["key_variable"]
        if name and not _VARIABLE.fullmatch(name):
            raise forms.ValidationError(
                "Write the variable’s name, in capitals and ending in _API_KEY, such as OPENAI_API_KEY."
            )
        return name

    def clean_extra_body(self) -> dict[str, Any]:
        """A JSON object that leaves alone what has a field of its own."""
        text = self.cleaned_data["extra_body"].strip()
        if not text:
            return {}
        try:
            value = json.loads(text, parse_constant=_no_number)
        except (ValueError, RecursionError) as fault:
            raise forms.ValidationError(
                f'This is not JSON ({fault}). Write an object, such as {{"reasoning_effort": "low"}}.'
            ) from fault
        if not isinstance(value, dict):
            raise forms.ValidationError('Write a JSON object, such as {"reasoning_effort": "low"}.')
        if taken := sorted(RESERVED & value.keys()):
            raise forms.ValidationError(
                f"Set here only what has no field of its own; leave out {', '.join(taken)}."
            )
        return value

    def clean(self) -> dict[str, Any]:
        """What must fit together."""
        data = super().clean() or {}
        if data.get("key") and data.get("key_variable"):
            self.add_error("key_variable", "Give a key or the name of a variable, not both.")
        if data.get("key") and data.get("remove_key"):
            self.add_error("remove_key", "Give a new key or remove the stored one, not both.")
        prompt, completion = data.get("prompt_price"), data.get("completion_price")
        if not {"prompt_price", "completion_price"} & self.errors.keys() and (prompt is None) != (
            completion is None
        ):
            self.add_error(
                "prompt_price" if prompt is None else "completion_price",
                "Give both prices or neither; write 0 for what costs nothing.",
            )
        if "name" not in self.errors:
            self._check_label(data)
        timeout, patience = data.get("timeout_s"), data.get("patience_s")
        if timeout is not None and patience is not None and patience < timeout:
            self.add_error("patience_s", "Must not be shorter than the time-out of one request.")
        return data

    def _check_label(self, data: dict[str, Any]) -> None:
        """Results of a scripted server must be told from a model's wherever they are shown: by the name."""
        is_labelled = data.get("name", "").lower().startswith(SCRIPTED_PREFIX)
        if data.get("declares_latency") and not is_labelled:
            self.add_error(
                "name", f"A scripted server’s name must begin with {SCRIPTED_PREFIX}, so that it shows."
            )
        elif is_labelled and not data.get("declares_latency"):
            self.add_error("name", f"{SCRIPTED_PREFIX}… is for scripted servers; choose another name.")

    def _post_clean(self) -> None:
        """Encrypt the key while the form can still say that it cannot."""
        super()._post_clean()  # type: ignore[misc] # documented for model forms, missing in the stubs
        if self.errors:
            return
        self.instance.extra_body = self.cleaned_data["extra_body"]
        try:
            self._take_key()
        except SettingsError as fault:
            self.add_error("key", str(fault))

    def _take_key(self) -> None:
        has_moved = bool(self._before and self._before.base_url != self.instance.base_url)
        if self.cleaned_data["key"]:
            self.instance.store_key(self.cleaned_data["key"])
        elif self.cleaned_data.get("remove_key") or self.instance.key_variable:
            self.instance.key_token = ""
        elif has_moved and self.has_stored_key:
            self.instance.key_token = ""
            self.has_cleared_key = True


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON number")
