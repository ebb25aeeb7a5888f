"""Language models: whoever answers a prompt, and what the answer cost."""
