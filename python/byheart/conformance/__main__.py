"""The command `python -m byheart.conformance`."""

import sys

from .runner import main

sys.exit(main())
