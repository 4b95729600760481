"""Bridges to other people's software: each imports it on use, and nothing in byheart imports a bridge."""
