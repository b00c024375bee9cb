"""A day of traffic ahead: LSTM encoder–decoders that predict their own errors."""

from pathlib import Path

NAME = "traffic"
"""The name of its page and of the folder of its results."""
TEMPLATE = Path(__file__).with_name("page.md.jinja")
