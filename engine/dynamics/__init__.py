"""What happens to the world by itself: scheduled events, what they spawn, and what vanishes again."""
