"""`python -m byheart` is the command `byheart`."""

from .cli import main

if __name__ == "__main__":
    raise SystemExit(main())
