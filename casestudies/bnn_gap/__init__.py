"""A Bayesian neural network with a gap in its data, held against a constant band."""

from pathlib import Path

NAME = "bnn-gap"
"""What its page and the folder of its results are called."""
TEMPLATE = Path(__file__).with_name("page.md.jinja")
