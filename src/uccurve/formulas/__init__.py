"""Pure array functions: formulas, no checks. Each takes the array namespace ``xp`` first.

Notation: a row has the absolute residual ``abs_error`` = |e|, the *active* band on the side of the
observation, the *passive* band on the other side, and a weight. Sums are returned undivided;
the caller divides by the total weight.
"""
