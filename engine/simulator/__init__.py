"""The embedded world: faithful to Minecraft's rules, event-driven, thousands of times faster than real time."""
