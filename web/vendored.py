"""Loads Evennia's templates with the libraries of `static/vendor`, not those on the internet."""

import re

from django.template.loaders import filesystem
from django.templatetags.static import static

_ABROAD = re.compile(
    r'"https://[^"\s]+/(?P<name>bootstrap|jquery|popper|favico|goldenlayout(?:-base|-dark-theme)?)'
    r'(?:-[\d.]+)?(?:\.slim)?(?:\.min)?\.(?P<kind>css|js)"(?: integrity="[^"]*")?'
)


class Loader(filesystem.Loader):
    """Django's loader of files; addresses of libraries that are here become ours."""

    def get_contents(self, origin):
        """Return a template's source, local as far as it can be."""
        return _ABROAD.sub(_at_home, super().get_contents(origin))


def _at_home(found):
    return '"{}"'.format(static("vendor/{name}.{kind}".format(**found.groupdict())))
