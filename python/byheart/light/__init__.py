"""Light imports: dataclasses that are made quickly, and expressions that are compiled at their first use."""
