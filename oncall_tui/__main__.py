"""``python -m oncall_tui`` is ``oncall``."""

import sys

from oncall_tui.cli.main import main

sys.exit(main())
