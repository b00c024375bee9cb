"""Which loss learns bands best? Areas of the curve against likelihoods, quantiles and a meta-model."""

from pathlib import Path

NAME = "band-loss"
"""The name of its page and of the folder of its results."""
TEMPLATE = Path(__file__).with_name("page.md.jinja")
