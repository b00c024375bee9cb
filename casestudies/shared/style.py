"""Colors and dashes of the studies' figures."""

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""Okabe and Ito's colors, which color-blind readers can tell apart."""
DASHES = ("-", (0, (6, 1.5)), (0, (4, 1, 1, 1)), (0, (2, 1)), (0, (8, 1, 1, 1, 1, 1)))
"""Dashes tell lines apart in gray."""
GRAY = "0.35"
"""The color of everything that is not a model."""
