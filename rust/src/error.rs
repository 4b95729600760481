//! The one error type of the core. Each variant says what is wrong, where, and what to do about it.

use thiserror::Error as ThisError;

/// What a call of the core answers.
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that can go wrong in the core. `binding` maps each variant to one Python exception.
#[derive(Debug, Clone, PartialEq, Eq, ThisError)]
pub enum Error {
    /// An argument is outside its documented domain.
    #[error("{what}: {why}")]
    InvalidArgument {
        /// The argument's name as the caller writes it.
        what: String,
        /// What is wrong with it, and what would be right.
        why: String,
    },
    /// A documented limit was exceeded; nothing was allocated or changed.
    #[error("{what}: {got} is over the limit of {limit}")]
    LimitExceeded {
        /// What is limited, with its unit.
        what: String,
        /// The largest value allowed.
        limit: u64,
        /// What was asked for.
        got: u64,
    },
    /// Bytes that should hold an index are damaged or are something else.
    #[error("damaged index bytes, section {section}: {why}")]
    Corrupt {
        /// Which section of the file.
        section: String,
        /// What was found there.
        why: String,
    },
    /// Bytes written in another format, an older or a newer one.
    #[error(
        "index format {found} cannot be read: this version reads format {supported}; rebuild the index from its records"
    )]
    UnsupportedFormat {
        /// The version found in the header.
        found: u32,
        /// The version this build reads.
        supported: u32,
    },
    /// An index was asked that is made on first use, and has not been made yet.
    #[error("the index of {what} has not been made yet; make it and ask again")]
    NotMade {
        /// What it is of.
        what: &'static str,
    },
}

impl Error {
    /// Shorthand for [`Error::InvalidArgument`].
    pub fn invalid(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self::InvalidArgument { what: what.into(), why: why.into() }
    }

    /// Shorthand for [`Error::LimitExceeded`].
    pub fn limit(what: impl Into<String>, limit: usize, got: usize) -> Self {
        Self::LimitExceeded { what: what.into(), limit: limit as u64, got: got as u64 }
    }

    /// Shorthand for [`Error::Corrupt`].
    pub fn corrupt(section: impl Into<String>, why: impl Into<String>) -> Self {
        Self::Corrupt { section: section.into(), why: why.into() }
    }
}
