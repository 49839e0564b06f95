"""The parts of the machine that drives every verb: what it says, its model, and what it compares."""
