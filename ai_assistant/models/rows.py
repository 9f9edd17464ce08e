"""What all tables of the app have in common."""

from django.db import models
from django.utils.text import capfirst


class NamedRow(models.Model):
    """A row, which lists and titles of the admin call by what it is, and its number."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{capfirst(self._meta.verbose_name)} {self.pk}"
