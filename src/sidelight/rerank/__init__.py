"""Score a query against texts, pair by pair, with a cross-encoder that the user supplies."""
