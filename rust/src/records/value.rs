//! A value that a field of a record has: a text, a number or a flag.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::error::{Error, Result};

/// One value. Values of different kinds are never equal: the flag `true` is not the number 1.
///
/// ```
/// use byheart_core::records::Value;
///
/// assert_eq!(Value::number(1.0)?, Value::whole(1));
/// assert_ne!(Value::from(true), Value::whole(1));
/// assert!(Value::from("a") < Value::from("b"));
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// True or false.
    Flag(bool),
    /// A finite number.
    Number(Number),
    /// A text, ordered by its code points.
    Text(Arc<str>),
}

/// A finite number. Whole numbers of up to 106 bits keep all their digits: ids in the metadata of chats have more than
/// the 53 that a float holds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Number {
    near: f64,
    rest: f64, // what rounding took away from a whole number
}

impl Number {
    /// The number as near as an `f64` comes.
    #[must_use]
    pub fn get(self) -> f64 {
        self.near
    }

    /// The number without a fraction that this is.
    #[must_use]
    pub fn as_whole(self) -> Option<i128> {
        let is_whole = self.near.fract() == 0.0 && self.near.abs() < 1e38;
        is_whole.then(|| (self.near as i128).saturating_add(self.rest as i128))
    }

    /// What is missing from that, for a whole number of more digits; else 0.
    #[must_use]
    pub(super) fn rest(self) -> f64 {
        self.rest
    }

    /// The number of these two parts, as bytes give them back.
    pub(super) fn of_parts(near: f64, rest: f64) -> Self {
        Self { near: near + 0.0, rest: rest + 0.0 } // there is one zero
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.near.total_cmp(&other.near).then(self.rest.total_cmp(&other.rest))
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}

impl Value {
    /// A number.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for NaN and infinities.
    pub fn number(value: f64) -> Result<Self> {
        if value.is_finite() {
            return Ok(Self::Number(Number::of_parts(value, 0.0)));
        }
        Err(Error::invalid("number", format!("is {value}; give one that is finite")))
    }

    /// A whole number.
    #[must_use]
    pub fn whole(value: i128) -> Self {
        let near = value as f64;
        Self::Number(Number { near, rest: (value - near as i128) as f64 })
    }

    /// True if both are texts, both numbers or both flags.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.into())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn there_is_one_zero_and_no_infinity() {
        assert_eq!(Value::number(-0.0).unwrap(), Value::whole(0));
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(matches!(Value::number(bad), Err(Error::InvalidArgument { .. })));
        }
        assert!(Value::whole(i128::MIN) < Value::whole(i128::MAX));
    }

    proptest! {
        #[test]
        fn whole_numbers_are_compared_to_the_last_digit(near in any::<i64>(), step in -3_i128..=3) {
            let (one, other) = (i128::from(near), i128::from(near) + step);
            prop_assert_eq!(Value::whole(one).cmp(&Value::whole(other)), one.cmp(&other));
            let Value::Number(number) = Value::whole(one) else { unreachable!() };
            prop_assert_eq!(number.as_whole(), Some(one));
        }

        #[test]
        fn numbers_are_compared_as_floats_are(one in -1e300..1e300, other in -1e300..1e300) {
            let compared = Value::number(one).unwrap().partial_cmp(&Value::number(other).unwrap());
            prop_assert_eq!(compared, f64::partial_cmp(&one, &other));
        }
    }
}
