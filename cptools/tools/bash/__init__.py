"""The bash tool: run a command to its end or its deadline, keep its output, leave no process behind."""
