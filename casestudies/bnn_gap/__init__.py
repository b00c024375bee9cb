"""A Bayesian network with a gap in its data, against a band of constant width."""
