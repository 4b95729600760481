"""Attributes that are worked out when they are first asked for, without a lock.

The standard library's `cached_property` holds one for all objects of a class while it works (until Python 3.12): a
process that is forked meanwhile has a child that waits for ever. Here two threads that ask at once both work, and
have what the first of them found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["once"]

if TYPE_CHECKING:
    from functools import cached_property as once
else:

    class once:  # it stands where the standard library's does
        """A method whose value is kept as an attribute of the object.

        >>> class Circle:
        ...     @once
        ...     def area(self):
        ...         print("worked out")
        ...         return 3.0
        >>> circle = Circle()
        >>> circle.area, circle.area
        worked out
        (3.0, 3.0)
        """

        def __init__(self, work):
            self._work, self._name, self.__doc__ = work, work.__name__, work.__doc__

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            return instance.__dict__.setdefault(self._name, self._work(instance))
