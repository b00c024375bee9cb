"""
Room not needed, room missing
=============================

Excess and deficit have the unit of y, so that a cost can weigh them. The star is the cheapest scaling.
"""

import uccurve as uc
from uccurve.datasets import make_crossing

models = make_crossing().models
display = uc.UCCDisplay(models, x="excess", y="deficit").plot(cost=0.2)
display.ax_.set_title("Room missing against room not needed")

for name, curve in ((name, rows.ucc()) for name, rows in models.items()):
    best = curve.minimize_cost(0.2, x="excess", y="deficit")
    print(
        f"{name}: multiply by {best.point.parameter:.2f}, cost {best.cost:.3f} instead of {best.original_cost:.3f}"
    )
