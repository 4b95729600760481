//! What an index is made with and keeps for life: fields with weights, k1, b, analyzer.

use crate::error::{Error, Result};
use crate::text::Analyzer;

/// The most fields an index may have.
pub const MAX_FIELDS: usize = 64;

/// The longest text of one field in bytes.
pub const MAX_TEXT_BYTES: usize = 10_000_000;

/// The longest query in bytes.
pub const MAX_QUERY_BYTES: usize = 1_000_000;

/// The most distinct terms of a query.
pub const MAX_QUERY_TERMS: usize = 4_096;

/// A searchable field. A weight of 0 means 0: its text counts for document frequency only.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The name by which documents give it.
    pub name: String,
    /// Factor of every contribution from this field, at least 0.
    pub weight: f64,
}

/// The settings of an index.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// In the order of summation.
    pub fields: Vec<Field>,
    /// How soon repetitions stop counting; at least 0.
    pub k1: f64,
    /// How much the length of a field counts; 0 to 1.
    pub b: f64,
    /// How text becomes terms.
    pub analyzer: Analyzer,
}

impl Settings {
    /// Checks every value.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] or [`Error::LimitExceeded`] naming the value.
    pub fn new(fields: Vec<Field>, k1: f64, b: f64, analyzer: Analyzer) -> Result<Self> {
        if fields.is_empty() {
            return Err(Error::invalid("fields", "is empty; name at least one field"));
        }
        if fields.len() > MAX_FIELDS {
            return Err(Error::limit("number of fields", MAX_FIELDS, fields.len()));
        }
        for (at, field) in fields.iter().enumerate() {
            if field.name.is_empty() || field.name.len() > crate::ids::MAX_ID_BYTES {
                return Err(Error::invalid("fields", "a field name has 1 to 512 bytes"));
            }
            if fields[..at].iter().any(|other| other.name == field.name) {
                return Err(Error::invalid("fields", format!("{:?} is named twice", field.name)));
            }
            let place = format!("weight of field {:?}", field.name);
            check_range(&place, field.weight, 0.0, 1e6)?;
        }
        check_range("k1", k1, 0.0, 1e6)?;
        check_range("b", b, 0.0, 1.0)?;
        Ok(Self { fields, k1, b, analyzer })
    }

    /// The number of the field with this name.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] naming the fields there are.
    pub fn field(&self, name: &str) -> Result<usize> {
        self.fields.iter().position(|field| field.name == name).ok_or_else(|| {
            let known: Vec<&str> = self.fields.iter().map(|field| field.name.as_str()).collect();
            Error::invalid("documents", format!("unknown field {name:?}; this index has {}", known.join(", ")))
        })
    }
}

/// Refuses NaN, infinities and values outside `low..=high`.
pub(super) fn check_range(what: &str, value: f64, low: f64, high: f64) -> Result<()> {
    if value.is_finite() && (low..=high).contains(&value) {
        Ok(())
    } else {
        Err(Error::invalid(what, format!("is {value}; it must lie between {low} and {high}")))
    }
}
