//! One place where an error of the core becomes an exception of Python.

use pyo3::{PyErr, import_exception};

use crate::Error;

import_exception!(byheart.errors, CorruptIndex);
import_exception!(byheart.errors, IndexNotMade);
import_exception!(byheart.errors, InvalidArgument);
import_exception!(byheart.errors, LimitExceeded);
import_exception!(byheart.errors, UnsupportedFormat);

impl From<Error> for PyErr {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        match error {
            Error::InvalidArgument { .. } => InvalidArgument::new_err(message),
            Error::LimitExceeded { .. } => LimitExceeded::new_err(message),
            Error::Corrupt { .. } => CorruptIndex::new_err(message),
            Error::UnsupportedFormat { .. } => UnsupportedFormat::new_err(message),
            Error::NotMade { .. } => IndexNotMade::new_err(message),
        }
    }
}
