"""A day of traffic ahead: LSTM encoder–decoders that say how far off they may be."""

from pathlib import Path

NAME = "traffic"
"""What its page and the folder of its results are called."""
TEMPLATE = Path(__file__).with_name("page.md.jinja")
