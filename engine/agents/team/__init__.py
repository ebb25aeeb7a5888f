"""Teams that a language model plays: what agents know, what they are told, and how their replies become plans."""
