"""A small indexed repository that questions are asked of."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace

RETRIES = '''\
"""Send requests again when they fail."""


def wait_before_retry(attempt, retry_after=None):
    """Return the seconds to wait before the next attempt of a request."""
    if retry_after is not None:
        return retry_after  # the server knows best
    return 2**attempt


def send_with_retries(send, attempts=3):
    """Send a request, again if it fails, and wait between the attempts."""
    for attempt in range(attempts):
        try:
            return send()
        except OSError:
            pause(wait_before_retry(attempt))
    raise RuntimeError("every attempt to send the request failed")
'''
COOKIES = '''\
"""Cookies of a session."""


class CookieJar:
    """Holds cookies until they expire."""

    def store_cookie(self, name, value, expires):
        """Keep a cookie until it expires."""
        self.cookies[name] = (value, expires)

    def drop_expired_cookies(self, now):
        """Forget the cookies that have expired."""
        self.cookies = {n: c for n, c in self.cookies.items() if c[1] > now}
'''


@pytest.fixture
def work(tmp_path: Path) -> Workspace:
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("src/retries.py", RETRIES)
    repo.write("src/cookies.py", COOKIES)
    repo.write("README.md", "# A client\n\nSends requests and keeps cookies.\n")
    repo.commit("Add a client")
    work = Workspace.at(repo)
    work.refresh()
    return work
