//! What a hypervector index is made with and keeps for life: its fields, and how they become one score.

use super::hypervector::HyperVector;
use crate::error::{Error, Result};
use crate::ids::MAX_ID_BYTES;

/// The most fields an index may have.
pub const MAX_FIELDS: usize = 32;

/// How the scores of several fields become the score of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// The weighted sum; a missing field adds nothing (spec B1.35).
    Sum,
    /// The weighted sum for records that have every field. For others the weighted mean over the fields that
    /// record and query have, each field score in proportion to what bundles of such sizes can reach.
    Adaptive,
}

impl Combine {
    /// `sum` or `adaptive`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for any other name.
    pub fn from_name(name: &str) -> Result<Self> {
        match name {
            "sum" => Ok(Self::Sum),
            "adaptive" => Ok(Self::Adaptive),
            _ => Err(Error::invalid("combine", format!("{name:?} is neither \"sum\" nor \"adaptive\""))),
        }
    }

    /// The name that [`Combine::from_name`] reads.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Adaptive => "adaptive",
        }
    }
}

/// A field of a record and its weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The name by which vectors are given.
    pub name: String,
    /// Factor of the field's score, at least 0.
    pub weight: f64,
}

/// The settings of an index.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    fields: Vec<Field>,
    combine: Combine,
    floor: f64,
}

/// The vectors of a record or of a query. A zero vector counts as a missing one.
#[derive(Debug, Clone, PartialEq)]
pub enum Vectors {
    /// For an index without fields.
    One(HyperVector),
    /// (field, vector), for an index with fields; at least one, each field once.
    Fields(Vec<(String, HyperVector)>),
}

impl Settings {
    /// One vector a record; its similarity is the score.
    #[must_use]
    pub fn whole() -> Self {
        Self { fields: Vec::new(), combine: Combine::Sum, floor: 0.0 }
    }

    /// Several named vectors a record, in the order in which their scores are added.
    ///
    /// With [`Combine::Sum`] a record is a hit if its score is above `floor`. With [`Combine::Adaptive`] that
    /// holds for records with every field; for others a field score counts if it is above `floor`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] or [`Error::LimitExceeded`] naming the value.
    ///
    /// ```
    /// use byheart_core::hdc::{Combine, Field, Settings};
    /// let field = |name: &str, weight| Field { name: name.into(), weight };
    /// assert!(Settings::new(vec![field("topic", 0.35), field("claim", 0.35)], Combine::Sum, 0.05).is_ok());
    /// assert!(Settings::new(vec![field("topic", -1.0)], Combine::Sum, 0.05).is_err());
    /// ```
    pub fn new(mut fields: Vec<Field>, combine: Combine, floor: f64) -> Result<Self> {
        if fields.is_empty() {
            return Err(Error::invalid("fields", "is empty; name at least one field"));
        }
        if fields.len() > MAX_FIELDS {
            return Err(Error::limit("number of fields", MAX_FIELDS, fields.len()));
        }
        for at in 0..fields.len() {
            let (before, Field { name, weight }) = (&fields[..at], &fields[at]);
            if name.is_empty() || name.len() > MAX_ID_BYTES {
                return Err(Error::invalid("fields", "a field name has 1 to 512 bytes"));
            }
            if before.iter().any(|other| other.name == *name) {
                return Err(Error::invalid("fields", format!("{name:?} is named twice")));
            }
            let what = format!("weight of field {name:?}");
            fields[at].weight = checked(&what, *weight)?;
        }
        Ok(Self { fields, combine, floor: checked("floor", floor)? })
    }

    /// [`Settings::new`] for fields, [`Settings::whole`] for `None`; then there is nothing to combine, so anything
    /// but "sum" and 0 is refused.
    ///
    /// # Errors
    /// As [`Settings::new`] and [`Combine::from_name`].
    pub fn from_parts(fields: Option<Vec<Field>>, combine: &str, floor: f64) -> Result<Self> {
        let combine = Combine::from_name(combine)?;
        match fields {
            Some(fields) => Self::new(fields, combine, floor),
            None if combine == Combine::Sum && floor == 0.0 => Ok(Self::whole()),
            None => Err(Error::invalid("fields", "are needed where combine or floor are given")),
        }
    }

    /// The fields in the order of summation; empty for an index with one vector a record.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// How field scores are combined.
    #[must_use]
    pub fn combine(&self) -> Combine {
        self.combine
    }

    /// Scores must lie above it.
    #[must_use]
    pub fn floor(&self) -> f64 {
        self.floor
    }

    /// How many vectors a record can have.
    pub(super) fn columns(&self) -> usize {
        self.fields.len().max(1)
    }

    /// The vector for each column; `None` where there is none or a zero vector.
    pub(super) fn by_column<'v>(&self, vectors: &'v Vectors) -> Result<Vec<Option<&'v HyperVector>>> {
        let present = |vector: &'v HyperVector| Some(vector).filter(|v| !v.is_zero());
        match vectors {
            Vectors::One(vector) if self.fields.is_empty() => Ok(vec![present(vector)]),
            Vectors::One(_) => {
                Err(Error::invalid("vectors", format!("this index has the fields {}; give a mapping", self.names())))
            }
            Vectors::Fields(_) if self.fields.is_empty() => {
                Err(Error::invalid("vectors", "this index has no fields; give one hypervector, not a mapping"))
            }
            Vectors::Fields(given) if given.is_empty() => Err(Error::invalid(
                "vectors",
                format!("is an empty mapping; this index has the fields {}", self.names()),
            )),
            Vectors::Fields(given) => {
                let mut columns = vec![None; self.fields.len()];
                let mut seen = vec![false; self.fields.len()];
                for (name, vector) in given {
                    let column = self.fields.iter().position(|field| field.name == *name).ok_or_else(|| {
                        Error::invalid("vectors", format!("unknown field {name:?}; this index has {}", self.names()))
                    })?;
                    if std::mem::replace(&mut seen[column], true) {
                        return Err(Error::invalid("vectors", format!("field {name:?} is given twice")));
                    }
                    columns[column] = present(vector);
                }
                Ok(columns)
            }
        }
    }

    fn names(&self) -> String {
        self.fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(", ")
    }
}

fn checked(what: &str, value: f64) -> Result<f64> {
    if value.is_finite() && (0.0..=1e6).contains(&value) {
        return Ok(value + 0.0); // -0 becomes 0, so that equal settings have equal bytes
    }
    Err(Error::invalid(what, format!("is {value}; it must lie between 0 and 1000000")))
}
