"""What every world shares: geometry, block and item rules, and the World protocol."""
