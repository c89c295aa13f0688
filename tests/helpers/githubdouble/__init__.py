"""A stateful GitHub on a loopback port, checked against GitHub's own description; see `server`."""
