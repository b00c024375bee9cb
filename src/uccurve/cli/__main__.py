"""Run the command line with ``python -m uccurve.cli``."""

import sys

from uccurve.cli import main

sys.exit(main())
