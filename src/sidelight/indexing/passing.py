"""Views that a command made for one answer, such as `related --head X`.

They are not listed, and only the newest few are kept, for the next answer about the same revision.
"""

from __future__ import annotations

from sidelight.indexing.place import Place
from sidelight.store.database import Database, database_path
from sidelight.store.views import list_views
from sidelight.store.writer import drop_view

PREFIX = "passing/"
KEPT = 4  # two answers about a base and a head


def passing_view(name: str) -> str:
    """Return the name of the view that shows what `name`, unique to a tree, stands for."""
    return PREFIX + name


def view_names(place: Place) -> frozenset[str]:
    """Return the names of all views; none if there is no index yet."""
    if not database_path(place.directory).exists():
        return frozenset()
    with Database.open(place.directory, place.identity) as database, database.read() as connection:
        return frozenset(view.name for view in list_views(connection))


def forget_passing(place: Place, kept: int = KEPT) -> int:
    """Drop all passing views but the `kept` newest; return how many were dropped.

    Their documents stay until garbage is collected, so that a later answer parses nothing again.
    """
    with Database.open(place.directory, place.identity) as database:
        with database.read() as connection:
            views = [view for view in list_views(connection) if view.name.startswith(PREFIX)]
        views.sort(key=lambda view: (-view.generation, view.name))
        if not views[kept:]:
            return 0  # and nothing is written: the index may be read-only
        with database.write() as connection:
            return sum(drop_view(connection, view.name) for view in views[kept:])
