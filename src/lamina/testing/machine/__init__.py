"""The parts of the state machine: its model, what it writes, and what it asks."""
