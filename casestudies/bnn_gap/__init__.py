"""A Bayesian neural network with a gap in its data, held against a constant band."""
