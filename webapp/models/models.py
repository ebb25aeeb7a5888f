"""Model endpoints as they are stored."""

from __future__ import annotations

import os

from django.db import models
from django.urls import reverse

from webapp.core import encryption


class ModelEndpoint(models.Model):
    """A language model at an OpenAI-compatible endpoint; the fields mean what they mean in `engine.llm.endpoint`.

    Attributes:
        name: as in `--model NAME`.
        key_token: the key, encrypted; empty if none is stored.
        key_variable: the environment variable that holds the key; empty if none does.
        prompt_price, completion_price: US dollars per million tokens.
    """

    class JsonSupport(models.TextChoices):
        """How the endpoint can be held to JSON."""

        AUTO = "auto", "Find out"
        SCHEMA = "schema", "JSON schema"
        JSON = "json", "JSON mode"
        TEXT = "text", "Neither: plain text"

    name = models.CharField(max_length=60, unique=True)
    base_url = models.CharField(max_length=500)
    model = models.CharField(max_length=200)
    key_token = models.TextField(blank=True)
    key_variable = models.CharField(max_length=100, blank=True)
    json_support = models.CharField(max_length=10, choices=JsonSupport.choices, default=JsonSupport.AUTO)
    max_tokens = models.PositiveIntegerField(default=16_384)
    temperature = models.FloatField(null=True, blank=True)
    timeout_s = models.FloatField(default=180)
    patience_s = models.FloatField(default=600)
    prompt_price = models.FloatField(null=True, blank=True)
    completion_price = models.FloatField(null=True, blank=True)
    extra_body = models.JSONField(default=dict, blank=True)
    declares_latency = models.BooleanField(default=False)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        """The name."""
        return self.name

    def get_absolute_url(self) -> str:
        """The page that edits it."""
        return reverse("models:edit", args=[self.name])

    def store_key(self, key: str) -> None:
        """Keep a key, encrypted, in place of what there was; nothing is saved yet.

        Raises:
            SettingsError: keys cannot be stored until the operator says with what to encrypt them.
        """
        self.key_token = encryption.encrypt(key)
        self.key_variable = ""

    @property
    def key_words(self) -> str:
        """Where the key comes from, in words."""
        if self.key_token:
            return "stored, encrypted"
        if self.key_variable:
            is_set = bool(os.environ.get(self.key_variable))
            return f"from {self.key_variable}" + ("" if is_set else ", which is not set")
        return "none"
