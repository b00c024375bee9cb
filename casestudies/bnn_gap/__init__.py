"""A Bayesian neural network with a gap in its data, compared with a constant band."""

from pathlib import Path

NAME = "bnn-gap"
"""The name of its page and of the folder of its results."""
TEMPLATE = Path(__file__).with_name("page.md.jinja")
