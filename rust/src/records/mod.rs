//! The directory of records: the one account of which records there are, where they lie, and what filters ask of them.
//!
//! Every index of a partition works with its numbers and keeps none of its own. A number stands for one record: an id in
//! a cell. It is handed out in any order, used again after a removal, and decides no result.

mod by_id;
mod directory;
mod key;
mod many;
mod selection;

pub use by_id::MAX_RECORDS;
pub use directory::{Directory, NOWHERE};
pub use key::Key;
pub use many::in_order;
pub use selection::Selection;
