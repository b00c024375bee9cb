"""All targets by name."""

from __future__ import annotations

from fuzz import arguments, checkpoints, engines, files, large, metrics, numbers, pages, sketches

TARGETS = {
    "numbers": numbers.TARGET,
    "metrics": metrics.TARGET,
    "arguments": arguments.TARGET,
    "files": files.TARGET,
    "sketches": sketches.TARGET,
    "checkpoints": checkpoints.TARGET,
    "kills": checkpoints.KILLS,
    "pages": pages.TARGET,
    "engines": engines.TARGET,
    "large": large.TARGET,
}
