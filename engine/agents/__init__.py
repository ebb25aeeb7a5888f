"""What agents can do and who decides for them: the action space, plans, and policies."""
