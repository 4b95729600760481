//! Facts, who states them, and in which cell: what goes in and what comes out.

use rustc_hash::FxHashMap;

use super::extract::Statement;
use super::names::{Names, Term};
use super::settings::Settings;
use super::symbols::{canonical, check_symbol};
use crate::error::{Error, Result};
use crate::ids::{self, IdTable, MAX_ID_BYTES};

/// The most records an index holds.
pub const MAX_RECORDS: usize = u32::MAX as usize - 1;

/// A record on its way in: it states one fact.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// 1 to 512 bytes; a record with the same id is replaced.
    pub id: String,
    /// Key of the cell it lies in, at most 512 bytes.
    pub cell: String,
    /// What it states.
    pub statement: Statement,
}

/// That a record states a fact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Occurrence {
    pub cell: u32,
    pub record: u32,
    pub confidence: f64,
}

/// Two terms and their relation; it exists as long as a record states it.
#[derive(Debug, Clone, Default)]
pub(super) struct Fact {
    pub subject: Term,
    pub relation: u32,
    pub object: Term,
    pub key: Box<str>,
    pub stated: Vec<Occurrence>,
}

/// The facts that are stated in one cell, by what they are about.
#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    pub records: usize,
    pub by_symbol: FxHashMap<u32, Vec<u32>>,
    pub by_token: FxHashMap<u32, Vec<u32>>,
}

/// Facts of records in cells, and the rules by which more follows from them.
///
/// ```
/// use byheart_core::symbolic::{Options, Query, Record, Scope, Settings, Statement, SymbolicIndex};
/// use byheart_core::text::Mode;
///
/// let settings = Settings::new(Mode::Unicode, vec!["uses".into()], &[], vec![])?;
/// let mut index = SymbolicIndex::new(settings);
/// let statement = Statement { subject: "Ada".into(), relation: "uses".into(), object: "Loom".into(), confidence: 1.0 };
/// index.add(&[Record { id: "note".into(), cell: String::new(), statement }])?;
/// let query = Query::new(&["ada"], None, Mode::Unicode)?;
/// let found = index.closure(&query, &Options::default(), &Scope::default(), &mut || false);
/// assert_eq!(found.candidates[0].id, "note");
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SymbolicIndex {
    pub(super) settings: Settings,
    pub(super) names: Names,
    pub(super) ids: IdTable,
    states: Vec<u32>, // by record: its fact
    pub(super) facts: Vec<Fact>,
    numbers: FxHashMap<[u32; 3], u32>, // subject, relation, object: the fact
    free: Vec<u32>,
    pub(super) cell_keys: IdTable,
    pub(super) cells: Vec<Cell>,
}

impl SymbolicIndex {
    /// An empty index.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            names: Names::default(),
            ids: IdTable::default(),
            states: Vec::new(),
            facts: Vec::new(),
            numbers: FxHashMap::default(),
            free: Vec::new(),
            cell_keys: IdTable::default(),
            cells: Vec::new(),
        }
    }

    /// What the index was made with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How many records are held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// True if no record is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// How many different facts are stated.
    #[must_use]
    pub fn fact_count(&self) -> usize {
        self.numbers.len()
    }

    /// True if a record with this id is held.
    #[must_use]
    pub fn contains(&self, id: &str) -> bool {
        self.ids.get(id).is_some()
    }

    /// Adds records; one with the same id is replaced, also in another cell. All of them or none.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] or [`Error::LimitExceeded`] for a bad or repeated id, a long cell key, an unknown
    /// relation, an empty or long symbol, a confidence outside 0 to 1; the index is unchanged then.
    pub fn add(&mut self, records: &[Record]) -> Result<()> {
        ids::check_batch(records.iter().map(|record| record.id.as_str()))?;
        if records.len() > MAX_RECORDS - self.len() {
            return Err(Error::limit("records of an index", MAX_RECORDS, self.len().saturating_add(records.len())));
        }
        let relations = records.iter().map(|record| self.check(record)).collect::<Result<Vec<_>>>()?;
        for (record, relation) in records.iter().zip(relations) {
            self.remove_one(&record.id);
            self.insert_one(record, relation);
        }
        Ok(())
    }

    /// Removes the records with these ids and answers how many there were.
    pub fn remove(&mut self, ids: &[impl AsRef<str>]) -> usize {
        ids.iter().filter(|id| self.remove_one(id.as_ref())).count()
    }

    /// Every record, by id.
    pub(super) fn records(&self) -> impl Iterator<Item = (&str, &Fact, Occurrence)> {
        self.ids.sorted().into_iter().map(|(id, record)| {
            let fact = &self.facts[self.states[record as usize] as usize];
            let stated = fact.stated.iter().find(|stated| stated.record == record);
            (id, fact, *stated.expect("a record is listed with the fact that it states"))
        })
    }

    fn check(&self, record: &Record) -> Result<u32> {
        let Statement { subject, relation, object, confidence } = &record.statement;
        if record.cell.len() > MAX_ID_BYTES {
            return Err(Error::limit("cell key length in bytes", MAX_ID_BYTES, record.cell.len()));
        }
        check_symbol("subject", subject, self.settings.mode)?;
        check_symbol("object", object, self.settings.mode)?;
        if !(0.0..=1.0).contains(confidence) {
            return Err(Error::invalid("confidence", format!("is {confidence}; it must lie between 0 and 1")));
        }
        self.settings.relation(relation)
    }

    fn insert_one(&mut self, record: &Record, relation: u32) {
        let number = self.ids.insert(&record.id);
        let cell = self.cell_keys.insert(&record.cell);
        self.cells.resize_with(self.cell_keys.capacity(), Cell::default);
        let fact = self.fact(&record.statement, relation);
        let new_here = !self.facts[fact as usize].stated.iter().any(|stated| stated.cell == cell);
        let confidence = record.statement.confidence + 0.0; // of the two zeros the positive one
        self.facts[fact as usize].stated.push(Occurrence { cell, record: number, confidence });
        self.states.resize(self.ids.capacity(), 0);
        self.states[number as usize] = fact;
        let place = &mut self.cells[cell as usize];
        place.records += 1;
        if new_here {
            let (symbols, tokens) = handles(&self.names, &self.facts[fact as usize]);
            for symbol in symbols {
                place.by_symbol.entry(symbol).or_default().push(fact);
            }
            for token in tokens {
                place.by_token.entry(token).or_default().push(fact);
            }
        }
    }

    /// The number of a fact, a new one if nobody stated it before.
    fn fact(&mut self, statement: &Statement, relation: u32) -> u32 {
        let (subject_name, object_name) = (canonical(&statement.subject), canonical(&statement.object));
        let subject = self.names.acquire(&subject_name, self.settings.mode);
        let object = self.names.acquire(&object_name, self.settings.mode);
        if let Some(&known) = self.numbers.get(&[subject.number, relation, object.number]) {
            self.names.release(subject);
            self.names.release(object);
            return known;
        }
        let key = format!("{subject_name}|{}|{object_name}", self.settings.relations[relation as usize]).into();
        let fact = Fact { subject, relation, object, key, stated: Vec::new() };
        let number = self.free.pop().unwrap_or_else(|| {
            self.facts.push(Fact::default());
            (self.facts.len() - 1) as u32
        });
        self.facts[number as usize] = fact;
        self.numbers.insert([subject.number, relation, object.number], number);
        number
    }

    fn remove_one(&mut self, id: &str) -> bool {
        let Some(record) = self.ids.remove(id) else { return false };
        let number = self.states[record as usize];
        let fact = &mut self.facts[number as usize];
        let at = fact.stated.iter().position(|stated| stated.record == record);
        let gone = fact.stated.swap_remove(at.expect("a record is listed with the fact that it states"));
        let place = &mut self.cells[gone.cell as usize];
        place.records -= 1;
        if !fact.stated.iter().any(|stated| stated.cell == gone.cell) {
            let (symbols, tokens) = handles(&self.names, fact);
            for symbol in symbols {
                leave(&mut place.by_symbol, symbol, number);
            }
            for token in tokens {
                leave(&mut place.by_token, token, number);
            }
        }
        if place.records == 0 {
            *place = Cell::default();
            let key = self.cell_keys.name(gone.cell).to_owned();
            self.cell_keys.remove(&key);
        }
        if fact.stated.is_empty() {
            let fact = std::mem::take(fact);
            self.numbers.remove(&[fact.subject.number, fact.relation, fact.object.number]);
            self.names.release(fact.subject);
            self.names.release(fact.object);
            self.free.push(number);
        }
        true
    }
}

/// What a fact is found by: its symbols and its tokens, each once.
fn handles(names: &Names, fact: &Fact) -> (Vec<u32>, Vec<u32>) {
    let mut symbols = vec![fact.subject.symbol, fact.object.symbol];
    let mut tokens: Vec<u32> = symbols.iter().flat_map(|&symbol| names.tokens(symbol)).copied().collect();
    for list in [&mut symbols, &mut tokens] {
        list.sort_unstable();
        list.dedup();
    }
    (symbols, tokens)
}

fn leave(lists: &mut FxHashMap<u32, Vec<u32>>, handle: u32, fact: u32) {
    let Some(list) = lists.get_mut(&handle) else { return };
    list.retain(|&other| other != fact);
    if list.is_empty() {
        lists.remove(&handle);
    }
}
