"""Language models that episodes can ask: where they are, what they cost, and their keys."""
