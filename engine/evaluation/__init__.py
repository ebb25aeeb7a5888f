"""Folds that judge an episode: timeline, step breakdown, scores."""
