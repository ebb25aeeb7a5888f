"""The stored event log, and showing it to watchers as it grows."""
