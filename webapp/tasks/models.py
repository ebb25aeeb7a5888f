"""Suites and tasks as the library stores them."""

from __future__ import annotations

from django.db import models
from django.urls import reverse


class Suite(models.Model):
    """A named collection of tasks."""

    slug = models.SlugField(unique=True)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["title"]

    def __str__(self) -> str:
        """The title."""
        return self.title


class Task(models.Model):
    """One benchmark task: its YAML as written, and what lists and filters show of it.

    Attributes:
        yaml: the file's text; the engine reads this, all other fields are derived from it.
        digest: SHA-256 of the normalised task, as the event log records it.
        agents: number of agents.
        max_steps: length limit in steps (1 s of world time each).
    """

    class Source(models.TextChoices):
        """Where the task came from."""

        SAMPLE = "sample"
        UPLOAD = "upload"

    suite = models.ForeignKey(Suite, on_delete=models.CASCADE, related_name="tasks")
    slug = models.SlugField(max_length=80)
    title = models.CharField(max_length=200)
    type = models.CharField(max_length=40)
    goal = models.TextField(blank=True)
    yaml = models.TextField()
    digest = models.CharField(max_length=64)
    agents = models.PositiveIntegerField()
    max_steps = models.PositiveIntegerField()
    source = models.CharField(max_length=10, choices=Source.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["suite", "title"]
        constraints = [models.UniqueConstraint(fields=["suite", "slug"], name="task_slug_in_suite")]

    def __str__(self) -> str:
        """The title."""
        return self.title

    def get_absolute_url(self) -> str:
        """The task's page."""
        return reverse("tasks:task", args=[self.suite.slug, self.slug])
