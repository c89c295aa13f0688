"""Review notes: a model proposes, code checks, a second call confirms; few are left."""
