"""One episode: settings in, event log and result out."""
