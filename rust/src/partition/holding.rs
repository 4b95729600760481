//! Records that hold terms and may be found: what a phrase is looked for in.

use super::{Partition, Scope};
use crate::error::Result;
use crate::records::Selection;

impl Partition {
    /// The records inside a scope that can be found and hold one term of each of some groups, in whichever field; in the
    /// order of the directory.
    ///
    /// # Errors
    /// As [`Partition::propose`].
    pub fn holding(&self, groups: &[Vec<String>], scope: &Scope<'_>) -> Result<Vec<u32>> {
        let allowed = self.allowed(scope)?.records.as_ref().map(Selection::from);
        let mut numbers = self.lexical.holding(groups, scope.cells);
        numbers.retain(|&number| allowed.as_ref().is_none_or(|allowed| allowed.holds(number)));
        Ok(self.in_order(numbers))
    }
}
