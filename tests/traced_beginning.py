"""Coverage of the beginning of each test: measuring all of it would take as long as the tests themselves.

While Python reports each line to coverage.py, it runs about half as fast. What a test covers it covers early: the
hundredth example of a law runs the same lines as the first ones, and so does its tenth parameter. So all parameters of
a test share a fifth of a second of processor time in which they are traced, each has at least a little of it, and they run
at full speed from then on. Coverage is never overstated: lines that only a later part of a test runs count as not
covered.
"""

from __future__ import annotations

import signal
import sys
import time
from collections import defaultdict
from contextlib import contextmanager

TOGETHER = 0.2
AT_LEAST = 0.02
_USED = defaultdict(float)


@contextmanager
def traced_beginning(function):
    """Stop tracing after a while, and go on with it afterwards; do nothing where nothing is traced."""
    tracer = sys.gettrace()
    if tracer is None or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGVTALRM, lambda *_: sys.settrace(None))
    start = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, max(TOGETHER - _USED[function], AT_LEAST))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        sys.settrace(tracer)
        _USED[function] += time.process_time() - start
