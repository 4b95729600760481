"""The indexes of a memory: one partition a tenant, kept at what the store says, and saved in generations."""
