"""Controls for the values of parameters."""
