//! Placeholder: this room is furnished in one of the next commits.
