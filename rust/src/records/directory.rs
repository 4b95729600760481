//! Ids and cells of records, and the numbers that stand for them.

use std::cmp::Ordering;

use hashbrown::HashTable;

use crate::codec::{Reader, Tag, Writer};
use crate::error::Result;
use crate::ids::{self, IdTable, Names, Secret};

const SECTION: Tag = *b"DIRE";

/// The cell of a number that stands for no record.
pub const NOWHERE: u32 = u32::MAX;

/// Records by cell and id. One id may stand for records of several cells.
///
/// ```
/// let mut directory = byheart_core::records::Directory::default();
/// let (open, hidden) = (directory.insert("open", "a"), directory.insert("hidden", "a"));
/// assert_eq!((directory.get("open", "a"), directory.id(hidden)), (Some(open), "a"));
/// assert_eq!(directory.all("a").count(), 2);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Directory {
    numbers: HashTable<u32>, // by the hash of the id alone
    names: Names,
    cells: Vec<u32>, // by number
    cell_keys: IdTable,
    sizes: Vec<usize>, // by number of the cell
    shared: usize,     // records that share their id with one that came before
    secret: Secret,
}

impl Directory {
    /// How many records there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// True if there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// One more than the largest number ever handed out: the size of an array indexed by number.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.cells.len()
    }

    /// True if every id stands for one record.
    #[must_use]
    pub fn is_unique(&self) -> bool {
        self.shared == 0
    }

    /// The number of a record.
    #[must_use]
    pub fn get(&self, cell: &str, id: &str) -> Option<u32> {
        let cell = self.cell_number(cell)?;
        self.all(id).find(|&number| self.cells[number as usize] == cell)
    }

    /// The numbers of the records with this id, in whichever cell, in any order.
    pub fn all<'d>(&'d self, id: &'d str) -> impl Iterator<Item = u32> + 'd {
        self.hashed(self.secret.hash(id.as_bytes()), id)
    }

    /// The same of an id whose hash is known.
    fn hashed<'d>(&'d self, hash: u64, id: &'d str) -> impl Iterator<Item = u32> + 'd {
        self.numbers.iter_hash(hash).copied().filter(move |&number| self.names.bytes(number) == id.as_bytes())
    }

    /// The number of a record, a new one if it was not there.
    pub fn insert(&mut self, cell: &str, id: &str) -> u32 {
        let (hash, known) = (self.secret.hash(id.as_bytes()), self.cell_number(cell));
        let mut is_shared = false;
        let is_here = |number: &u32| known == Some(self.cells[*number as usize]);
        if let Some(number) = self.hashed(hash, id).inspect(|_| is_shared = true).find(is_here) {
            return number;
        }
        let cell = self.cell_keys.insert(cell);
        self.sizes.resize(self.cell_keys.capacity(), 0);
        self.push(cell, id, hash, is_shared)
    }

    /// Takes in a record that is not there: the hash of its id, and whether another one has that id.
    fn push(&mut self, cell: u32, id: &str, hash: u64, is_shared: bool) -> u32 {
        self.sizes[cell as usize] += 1;
        self.shared += usize::from(is_shared);
        let number = self.names.push(id);
        let Self { numbers, names, secret, .. } = self;
        numbers.insert_unique(hash, number, |&n| secret.hash(names.bytes(n)));
        self.cells.resize(self.names.capacity(), NOWHERE);
        self.cells[number as usize] = cell;
        number
    }

    /// Forgets a record; every index has forgotten it before. True if it was there.
    pub fn remove(&mut self, number: u32) -> bool {
        let Some(cell) = self.cell(number) else { return false };
        let id = self.names.get(number).to_owned();
        let found = self.numbers.find_entry(self.secret.hash(id.as_bytes()), |&n| n == number);
        found.expect("a number in use is listed").remove();
        let is_shared = self.all(&id).next().is_some();
        self.shared -= usize::from(is_shared);
        self.names.remove(number);
        self.cells[number as usize] = NOWHERE;
        self.sizes[cell as usize] -= 1;
        if self.sizes[cell as usize] == 0 {
            let key = self.cell_keys.name(cell).to_owned();
            self.cell_keys.remove(&key);
        }
        true
    }

    /// The id of a record; empty for a number that is not in use.
    #[must_use]
    pub fn id(&self, number: u32) -> &str {
        self.names.get(number)
    }

    /// The id of a record and the key of its cell; both empty for a number that is not in use.
    #[must_use]
    pub fn name(&self, number: u32) -> (String, String) {
        let cell = self.cell(number).map_or("", |cell| self.cell_key(cell));
        (self.id(number).to_owned(), cell.to_owned())
    }

    /// The number of the cell of a record.
    #[must_use]
    pub fn cell(&self, number: u32) -> Option<u32> {
        self.cells.get(number as usize).copied().filter(|&cell| cell != NOWHERE)
    }

    /// The number of a cell that holds records.
    #[must_use]
    pub fn cell_number(&self, key: &str) -> Option<u32> {
        self.cell_keys.get(key)
    }

    /// The key of a cell that holds records; empty for another number.
    #[must_use]
    pub fn cell_key(&self, cell: u32) -> &str {
        self.cell_keys.name(cell)
    }

    /// One more than the largest number of a cell.
    #[must_use]
    pub fn cell_capacity(&self) -> usize {
        self.cell_keys.capacity()
    }

    /// How many records a cell holds.
    #[must_use]
    pub fn cell_size(&self, cell: u32) -> usize {
        self.sizes.get(cell as usize).copied().unwrap_or(0)
    }

    /// The numbers of the cells with these keys, `None` for all that hold records: ascending, each once. Unknown keys are
    /// passed over.
    #[must_use]
    pub fn cell_numbers(&self, keys: Option<&[impl AsRef<str>]>) -> Vec<u32> {
        let mut numbers: Vec<u32> = match keys {
            Some(keys) => keys.iter().filter_map(|key| self.cell_keys.get(key.as_ref())).collect(),
            None => (0..self.cell_capacity() as u32).filter(|&cell| self.cell_size(cell) > 0).collect(),
        };
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// The numbers of all records by cell key, then id: an order that no history can change, as bytes need it.
    #[must_use]
    pub fn canonical(&self) -> Vec<u32> {
        let mut by_cell: Vec<Vec<u32>> = vec![Vec::new(); self.cell_capacity()];
        for (number, &cell) in (0_u32..).zip(&self.cells) {
            if cell != NOWHERE {
                by_cell[cell as usize].push(number);
            }
        }
        let ordered = |cell: u32| {
            let mut numbers = std::mem::take(&mut by_cell[cell as usize]);
            numbers.sort_unstable_by_key(|&number| self.names.bytes(number));
            numbers
        };
        self.cell_keys.sorted().into_iter().map(|(_, cell)| cell).flat_map(ordered).collect()
    }

    /// The place of each record in [`Directory::canonical`], by number; [`NOWHERE`] for a number not in use.
    #[must_use]
    pub fn positions(&self, canonical: &[u32]) -> Vec<u32> {
        let mut positions = vec![NOWHERE; self.capacity()];
        for (position, &number) in (0_u32..).zip(canonical) {
            positions[number as usize] = position;
        }
        positions
    }

    /// Writes one section: the records in the order of [`Directory::canonical`].
    pub fn write(&self, writer: &mut Writer, canonical: &[u32]) {
        writer.section(SECTION, |p| {
            p.u64(self.cell_keys.len() as u64);
            for records in canonical.chunk_by(|&one, &other| self.cell(one) == self.cell(other)) {
                let cell = self.cell(records[0]).expect("a number in use lies in a cell");
                p.string(self.cell_key(cell));
                p.u64(records.len() as u64);
                for &number in records {
                    p.string(self.id(number));
                }
            }
        });
    }

    /// Reads what [`Directory::write`] wrote; the number of each record is its place there.
    ///
    /// # Errors
    /// [`crate::Error::Corrupt`] for damaged bytes, and for records that are not in order or twice there.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let mut cursor = reader.section(SECTION)?;
        let mut directory = Self::default();
        let mut before: Option<&str> = None;
        for _ in 0..cursor.count(9)? {
            let key = cursor.string()?;
            if key.len() > ids::MAX_ID_BYTES || before.is_some_and(|before| before >= key) {
                return Err(cursor.corrupt("its cells are not in order, or a key is too long"));
            }
            before = Some(key);
            let cell = directory.cell_keys.insert(key);
            directory.sizes.push(0);
            let count = cursor.count(2)?;
            if count == 0 {
                return Err(cursor.corrupt("a cell holds no record"));
            }
            directory.reserve(count);
            let mut last = "";
            for _ in 0..count {
                let id = cursor.string()?;
                ids::check_id(id).map_err(|error| cursor.corrupt(error.to_string()))?;
                if id <= last {
                    return Err(cursor.corrupt("its ids are not in order"));
                }
                last = id;
                let hash = directory.secret.hash(id.as_bytes());
                let is_shared = directory.hashed(hash, id).next().is_some();
                directory.push(cell, id, hash, is_shared);
            }
        }
        cursor.finish()?;
        Ok(directory)
    }

    /// Makes room for this many more records at once.
    pub fn reserve(&mut self, more: usize) {
        let Self { numbers, names, secret, .. } = self;
        numbers.reserve(more, |&n| secret.hash(names.bytes(n)));
    }

    /// The order of two records of one time in a conversation: by id, in which numbers count as numbers ("D1:2" before
    /// "D1:10"), then as [`Directory::order`] has it.
    #[must_use]
    pub fn order_of_telling(&self, one: u32, other: u32) -> Ordering {
        by_numbers(self.names.bytes(one), self.names.bytes(other)).then_with(|| self.order(one, other))
    }

    /// The order of two records where all else is equal: by id, then by cell.
    #[must_use]
    pub fn order(&self, one: u32, other: u32) -> Ordering {
        self.names.bytes(one).cmp(self.names.bytes(other)).then_with(|| {
            let key = |number: u32| self.cell(number).map_or("", |cell| self.cell_key(cell));
            key(one).cmp(key(other))
        })
    }
}

/// The order of two texts in which runs of digits are compared as numbers, and come before all other characters.
fn by_numbers(mut one: &[u8], mut other: &[u8]) -> Ordering {
    loop {
        let (first, second) = (number(one), number(other));
        let order = match (first, second) {
            (Some(first), Some(second)) => first.0.len().cmp(&second.0.len()).then_with(|| first.0.cmp(second.0)),
            (Some(_), None) if !other.is_empty() => Ordering::Less,
            (None, Some(_)) if !one.is_empty() => Ordering::Greater,
            _ => one.first().cmp(&other.first()),
        };
        if order.is_ne() || one.is_empty() {
            return order;
        }
        one = first.map_or(&one[1..], |number| number.1);
        other = second.map_or(&other[1..], |number| number.1);
    }
}

/// The digits that a text begins with, without zeros before them, and what stands behind.
fn number(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    (end > 0).then(|| (&digits[zeros..], rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bytes(directory: &Directory) -> Vec<u8> {
        let mut writer = Writer::new(*b"TEST");
        directory.write(&mut writer, &directory.canonical());
        writer.finish()
    }

    fn read(bytes: &[u8]) -> Result<Directory> {
        let mut reader = Reader::open(bytes, *b"TEST")?;
        let directory = Directory::read(&mut reader)?;
        reader.finish()?;
        Ok(directory)
    }

    /// A section with good checksums that says these cells with these ids.
    fn said(cells: &[(&str, &[&str])]) -> Vec<u8> {
        let mut writer = Writer::new(*b"TEST");
        writer.section(SECTION, |p| {
            p.u64(cells.len() as u64);
            for (key, ids) in cells {
                p.string(key);
                p.u64(ids.len() as u64);
                ids.iter().for_each(|id| p.string(id));
            }
        });
        writer.finish()
    }

    #[test]
    fn records_out_of_order_or_twice_are_refused() {
        assert_eq!(read(&said(&[("a", &["x", "y"]), ("b", &["x"])])).unwrap().len(), 3);
        let long = "k".repeat(ids::MAX_ID_BYTES + 1);
        let wrong: [&[(&str, &[&str])]; 7] = [
            &[("a", &["y", "x"])],
            &[("a", &["x", "x"])],
            &[("a", &[""])],
            &[("a", &[])],
            &[("b", &["x"]), ("a", &["y"])],
            &[("a", &["x"]), ("a", &["y"])],
            &[(&long, &["x"])],
        ];
        for cells in wrong {
            let error = read(&said(cells)).unwrap_err();
            assert!(matches!(error, crate::Error::Corrupt { .. }), "{cells:?}: {error}");
        }
    }

    proptest! {
        #[test]
        fn equal_records_give_equal_bytes_whatever_came_before(
            records in prop::collection::btree_set(("[a-c]{0,2}", "[d-f]{1,2}"), 0..20),
            others in prop::collection::vec(("[a-c]{0,2}", "[d-f]{1,2}"), 0..20),
        ) {
            let (mut plain, mut used) = (Directory::default(), Directory::default());
            for (cell, id) in &records {
                plain.insert(cell, id);
            }
            for (cell, id) in others.iter().chain(records.iter().rev()) {
                used.insert(cell, id);
            }
            for (cell, id) in others.iter().filter(|each| !records.contains(each)) {
                used.get(cell, id).map(|number| used.remove(number));
            }
            let written = bytes(&used);
            prop_assert_eq!(&written, &bytes(&plain));
            let back = read(&written).unwrap();
            prop_assert_eq!((back.len(), back.is_unique()), (plain.len(), plain.is_unique()));
            for (position, (cell, id)) in (0_u32..).zip(&records) {
                prop_assert_eq!(back.get(cell, id), Some(position));
            }
            let order = used.canonical();
            let positions = used.positions(&order);
            for (position, &number) in (0_u32..).zip(&order) {
                prop_assert_eq!(positions[number as usize], position);
            }
        }

        #[test]
        fn the_directory_agrees_with_a_standard_set(
            steps in prop::collection::vec((any::<bool>(), "[a-c]", "[d-f]{1,2}"), 0..80)
        ) {
            let mut directory = Directory::default();
            let mut held = std::collections::BTreeSet::new();
            for (add, cell, id) in steps {
                if add {
                    let number = directory.insert(&cell, &id);
                    prop_assert_eq!(directory.id(number), id.as_str());
                    held.insert((id, cell));
                } else {
                    let known = directory.get(&cell, &id);
                    prop_assert_eq!(known.is_some(), held.remove(&(id, cell)));
                    if let Some(number) = known {
                        prop_assert!(directory.remove(number) && !directory.remove(number));
                    }
                }
                prop_assert_eq!(directory.len(), held.len());
                let ids: std::collections::BTreeSet<&String> = held.iter().map(|(id, _)| id).collect();
                prop_assert_eq!(directory.is_unique(), ids.len() == held.len());
                for id in ids {
                    prop_assert_eq!(directory.all(id).count(), held.iter().filter(|(each, _)| each == id).count());
                }
                let mut numbers: Vec<u32> = held.iter().map(|(id, cell)| directory.get(cell, id).unwrap()).collect();
                let sorted = numbers.clone();
                numbers.reverse();
                numbers.sort_by(|&one, &other| directory.order(one, other));
                prop_assert_eq!(numbers, sorted);
                for cell in ["a", "b", "c"] {
                    let size = directory.cell_number(cell).map_or(0, |cell| directory.cell_size(cell));
                    prop_assert_eq!(size, held.iter().filter(|(_, each)| each == cell).count());
                }
            }
        }
    }
}
