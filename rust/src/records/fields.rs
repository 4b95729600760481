//! What filters ask of records, by record number: fields of values, and columns of numbers.
//!
//! The core knows no field by name. A field of values appears when it first occurs and goes with its last value; columns
//! are declared when the store is made, since they hold numbers alone.

use roaring::RoaringBitmap;
use rustc_hash::FxHashMap;

use super::keywords::{Field, Keywords};
use super::{Batch, Column, Directory, ID, MAX_NAME_BYTES, Value};
use crate::error::{Error, Result};

/// The fields of records.
///
/// ```
/// use byheart_core::records::{Batch, Directory, Fields, Filter, Value};
///
/// let (mut directory, mut fields) = (Directory::default(), Fields::new(&["length"], &["expires_at"])?);
/// let number = directory.insert("", "note");
/// let mut batch = Batch::default();
/// batch.push("tags", "kitchen".into())?;
/// batch.push("tags", "plants".into())?;
/// batch.push("length", Value::whole(12))?;
/// batch.end();
/// fields.put(&directory, &[number], &batch)?;
/// let filter = Filter::In { field: "tags".into(), values: vec!["plants".into()] };
/// let cells = directory.cell_numbers(None::<&[&str]>);
/// assert!(filter.matches(&directory, &fields, &cells)?.contains(number));
/// assert_eq!(fields.column("length").unwrap().get(number), 12.0);
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Fields {
    pub(super) columns: Vec<Column>,
    column_of: FxHashMap<Box<str>, usize>,
    pub(super) keywords: Keywords,
    pub(super) members: Vec<RoaringBitmap>, // by number of the cell
}

/// Where the values of a name go.
#[derive(Clone, Copy)]
enum Target {
    Column(usize),
    Keyword(u32),
}

impl Fields {
    /// An empty store with these columns of numbers; those of `sorted` are kept in order as well, for ranges that few records
    /// lie in.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a name that comes twice, is empty or "id".
    pub fn new(plain: &[impl AsRef<str>], sorted: &[impl AsRef<str>]) -> Result<Self> {
        let mut fields = Self::default();
        plain.iter().try_for_each(|name| fields.declare(name.as_ref(), false))?;
        sorted.iter().try_for_each(|name| fields.declare(name.as_ref(), true))?;
        Ok(fields)
    }

    pub(super) fn declare(&mut self, name: &str, is_sorted: bool) -> Result<()> {
        if name.is_empty() || name == ID || name.len() > MAX_NAME_BYTES || self.column_of.contains_key(name) {
            return Err(Error::invalid("columns", format!("{name:?} comes twice or is no name of a column")));
        }
        self.column_of.insert(name.into(), self.columns.len());
        self.columns.push(Column::new(name, is_sorted));
        Ok(())
    }

    /// Names of the columns, each with whether it is sorted.
    pub fn columns(&self) -> impl Iterator<Item = (&str, bool)> {
        self.columns.iter().map(|column| (column.name(), column.is_sorted()))
    }

    /// How many records are held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.members.iter().map(|members| members.len() as usize).sum()
    }

    /// True if none is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.iter().all(RoaringBitmap::is_empty)
    }

    /// A column by its name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.column_of.get(name).map(|&at| &self.columns[at])
    }

    /// The records of cells.
    #[must_use]
    pub fn members(&self, cells: &[u32]) -> RoaringBitmap {
        roaring::MultiOps::union(cells.iter().filter_map(|&cell| self.members.get(cell as usize)))
    }

    /// How many records of a cell are in a set.
    #[must_use]
    pub fn count_in(&self, cell: u32, set: &RoaringBitmap) -> u64 {
        self.members.get(cell as usize).map_or(0, |members| members.intersection_len(set))
    }

    /// The values of a record in its fields of values, by name, then value.
    #[must_use]
    pub fn values(&self, number: u32) -> Vec<(&str, &Value)> {
        let mut all: Vec<_> = self.keywords.of(number).collect();
        all.sort_unstable();
        all
    }

    /// By field the first value of each of these records in it, in the order of values; None where it has none.
    #[must_use]
    pub fn first(&self, fields: &[impl AsRef<str>], numbers: &[u32]) -> Vec<Vec<Option<&Value>>> {
        let wanted = self.keywords.wanted(fields);
        let mut values = vec![vec![None; numbers.len()]; fields.len()];
        if wanted.iter().all(Option::is_none) {
            return values; // without a look at each record
        }
        let mut of_one = vec![None; fields.len()];
        for (row, &number) in numbers.iter().enumerate() {
            self.keywords.first(&wanted, number, &mut of_one);
            for (values, value) in values.iter_mut().zip(&mut of_one) {
                values[row] = value.take();
            }
        }
        for at in (1..fields.len()).rev() {
            if let Some(same) = (0..at).rfind(|&other| fields[other].as_ref() == fields[at].as_ref()) {
                let (before, after) = values.split_at_mut(at); // one that is named twice has its last place above
                before[same].clone_from(&after[0]);
            }
        }
        values
    }

    /// All values of each of these records in a field, in the order of the values.
    #[must_use]
    pub fn listed(&self, field: &str, numbers: &[u32]) -> Vec<Vec<&Value>> {
        let Some(field) = self.keywords.known(field) else { return vec![Vec::new(); numbers.len()] };
        numbers.iter().map(|&number| self.keywords.listed(field, number)).collect()
    }

    /// Those of some records that have a value in a field.
    #[must_use]
    pub fn saying(&self, field: &str, among: &RoaringBitmap) -> RoaringBitmap {
        self.keywords.field(field).map_or_else(RoaringBitmap::new, |field| field.present() & among)
    }

    /// How many of these records have each value of a field, in the order of the values; those that none has are left out.
    #[must_use]
    pub fn counts(&self, field: &str, among: &RoaringBitmap) -> Vec<(&Value, u64)> {
        let Some(field) = self.keywords.field(field) else { return Vec::new() };
        let counted = self.keywords.values(field).map(|(value, holders)| (value, holders.len_in(among)));
        counted.filter(|&(_, count)| count > 0).collect()
    }

    /// Takes in what records say, each in its row of the batch; what they said before goes. All or nothing.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for another number of rows, and for a column that is given no number or more than one.
    pub fn put(&mut self, directory: &Directory, numbers: &[u32], batch: &Batch) -> Result<()> {
        self.check(numbers.len(), batch)?;
        self.remove(directory, numbers);
        let target = |name: &str| match self.column_of.get(name) {
            Some(&at) => Target::Column(at),
            None => Target::Keyword(self.keywords.number(name)),
        };
        let targets: Vec<Target> = batch.names().map(target).collect();
        for (row, &number) in numbers.iter().enumerate() {
            let mut words = Vec::new();
            for (name, value) in batch.row(row) {
                match (targets[*name as usize], value) {
                    (Target::Column(at), Value::Number(value)) => self.columns[at].set(number, value.get()),
                    (Target::Column(_), _) => unreachable!("columns were checked to be given numbers"),
                    (Target::Keyword(field), value) => words.push((field, value.clone())),
                }
            }
            self.keywords.set(number, words.into_iter());
            let cell = directory.cell(number).expect("a record is in the directory before its fields are") as usize;
            if self.members.len() <= cell {
                self.members.resize_with(cell + 1, RoaringBitmap::new);
            }
            self.members[cell].insert(number);
        }
        Ok(())
    }

    /// Forgets records, before the directory does, and answers how many of them were held.
    pub fn remove(&mut self, directory: &Directory, numbers: &[u32]) -> usize {
        let mut removed = 0;
        for &number in numbers {
            let cell = directory.cell(number).and_then(|cell| self.members.get_mut(cell as usize));
            if !cell.is_some_and(|members| members.remove(number)) {
                continue;
            }
            removed += 1;
            self.keywords.remove(number);
            self.columns.iter_mut().for_each(|column| column.remove(number));
        }
        removed
    }

    pub(super) fn keyword(&self, name: &str) -> Option<&Field> {
        self.keywords.field(name)
    }

    /// Whether so many records could say this: `put` refuses nothing else.
    ///
    /// # Errors
    /// As [`Fields::put`].
    pub fn check(&self, records: usize, batch: &Batch) -> Result<()> {
        if records != batch.len() {
            let why = format!("has {} items for {records} records; give one for each", batch.len());
            return Err(Error::invalid("fields", why));
        }
        let columns: Vec<Option<&Column>> = batch.names().map(|name| self.column(name)).collect();
        if columns.iter().all(Option::is_none) {
            return Ok(());
        }
        for row in 0..batch.len() {
            let mut seen: Vec<u32> = Vec::new();
            for (name, value) in batch.row(row) {
                let Some(column) = columns[*name as usize] else { continue };
                if !matches!(value, Value::Number(_)) {
                    return Err(Error::invalid(column.name(), "is no number; this field takes one finite number"));
                }
                if seen.contains(name) {
                    return Err(Error::invalid(column.name(), "has several values; this field takes one number"));
                }
                seen.push(*name);
            }
        }
        Ok(())
    }
}
