//! Laws of the index. That its closures are those of the definition, bit for bit, is tested from Python.

use proptest::prelude::*;

use super::*;
use crate::codec::{Reader, Writer};
use crate::records::{Directory, Selection};
use crate::text::Mode;

const RELATIONS: [&str; 3] = ["uses", "depends_on", "causes"];

fn atom(subject: &str, relation: &str, object: &str) -> Atom {
    Atom { subject: subject.into(), relation: relation.into(), object: object.into() }
}

fn rule(id: &str, premises: Vec<Atom>, conclusion: Atom) -> Rule {
    Rule { id: id.into(), premises, conclusion, weight: 0.9, max_depth: None }
}

fn index(rules: Vec<Rule>) -> SymbolicIndex {
    let relations = RELATIONS.map(str::to_owned).to_vec();
    SymbolicIndex::new(Settings::new(Mode::Unicode, relations, &[], rules).unwrap())
}

fn record(id: &str, cell: &str, fact: [&str; 3]) -> Record {
    let [subject, relation, object] = fact.map(str::to_owned);
    Record { id: id.into(), cell: cell.into(), statement: Statement { subject, relation, object, confidence: 0.9 } }
}

fn ask(index: &SymbolicIndex, text: &str, options: &Options, cells: Option<&[String]>) -> Closure {
    let query = Query::new(&text.split(' ').collect::<Vec<_>>(), None, Mode::Unicode).unwrap();
    index.closure(&query, options, &Scope { cells, ..Scope::default() }, &mut || false)
}

fn chains() -> Vec<Rule> {
    RELATIONS.iter().map(|r| rule(r, vec![atom("?x", r, "?y"), atom("?y", r, "?z")], atom("?x", r, "?z"))).collect()
}

fn records() -> impl Strategy<Value = Vec<Record>> {
    let one = (0_u8..12, "[xy]", "[a-d]", 0_usize..3, "[a-dA]").prop_map(|(id, cell, subject, relation, object)| {
        record(&format!("r{id}"), &cell, [&subject, RELATIONS[relation], &object])
    });
    prop::collection::vec(one, 0..16)
}

proptest! {
    #[test]
    fn removal_undoes_addition(first in records(), second in records()) {
        let (mut lived, mut fresh) = (index(chains()), index(chains()));
        let mut last = std::collections::BTreeMap::new();
        for record in first.iter().chain(&second) {
            lived.add(std::slice::from_ref(record)).unwrap();
            last.insert(record.id.clone(), record.clone());
        }
        let gone: Vec<&str> = second.iter().map(|record| record.id.as_str()).collect();
        lived.remove(&gone);
        for record in last.values().filter(|record| !gone.contains(&record.id.as_str())) {
            fresh.add(std::slice::from_ref(record)).unwrap();
        }
        prop_assert_eq!(lived.to_bytes(), fresh.to_bytes());
        prop_assert_eq!(lived.fact_count(), fresh.fact_count());
        prop_assert_eq!(ask(&lived, "a d", &Options::default(), None), ask(&fresh, "a d", &Options::default(), None));
        let read = SymbolicIndex::from_bytes(&lived.to_bytes()).unwrap();
        prop_assert_eq!(ask(&read, "b", &Options::default(), None), ask(&lived, "b", &Options::default(), None));
    }

    #[test]
    fn what_lies_outside_the_cells_changes_nothing(all in records()) {
        let (mut whole, mut inside) = (index(chains()), index(chains()));
        let mut last = std::collections::BTreeMap::new();
        for record in all {
            whole.add(std::slice::from_ref(&record)).unwrap();
            last.insert(record.id.clone(), record);
        }
        for record in last.into_values().filter(|record| record.cell == "x") {
            inside.add(&[record]).unwrap();
        }
        let cells = ["x".to_owned()];
        let options = Options::default();
        prop_assert_eq!(ask(&whole, "a c", &options, Some(&cells)), ask(&inside, "a c", &options, None));
    }

    #[test]
    fn bounds_hold(all in records(), depth in 1_usize..5, derived in 1_usize..6, attempts in 1_usize..40) {
        let mut index = index(chains());
        for record in &all {
            index.add(std::slice::from_ref(record)).unwrap();
        }
        let options = Options { max_depth: depth, max_derived: derived, max_attempts: attempts, ..Options::default() };
        let found = ask(&index, "a b", &options, None);
        prop_assert!(found.rounds <= depth && found.derived.len() <= derived && found.attempts <= attempts);
        prop_assert!(found.nodes.iter().all(|node| node.raw > 0.0 && node.raw <= 0.9));
        if attempts == found.attempts && !found.exhausted {
            let more = Options { max_attempts: attempts + 1, ..options };
            prop_assert_eq!(ask(&index, "a b", &more, None), found);
        }
    }
}

/// Every pair and triple of everything: far more matches than the cap lets through.
#[test]
fn hostile_rules_come_to_an_end() {
    let mut rules = chains();
    for r in RELATIONS {
        let cross = vec![atom("?a", r, "?b"), atom("?c", "uses", "?d"), atom("?e", "causes", "?f")];
        rules.push(rule(&format!("cross-{r}"), cross, atom("?a", r, "?f")));
        rules.push(rule(&format!("turn-{r}"), vec![atom("?a", r, "?b")], atom("?b", r, "?a")));
        rules.push(rule(&format!("self-{r}"), vec![atom("?a", r, "?a")], atom("?a", "uses", "everything")));
    }
    let mut index = index(rules);
    for number in 0..400 {
        let (subject, object) = (format!("hub {}", number % 20), format!("hub {}", number / 20));
        index.add(&[record(&number.to_string(), "", [&subject, RELATIONS[number % 3], &object])]).unwrap();
    }
    let options = Options { max_depth: 8, max_derived: 4_096, ..Options::default() };
    let found = ask(&index, "hub", &options, None);
    assert!(found.exhausted && found.attempts == 200_000, "{} attempts", found.attempts);
    assert!(!found.candidates.is_empty());
}

#[test]
fn time_may_run_out_before_a_round_and_within_it() {
    let mut index = index(chains());
    for number in 0..200 {
        let object = format!("n {}", number + 1);
        index.add(&[record(&number.to_string(), "", [&format!("n {number}"), "uses", &object])]).unwrap();
    }
    let query = Query::new(&["n"], None, Mode::Unicode).unwrap();
    for looks in [0, 1, 2] {
        let mut left = looks;
        let mut expired = || {
            left -= 1;
            left < 0
        };
        let options = Options { max_derived: 4_096, ..Options::default() };
        let found = index.closure(&query, &options, &Scope::default(), &mut expired);
        assert!(found.exhausted && !found.candidates.is_empty());
        assert_eq!(found.attempts == 0, looks == 0);
    }
}

#[test]
fn bad_records_are_refused_whole() {
    let mut index = index(vec![]);
    let long = "a".repeat(MAX_SYMBOL_BYTES + 1);
    let bad = [
        record("", "", ["a", "uses", "b"]),
        record("i", "", ["a", "likes", "b"]),
        record("i", "", [" ?! ", "uses", "b"]),
        record("i", "", ["a", "uses", &long]),
        record("i", &long, ["a", "uses", "b"]),
        Record {
            statement: Statement { confidence: f64::NAN, ..record("i", "", ["a", "uses", "b"]).statement },
            ..record("i", "", ["a", "uses", "b"])
        },
    ];
    for record in bad {
        assert!(index.add(&[self::record("good", "", ["a", "uses", "b"]), record.clone()]).is_err(), "{record:?}");
        assert!(index.is_empty());
    }
}

#[test]
fn bad_rules_are_refused_with_the_reason() {
    let good = || rule("r", vec![atom("?x", "uses", "?y")], atom("?y", "uses", "?x"));
    let table: [(Rule, &str); 9] = [
        (Rule { id: String::new(), ..good() }, "1 to 64 bytes"),
        (Rule { premises: vec![], ..good() }, "0 premises"),
        (Rule { premises: vec![atom("?x", "uses", "?y"); 4], ..good() }, "4 premises"),
        (Rule { weight: 0.0, ..good() }, "weight is 0"),
        (Rule { weight: f64::NAN, ..good() }, "weight is NaN"),
        (Rule { max_depth: Some(0), ..good() }, "max_depth is 0"),
        (Rule { conclusion: atom("?x", "likes", "?y"), ..good() }, "\"likes\" is unknown"),
        (Rule { conclusion: atom("?x", "?r", "?y"), ..good() }, "must be the name of a relation"),
        (Rule { conclusion: atom("?x", "uses", "?z"), ..good() }, "?z of the conclusion occurs in no premise"),
    ];
    for (rule, reason) in table {
        let relations = RELATIONS.map(str::to_owned);
        let error = rule.check(Some(&relations)).unwrap_err().to_string();
        assert!(error.contains(reason), "{error} does not say {reason}");
    }
    assert!(good().check(None).is_ok());
    let twice = Settings::new(Mode::Unicode, RELATIONS.map(str::to_owned).to_vec(), &[], vec![good(), good()]);
    assert!(twice.unwrap_err().to_string().contains("occurs twice"));
}

#[test]
fn damaged_bytes_are_noticed() {
    let mut index = index(chains());
    index.add(&[record("a", "", ["a", "uses", "b"])]).unwrap();
    let good = index.to_bytes();
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 1;
        assert!(SymbolicIndex::from_bytes(&bad).is_err(), "a flip at {at} went unnoticed");
        assert!(SymbolicIndex::from_bytes(&good[..at]).is_err(), "truncation to {at} went unnoticed");
    }
}

/// A directory and an index of these records, one id in several cells being several, and some more that state nothing.
fn shared(records: &[Record]) -> (Directory, Index) {
    let mut directory = Directory::default();
    let mut inner = Index::new(index(chains()).settings().clone());
    for (at, record) in records.iter().enumerate() {
        directory.insert(&record.cell, &format!("silent {at}"));
        let number = directory.insert(&record.cell, &record.id);
        inner.put(&directory, &[number], std::slice::from_ref(&record.statement)).unwrap();
    }
    (directory, inner)
}

fn bytes(directory: &Directory, index: &Index) -> Vec<u8> {
    let mut writer = Writer::new(*b"TEST");
    let order = directory.canonical();
    directory.write(&mut writer, &order);
    index.write(&mut writer, &directory.positions(&order));
    writer.finish()
}

fn look(directory: &Directory, index: &Index, cells: Option<&[&str]>, only: Option<&Selection>) -> Closure<u32> {
    let query = Query::new(&["a", "c"], None, Mode::Unicode).unwrap();
    let cells = directory.cell_numbers(cells);
    index.search(directory, &query, &Options::default(), &Seen { cells: &cells, only, without: None }, &mut || false)
}

proptest! {
    #[test]
    fn only_some_are_an_index_of_these_alone(all in records(), some in prop::collection::vec(any::<bool>(), 32)) {
        let (directory, inner) = shared(&all);
        let only: Selection = (0..directory.capacity() as u32).filter(|&n| some[n as usize % some.len()]).collect();
        let without: Selection = (0..directory.capacity() as u32).filter(|&n| !only.holds(n)).collect();
        let (mut alone, mut left) = (Directory::default(), Index::new(inner.settings().clone()));
        for record in &all {
            let number = alone.insert(&record.cell, &record.id);
            let known = directory.get(&record.cell, &record.id).unwrap();
            if only.holds(known) {
                left.put(&alone, &[number], std::slice::from_ref(&record.statement)).unwrap();
            }
        }
        let cells = directory.cell_numbers(None::<&[&str]>);
        let query = Query::new(&["a", "c"], None, Mode::Unicode).unwrap();
        let seen = Seen { cells: &cells, only: None, without: Some(&without) };
        let found = look(&directory, &inner, None, Some(&only)).named(&directory);
        prop_assert_eq!(&found, &look(&alone, &left, None, None).named(&alone));
        let other = inner.search(&directory, &query, &Options::default(), &seen, &mut || false).named(&directory);
        prop_assert_eq!(&found, &other);
    }

    #[test]
    fn statements_come_back_by_their_places(all in records()) {
        let (mut directory, mut inner) = shared(&all);
        let written = bytes(&directory, &inner);
        let mut reader = Reader::open(&written, *b"TEST").unwrap();
        let back = Directory::read(&mut reader).unwrap();
        let read = Index::read(&mut reader, &back).unwrap();
        reader.finish().unwrap();
        prop_assert_eq!(&bytes(&back, &read), &written);
        prop_assert_eq!((read.len(), read.fact_count()), (inner.len(), inner.fact_count()));
        for cells in [None, Some(["x"].as_slice())] {
            let found = look(&back, &read, cells, None).named(&back);
            prop_assert_eq!(found, look(&directory, &inner, cells, None).named(&directory));
        }
        let numbers: Vec<u32> = (0..directory.capacity() as u32).collect();
        let held = inner.len();
        prop_assert_eq!((inner.remove(&numbers), inner.len(), inner.fact_count()), (held, 0, 0));
        prop_assert!(numbers.iter().all(|&number| directory.remove(number) && !inner.holds(number)));
    }
}

#[test]
fn statements_of_no_record_and_records_without_one_are_refused() {
    let held = {
        let mut index = index(chains());
        index.add(&[record("a", "", ["a", "uses", "b"]), record("b", "", ["b", "uses", "c"])]).unwrap();
        index
    };
    let numbers = [held.directory.get("", "a").unwrap(), held.directory.get("", "b").unwrap()];
    let file = |positions: &[u32]| {
        let mut writer = Writer::new(*b"FACT");
        held.directory.write(&mut writer, &held.directory.canonical());
        held.inner.write(&mut writer, positions);
        writer.finish()
    };
    let placed = |one: u32, other: u32| {
        let mut positions = vec![crate::records::NOWHERE; 2];
        (positions[numbers[0] as usize], positions[numbers[1] as usize]) = (one, other);
        file(&positions)
    };
    assert!(SymbolicIndex::from_bytes(&placed(0, 1)).is_ok());
    for (one, other) in [(0, 2), (1, 2), (7, 8)] {
        let error = SymbolicIndex::from_bytes(&placed(one, other)).unwrap_err();
        assert!(matches!(error, crate::Error::Corrupt { .. }), "{one} {other}: {error}");
    }
    let mut fewer = held.clone();
    fewer.inner.remove(&numbers[..1]);
    let order = fewer.directory.canonical();
    let mut writer = Writer::new(*b"FACT");
    fewer.directory.write(&mut writer, &order);
    fewer.inner.write(&mut writer, &fewer.directory.positions(&order));
    assert!(SymbolicIndex::from_bytes(&writer.finish()).is_err());
}

/// An optional word is read as what is stated where nothing else is left.
#[test]
fn the_last_word_is_no_part_of_a_pattern() {
    let told = |text: &str| extract_fact(text).map(|fact| (fact.subject, fact.relation, fact.object));
    let stated = |object: &str| Some(("Ada".to_owned(), "has_capability".to_owned(), object.to_owned()));
    assert_eq!(told("Ada has the capability of weaving"), stated("weaving"));
    assert_eq!(told("Ada has capability of"), stated("of"));
    assert_eq!(told("Ada has capability"), None);
}
