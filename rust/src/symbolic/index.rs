//! Facts, the numbers of the records that state them, and their cells; what goes in and what comes out.

use rustc_hash::FxHashMap;

use super::extract::Statement;
use super::names::{Names, Term};
use super::settings::Settings;
use super::symbols::{canonical, check_symbol};
use crate::error::{Error, Result};
use crate::records::{Directory, NOWHERE};

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

/// The facts that some records of a directory state, and the rules by which more follows from them.
///
/// ```
/// use byheart_core::records::Directory;
/// use byheart_core::symbolic::{Index, Options, Query, Seen, Settings, Statement};
/// use byheart_core::text::Mode;
///
/// let mut directory = Directory::default();
/// let note = directory.insert("", "note");
/// let mut index = Index::new(Settings::new(Mode::Unicode, vec!["uses".into()], &[], vec![])?);
/// let statement = Statement { subject: "Ada".into(), relation: "uses".into(), object: "Loom".into(), confidence: 1.0 };
/// index.put(&directory, &[note], &[statement])?;
/// let query = Query::new(&["ada"], None, Mode::Unicode)?;
/// let cells = directory.cell_numbers(None::<&[&str]>);
/// let seen = Seen { cells: &cells, ..Seen::default() };
/// let found = index.search(&directory, &query, &Options::default(), &seen, &mut || false);
/// assert_eq!(found.candidates[0].record, note);
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Index {
    pub(super) settings: Settings,
    pub(super) names: Names,
    states: Vec<u32>, // by number of the record: its fact
    pub(super) facts: Vec<Fact>,
    numbers: FxHashMap<[u32; 3], u32>, // subject, relation, object: the fact
    free: Vec<u32>,
    pub(super) cells: Vec<Cell>, // by number of the cell
    len: usize,
}

/// What stands in `states` for a record that states nothing.
const NOTHING: u32 = NOWHERE;

impl Index {
    /// An empty index.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            names: Names::default(),
            states: Vec::new(),
            facts: Vec::new(),
            numbers: FxHashMap::default(),
            free: Vec::new(),
            cells: Vec::new(),
            len: 0,
        }
    }

    /// What the index was made with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How many records state a fact.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if none does.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many different facts are stated.
    #[must_use]
    pub fn fact_count(&self) -> usize {
        self.numbers.len()
    }

    /// True if this record states a fact.
    #[must_use]
    pub fn holds(&self, number: u32) -> bool {
        self.stated_by(number).is_some()
    }

    /// Refuses a statement that [`Index::put`] would refuse, before a directory has changed.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] or [`Error::LimitExceeded`] for an unknown relation, an empty or long symbol, a
    /// confidence outside 0 to 1.
    pub fn check(&self, statement: &Statement) -> Result<()> {
        self.relation_of(statement).map(|_| ())
    }

    /// Takes in what each of these records states; what one stated before is forgotten. All of them or none.
    ///
    /// # Errors
    /// As [`Index::check`] and [`Directory::check`], and [`Error::InvalidArgument`] for another number of statements.
    pub fn put(&mut self, directory: &Directory, numbers: &[u32], statements: &[Statement]) -> Result<()> {
        if numbers.len() != statements.len() {
            let why = format!("has {} items for {} records; give one for each", statements.len(), numbers.len());
            return Err(Error::invalid("statements", why));
        }
        directory.check(numbers)?;
        let relations = statements.iter().map(|statement| self.relation_of(statement)).collect::<Result<Vec<_>>>()?;
        self.states.resize(directory.capacity().max(self.states.len()), NOTHING);
        self.cells.resize_with(directory.cell_capacity().max(self.cells.len()), Cell::default);
        for ((&number, statement), relation) in numbers.iter().zip(statements).zip(relations) {
            let cell = directory.cell(number).expect("a record lies in a cell");
            self.remove_one(number);
            self.insert_one(number, cell, statement, relation);
        }
        Ok(())
    }

    /// Forgets what these records state and answers how many there were. A directory forgets a record after its
    /// indexes.
    pub fn remove(&mut self, numbers: &[u32]) -> usize {
        numbers.iter().filter(|&&number| self.remove_one(number)).count()
    }

    /// The fact that a record states, as `subject|relation|object` in the form that symbols are compared in, and how sure
    /// it is; None if it states nothing.
    #[must_use]
    pub fn stated(&self, number: u32) -> Option<(&str, f64)> {
        self.stated_by(number).map(|(fact, confidence)| (&*fact.key, confidence))
    }

    /// What a record states, and how sure it is.
    pub(super) fn stated_by(&self, number: u32) -> Option<(&Fact, f64)> {
        let fact = self.states.get(number as usize).filter(|&&fact| fact != NOTHING)?;
        let fact = &self.facts[*fact as usize];
        let stated = fact.stated.iter().find(|stated| stated.record == number);
        Some((fact, stated.expect("a record is listed with the fact that it states").confidence))
    }

    fn relation_of(&self, statement: &Statement) -> Result<u32> {
        let Statement { subject, relation, object, confidence } = statement;
        check_symbol("subject", subject, self.settings.mode)?;
        check_symbol("object", object, self.settings.mode)?;
        if !(0.0..=1.0).contains(confidence) {
            return Err(Error::invalid("confidence", format!("is {confidence}; it must lie between 0 and 1")));
        }
        self.settings.relation(relation)
    }

    fn insert_one(&mut self, number: u32, cell: u32, statement: &Statement, relation: u32) {
        let fact = self.fact(statement, relation);
        let new_here = !self.facts[fact as usize].stated.iter().any(|stated| stated.cell == cell);
        let confidence = statement.confidence + 0.0; // of the two zeros the positive one
        self.facts[fact as usize].stated.push(Occurrence { cell, record: number, confidence });
        self.states[number as usize] = fact;
        self.len += 1;
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

    fn remove_one(&mut self, record: u32) -> bool {
        let Some(&number) = self.states.get(record as usize).filter(|&&fact| fact != NOTHING) else { return false };
        self.states[record as usize] = NOTHING;
        self.len -= 1;
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
            *place = Cell::default(); // its memory goes with its last record
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
