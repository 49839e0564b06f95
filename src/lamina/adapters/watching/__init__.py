"""Making refusals known: to the log, and to Sentry where it is installed."""
