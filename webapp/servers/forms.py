"""Adding and changing a Minecraft server, and asking for a check."""

from __future__ import annotations

import re
from typing import Any

from django import forms

from engine.addresses import AddressError
from engine.errors import EngineError, SettingsError
from engine.minecraft.arguments import player
from engine.minecraft.rcon import COMMAND_BYTES
from engine.minecraft.servers import FARTHEST
from engine.minecraft.versions import FIRST, LAST, is_known
from webapp.core.forms import NamedForm
from webapp.servers.models import MinecraftServer
from webapp.servers.registry import address_policy

LAST_PORT = 65_535
MOVED = (
    "The host or the RCON port has changed. Type the password once more: it is not sent elsewhere unasked."
)

_HOST = re.compile(r"[A-Za-z0-9_.-]+|\[?[0-9A-Fa-f:.]+\]?")


class ServerForm(NamedForm[MinecraftServer]):
    """A server's settings. A password goes in and never comes out again."""

    what = "server"
    taken = ("new", "embedded")
    write_only = "password"

    password = forms.CharField(
        label="RCON password",
        required=False,
        strip=False,
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text="As rcon.password in server.properties. Stored encrypted and never shown again.",
    )

    class Meta:
        model = MinecraftServer
        fields = ["name", "host", "port", "version", "rcon_port", "origin_x", "origin_z"]
        labels = {
            "host": "Host",
            "rcon_port": "RCON port",
            "origin_x": "Origin x",
            "origin_z": "Origin z",
        }
        help_texts = {
            "name": "What you call it in launches, without spaces. Runs remember it by this name.",
            "host": "A host name or an address, such as mc.example or 10.0.0.5.",
            "port": "For players: server-port in server.properties.",
            "version": f"From {FIRST} to {LAST}, such as 1.20.4. Left empty, the server is asked.",
            "rcon_port": "As rcon.port in server.properties; enable-rcon must be true there.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._before = MinecraftServer.objects.filter(pk=self.instance.pk).first()
        for name, lowest, highest in (
            ("port", 1, LAST_PORT),
            ("rcon_port", 1, LAST_PORT),
            ("origin_x", -FARTHEST, FARTHEST),
            ("origin_z", -FARTHEST, FARTHEST),
        ):
            self.bound(name, lowest, highest, "whole number")
            self.fields[name].error_messages["invalid"] = "Write a whole number."
        if self._before is not None:
            self.fields["password"].help_text += " Left empty, the stored password stays."

    def clean_host(self) -> str:
        """One that the operator allows; what it stands for is looked up when it is connected to."""
        host: str = self.cleaned_data["host"]
        if not _HOST.fullmatch(host):
            raise forms.ValidationError(
                "Write a host name or an address alone, such as mc.example or 10.0.0.5. The port has its own field."
            )
        try:
            address_policy().check_host(host)
        except AddressError as fault:
            raise forms.ValidationError(f"{fault}.") from fault
        return host

    def clean_version(self) -> str:
        """A release whose commands are known."""
        version: str = self.cleaned_data["version"]
        try:
            if version and not is_known(version):
                raise forms.ValidationError(f"{version} is not known. Use a release from {FIRST} to {LAST}.")
        except SettingsError as fault:
            raise forms.ValidationError(f"{fault}.") from fault
        return version

    def clean_password(self) -> str:
        """One that fits into a packet."""
        password: str = self.cleaned_data["password"]
        if not password.isprintable():
            raise forms.ValidationError("A password has no line breaks or control characters. Copy it again.")
        if len(password.encode()) > COMMAND_BYTES:
            raise forms.ValidationError("The password is too long for RCON.")
        return password

    def clean(self) -> dict[str, Any]:
        """A password stays only with the place that it was given for."""
        data = super().clean() or {}
        if self.errors or data["password"]:
            return data
        if self._before is None:
            self.add_error("password", "Give the RCON password: without it nothing can be built there.")
        elif any(getattr(self._before, name) != data[name] for name in ("host", "rcon_port")):
            self.add_error("password", MOVED)
        return data

    def _post_clean(self) -> None:
        """Encrypt the password while the form can still say that it cannot."""
        super()._post_clean()  # type: ignore[misc] # documented for model forms, missing in the stubs
        if self.errors or not self.cleaned_data["password"]:
            return
        try:
            self.instance.store_password(self.cleaned_data["password"])
        except SettingsError as fault:
            self.add_error("password", str(fault))


class CheckForm(forms.Form):
    """What a check may use besides the server."""

    player = forms.CharField(
        label="Player who is online",
        required=False,
        max_length=16,
        widget=forms.TextInput(attrs={"class": "form-control", "autocomplete": "off"}),
        help_text="Is given two gold ores and a wooden pickaxe, which are taken away again.",
    )

    def clean_player(self) -> str:
        """A name that a player can have."""
        name: str = self.cleaned_data["player"]
        try:
            if name:
                player(name)
        except EngineError as fault:
            raise forms.ValidationError(f"{fault}.") from fault
        return name
