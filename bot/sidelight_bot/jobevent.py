"""Read the event of a job from its file. Nothing is decided here."""

from __future__ import annotations

import json
from typing import Any

from sidelight_bot.events import Event, parse_event
from sidelight_bot.payload import PayloadError
from sidelight_bot.settings import Settings

MAX_EVENT_BYTES = 32 << 20  # GitHub caps payloads at 25 MB


def read_event(settings: Settings) -> Event:
    """Return the job's event.

    Raises:
        PayloadError: there is none, it cannot be read, or it is one of another repository.
    """
    job = settings.job
    if job.event_path is None or not job.event_name:
        raise PayloadError(
            "there is no event", hint="GITHUB_EVENT_NAME and GITHUB_EVENT_PATH name it"
        )
    try:
        data = job.event_path.read_bytes()
        payload: Any = json.loads(data) if len(data) <= MAX_EVENT_BYTES else None
    except (OSError, ValueError, RecursionError) as error:
        raise PayloadError(f"the event's file cannot be read: {type(error).__name__}") from error
    event = parse_event(job.event_name, payload)
    repo = getattr(event, "repo", None)
    if repo is not None and (job.repo is None or repo.slug.lower() != job.repo.slug.lower()):
        raise PayloadError(
            "the event is not one of this job's repository", hint="see GITHUB_REPOSITORY"
        )
    return event
