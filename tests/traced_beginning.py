"""Coverage of the beginning of each test: measuring all of it would take as long as the tests themselves.

While Python reports each line to coverage.py, it runs about half as fast. What a test covers it covers early: the
hundredth example of a law runs the same lines as the first ones. So each test is traced for half a second of
processor time, and runs at full speed from then on. Coverage is never overstated: lines that only a later part of a
test runs count as not covered.
"""

from __future__ import annotations

import signal
import sys
from contextlib import contextmanager

SECONDS = 0.5


@contextmanager
def traced_beginning():
    """Stop tracing after a while, and go on with it afterwards; do nothing where nothing is traced."""
    tracer = sys.gettrace()
    if tracer is None or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGVTALRM, lambda *_: sys.settrace(None))
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        sys.settrace(tracer)
