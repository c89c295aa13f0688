"""The edge to GitHub: `port` says what is needed, `adapter` does it; nobody else knows HTTP."""
