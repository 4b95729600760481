//! Records as Python names them: ids, with the keys of their cells.

use pyo3::prelude::*;

use super::convert;
use crate::error::{Error, Result};
use crate::ids;
use crate::records::{Column, Directory};

/// Ids with the keys of their cells: "" without `cells`.
///
/// # Errors
/// `InvalidArgument` for bad ids, a record that comes twice, and another number of cells; `LimitExceeded` for long names.
pub fn keys(ids: &Bound<'_, PyAny>, cells: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<(String, String)>> {
    let ids = convert::texts(ids, "ids")?;
    let cells = convert::cells_for(cells, ids.len())?.unwrap_or_else(|| vec![String::new(); ids.len()]);
    if cells.len() != ids.len() {
        let why = format!("has {} items for {} ids; give one for each id", cells.len(), ids.len());
        return Err(Error::invalid("cells", why).into());
    }
    for (id, cell) in ids.iter().zip(&cells) {
        ids::check_id(id)?;
        if cell.len() > ids::MAX_ID_BYTES {
            return Err(Error::limit("cell key length in bytes", ids::MAX_ID_BYTES, cell.len()).into());
        }
    }
    Ok(ids.into_iter().zip(cells).collect())
}

/// As [`keys`], each record once.
///
/// # Errors
/// As [`keys`].
pub fn distinct_keys(ids: &Bound<'_, PyAny>, cells: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<(String, String)>> {
    let keys = keys(ids, cells)?;
    let mut sorted: Vec<_> = keys.iter().collect();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        let why = format!("{:?} occurs twice in one cell; give each record once", pair[0].0);
        return Err(Error::invalid("ids", why).into());
    }
    Ok(keys)
}

/// The numbers of records that are known; `everywhere` those with these ids in whichever cell.
pub fn numbers(records: &Directory, keys: &[(String, String)], everywhere: bool) -> Vec<u32> {
    let of = |(id, cell): &(String, String)| -> Vec<u32> {
        if everywhere { records.all(id).collect() } else { records.get(cell, id).into_iter().collect() }
    };
    keys.iter().flat_map(of).collect()
}

/// The number of a record.
///
/// # Errors
/// `InvalidArgument` for one that is not known.
pub fn known(records: &Directory, (id, cell): &(String, String)) -> Result<u32> {
    records.get(cell, id).ok_or_else(|| Error::invalid("ids", format!("{id:?} is not known in the cell {cell:?}")))
}

/// The numbers of a column, nothing for records without one.
pub fn column(records: &Directory, column: &Column, keys: &[(String, String)]) -> Vec<Option<f64>> {
    let get = |(id, cell): &(String, String)| {
        let value = records.get(cell, id).map_or(f64::NAN, |number| column.get(number));
        (!value.is_nan()).then_some(value)
    };
    keys.iter().map(get).collect()
}
