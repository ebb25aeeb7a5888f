"""What all pages share: the dashboard command, middleware, error pages."""
