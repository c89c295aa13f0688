"""The Sidelight bot: what it does on a pull request."""
