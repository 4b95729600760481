//! The directory of records: the one account of which records there are, where they lie, and what filters ask of them.
//!
//! Every index of a partition works with its numbers and keeps none of its own. A number stands for one record: an id in
//! a cell. It is handed out in any order, used again after a removal, and decides no result.

mod batch;
mod by_id;
mod bytes;
mod column;
mod directory;
mod fields;
mod filter;
mod holders;
mod key;
mod keywords;
mod lists;
mod many;
mod numbering;
mod order;
mod rows;
mod select;
mod selection;
mod store_keys;
mod table;
#[cfg(test)]
mod tests;
mod value;

pub use batch::{Batch, ID, MAX_NAME_BYTES, MAX_VALUES};
pub use by_id::MAX_RECORDS;
pub use column::Column;
pub use directory::{Directory, NOWHERE};
pub use fields::Fields;
pub use filter::{Filter, MAX_DEPTH, MAX_TERMS};
pub use key::Key;
pub use many::in_order;
pub use numbering::Numbering;
pub use rows::SEPARATOR;
pub use selection::Selection;
pub use store_keys::{StoreKey, StoreKeys};
pub use table::Table;
pub use value::{Number, Value};

use holders::Holders;
