//! Fields and filters against a look at each record.

use std::collections::BTreeMap;
use std::ops::{Bound, RangeBounds};

use proptest::prelude::*;

use super::*;
use crate::codec::{Reader, Tag, Writer};
use crate::{Error, Result};

const CELLS: [&str; 3] = ["", "b", "c"];
const PLAIN: [&str; 1] = ["length"];
const SORTED: [&str; 1] = ["ends"];

/// A field as bytes say it: its name; for each flag that is a value the distances of those who have it.
type Forged<'f> = (&'f str, &'f [(u8, &'f [u8])]);

type Said = Vec<(&'static str, Value)>;
type Model = BTreeMap<(String, String), Said>; // by cell, then id: the directory's order

/// The definition: does a record match?
fn matches(filter: &Filter, id: &str, said: &Said) -> bool {
    let values = |field: &str| -> Vec<Value> {
        if field == ID {
            return vec![id.into()];
        }
        said.iter().filter(|(name, _)| *name == field).map(|(_, value)| value.clone()).collect()
    };
    match filter {
        Filter::And(parts) => parts.iter().all(|part| matches(part, id, said)),
        Filter::Or(parts) => parts.iter().any(|part| matches(part, id, said)),
        Filter::Not(part) => !matches(part, id, said),
        Filter::In { field, values: wanted } => values(field).iter().any(|value| wanted.contains(value)),
        Filter::Range { field, low, high } => values(field).iter().any(|value| {
            let like = |bound: &Bound<Value>| match bound {
                Bound::Included(bound) | Bound::Excluded(bound) => bound.is_like(value),
                Bound::Unbounded => true,
            };
            like(low) && like(high) && (low.clone(), high.clone()).contains(value)
        }),
        Filter::Exists { field, exists } => values(field).is_empty() != *exists,
    }
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        "[a-c]{0,2}".prop_map(|text| Value::from(text.as_str())),
        (-2_i128..4).prop_map(Value::whole),
        Just(Value::number(0.5).unwrap()),
        any::<bool>().prop_map(Value::from),
    ]
}

fn field() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["user", "tags", "metadata.room", "length", "ends", ID, "never"])
}

fn said() -> impl Strategy<Value = Said> {
    let keyword = (prop::sample::select(vec!["user", "tags", "metadata.room"]), value());
    let number = |name: &'static str| prop::option::of((-2_i128..4).prop_map(move |n| (name, Value::whole(n))));
    (prop::collection::vec(keyword, 0..5), number("length"), number("ends"))
        .prop_map(|(words, length, ends)| words.into_iter().chain(length).chain(ends).collect())
}

fn bound() -> impl Strategy<Value = Bound<Value>> {
    (any::<bool>(), value())
        .prop_map(|(open, value)| if open { Bound::Excluded(value) } else { Bound::Included(value) })
}

fn filter() -> impl Strategy<Value = Filter> {
    let leaf = prop_oneof![
        (field(), prop::collection::vec(value(), 0..4))
            .prop_map(|(field, values)| Filter::In { field: field.into(), values }),
        (field(), bound()).prop_map(|(field, low)| Filter::Range { field: field.into(), low, high: Bound::Unbounded }),
        (field(), bound()).prop_map(|(field, high)| Filter::Range { field: field.into(), low: Bound::Unbounded, high }),
        (field(), bound(), bound()).prop_map(|(field, low, high)| Filter::Range { field: field.into(), low, high }),
        (field(), any::<bool>()).prop_map(|(field, exists)| Filter::Exists { field: field.into(), exists }),
    ];
    leaf.prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Filter::And),
            prop::collection::vec(inner.clone(), 0..4).prop_map(Filter::Or),
            inner.prop_map(|part| Filter::Not(Box::new(part))),
        ]
    })
}

/// A directory with fields, and its model.
#[derive(Default)]
struct Both {
    directory: Directory,
    fields: Fields,
    model: Model,
}

impl Both {
    fn new() -> Self {
        Self { fields: Fields::new(&PLAIN, &SORTED).unwrap(), ..Self::default() }
    }

    fn put(&mut self, cell: &str, id: &str, said: &Said) {
        let number = self.directory.insert(cell, id);
        self.fields.put(&self.directory, &[number], &batch(std::slice::from_ref(said))).unwrap();
        self.model.insert((cell.to_owned(), id.to_owned()), said.clone());
    }

    fn remove(&mut self, cell: &str, id: &str) {
        let known = self.model.remove(&(cell.to_owned(), id.to_owned())).is_some();
        let number = self.directory.get(cell, id);
        assert_eq!(number.is_some(), known);
        if let Some(number) = number {
            assert_eq!(self.fields.remove(&self.directory, &[number, number]), 1);
            self.directory.remove(number);
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let order = self.directory.canonical();
        let mut writer = Writer::new(*b"TEST");
        self.directory.write(&mut writer, &order);
        self.fields.write(&mut writer, &self.directory.positions(&order));
        writer.finish()
    }

    fn found(&self, filter: &Filter, cells: Option<&[&str]>) -> Vec<(String, String)> {
        let cells = self.directory.cell_numbers(cells);
        let numbers = filter.matches(&self.directory, &self.fields, &cells).unwrap();
        let key = |number| {
            let cell = self.directory.cell(number).unwrap();
            (self.directory.cell_key(cell).to_owned(), self.directory.id(number).to_owned())
        };
        let mut found: Vec<_> = numbers.iter().map(key).collect();
        found.sort_unstable();
        found
    }
}

fn batch(rows: &[Said]) -> Batch {
    let mut batch = Batch::default();
    for row in rows {
        for (name, value) in row {
            batch.push(name, value.clone()).unwrap();
        }
        batch.end();
    }
    batch
}

fn read(bytes: &[u8]) -> Result<(Directory, Fields)> {
    let mut reader = Reader::open(bytes, *b"TEST")?;
    let directory = Directory::read(&mut reader)?;
    let fields = Fields::read(&mut reader, &directory)?;
    reader.finish()?;
    Ok((directory, fields))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn filters_agree_with_a_look_at_each_record(
        steps in prop::collection::vec(
            (0_u8..4, prop::sample::select(CELLS.to_vec()), "[a-c]{1,2}", said()), 0..40),
        filters in prop::collection::vec(filter(), 1..4),
        cells in prop::option::of(prop::collection::vec(prop::sample::select(CELLS.to_vec()), 0..4)),
    ) {
        let mut both = Both::new();
        for (step, cell, id, said) in &steps {
            if *step == 0 { both.remove(cell, id) } else { both.put(cell, id, said) }
        }
        prop_assert_eq!(both.fields.len(), both.model.len());
        let (directory, fields) = read(&both.bytes()).unwrap();
        let back = Both { directory, fields, model: both.model.clone() };
        prop_assert_eq!(back.bytes(), both.bytes());
        let mut fresh = Both::new();
        both.model.iter().rev().for_each(|((cell, id), said)| fresh.put(cell, id, said));
        prop_assert_eq!(fresh.bytes(), both.bytes());
        for filter in &filters {
            let looked: Vec<_> = both
                .model
                .iter()
                .filter(|((cell, id), said)| {
                    cells.as_ref().is_none_or(|cells| cells.contains(&cell.as_str())) && matches(filter, id, said)
                })
                .map(|(key, _)| key.clone())
                .collect();
            prop_assert_eq!(&both.found(filter, cells.as_deref()), &looked);
            prop_assert_eq!(&back.found(filter, cells.as_deref()), &looked);
        }
        for ((cell, id), said) in &both.model {
            let number = both.directory.get(cell, id).unwrap();
            let mut words: Vec<(&str, &Value)> = said
                .iter()
                .filter(|(name, _)| !["length", "ends"].contains(name))
                .map(|(name, value)| (*name, value))
                .collect();
            words.sort_unstable();
            words.dedup();
            prop_assert_eq!(both.fields.values(number), words);
            let length = said.iter().find(|(name, _)| *name == "length").map(|(_, value)| value.clone());
            let known = both.fields.column("length").unwrap().get(number);
            prop_assert_eq!(Value::number(known).ok(), length);
        }
        let all = both.fields.members(&both.directory.cell_numbers(None::<&[&str]>));
        let counted: Vec<(Value, u64)> =
            both.fields.counts("tags", &all).into_iter().map(|(value, count)| (value.clone(), count)).collect();
        let mut looked: BTreeMap<Value, u64> = BTreeMap::new();
        for said in both.model.values() {
            let mut tags: Vec<&Value> = said.iter().filter(|(name, _)| *name == "tags").map(|(_, tag)| tag).collect();
            tags.sort_unstable();
            tags.dedup();
            for tag in tags {
                *looked.entry(tag.clone()).or_default() += 1;
            }
        }
        prop_assert_eq!(counted, looked.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn any_payload_ends_in_a_store_or_in_a_typed_error(
        payloads in prop::collection::vec(prop::collection::vec(prop_oneof![Just(0_u8), 0..4_u8, any::<u8>()], 0..80), 3)
    ) {
        let mut both = Both::new();
        for id in ["x", "y", "z"] {
            both.put("", id, &vec![("tags", true.into())]);
        }
        for (at, payload) in payloads.iter().enumerate() {
            let mut writer = Writer::new(*b"TEST");
            let order = both.directory.canonical();
            both.directory.write(&mut writer, &order);
            for (number, tag) in [*b"HELD", *b"COLS", *b"KEYS"].into_iter().enumerate() {
                writer.section(tag, |p| p.raw(if number == at { payload } else { good(&both, tag) }));
            }
            if let Err(error) = read(&writer.finish()) {
                prop_assert!(matches!(error, Error::Corrupt { .. }), "{error}");
            }
        }
    }
}

/// A payload of a section that can be read: of a store without values.
fn good(both: &Both, tag: Tag) -> &'static [u8] {
    assert_eq!(both.fields.columns.len(), 2);
    match &tag {
        b"HELD" => &[3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        b"COLS" => &[
            2, 0, 0, 0, 0, 0, 0, 0, 6, b'l', b'e', b'n', b'g', b't', b'h', 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, b'e', b'n',
            b'd', b's', 1, 0, 0, 0, 0, 0, 0, 0, 0,
        ],
        _ => &[0; 8],
    }
}

#[test]
fn bytes_that_contradict_themselves_are_refused() {
    let mut both = Both::new();
    for id in ["x", "y"] {
        both.put("", id, &vec![]);
    }
    let keywords = |fill: &dyn Fn(&mut crate::codec::Payload<'_>)| {
        let mut writer = Writer::new(*b"TEST");
        both.directory.write(&mut writer, &both.directory.canonical());
        writer.section(*b"HELD", |p| p.raw(&[2, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
        writer.section(*b"COLS", |p| p.raw(good(&both, *b"COLS")));
        writer.section(*b"KEYS", fill);
        read(&writer.finish()).map(|(_, fields)| fields)
    };
    let field = |p: &mut crate::codec::Payload<'_>, name: &str, values: &[(u8, &[u8])]| {
        p.string(name);
        p.u64(values.len() as u64);
        for (flag, places) in values {
            p.u8(*flag);
            p.u64(places.len() as u64);
            p.raw(places);
        }
    };
    let said = |fields: &[Forged<'_>]| {
        keywords(&|p| {
            p.u64(fields.len() as u64);
            for (name, values) in fields {
                field(p, name, values);
            }
        })
    };
    assert_eq!(said(&[("a", &[(0, &[0, 0]), (1, &[1])])]).unwrap().values(1).len(), 2);
    let wrong: [&[Forged<'_>]; 9] = [
        &[("a", &[(1, &[0]), (0, &[0])])],
        &[("a", &[(1, &[0]), (1, &[1])])],
        &[("a", &[(1, &[])])],
        &[("a", &[])],
        &[("a", &[(1, &[2])])],
        &[("a", &[(1, &[0, 1])])],
        &[("b", &[(1, &[0])]), ("a", &[(1, &[0])])],
        &[("length", &[(1, &[0])])],
        &[("id", &[(1, &[0])])],
    ];
    for fields in wrong {
        assert!(matches!(said(fields), Err(Error::Corrupt { .. })), "{fields:?}");
    }
    let (_, fields) = read(&both.bytes()).unwrap();
    assert!(fields.columns().eq([("length", false), ("ends", true)]));
}

#[test]
fn what_is_over_a_limit_or_of_a_wrong_kind_changes_nothing() {
    let mut both = Both::new();
    both.put("", "x", &vec![("user", "ada".into())]);
    let before = both.bytes();
    let number = both.directory.get("", "x").unwrap();
    for said in [
        vec![("length", Value::from("long"))],
        vec![("length", Value::from(true))],
        vec![("user", Value::from("bob")), ("ends", Value::whole(1)), ("ends", Value::whole(2))],
    ] {
        let error = both.fields.put(&both.directory, &[number], &batch(&[said])).unwrap_err();
        assert!(matches!(error, Error::InvalidArgument { .. }), "{error}");
    }
    assert!(both.fields.put(&both.directory, &[number], &Batch::default()).is_err());
    assert_eq!(both.bytes(), before);
    let mut batch = Batch::default();
    assert!(batch.push("", true.into()).is_err() && batch.push(ID, true.into()).is_err());
    assert!(matches!(batch.push(&"n".repeat(MAX_NAME_BYTES + 1), true.into()), Err(Error::LimitExceeded { .. })));
    for value in 0..MAX_VALUES as i128 {
        batch.push("many", Value::whole(value)).unwrap();
    }
    assert!(matches!(batch.push("many", true.into()), Err(Error::LimitExceeded { .. })));
    for (plain, sorted) in [(vec!["a", "a"], vec![]), (vec!["a"], vec!["a"]), (vec![""], vec![]), (vec![], vec![ID])] {
        assert!(Fields::new(&plain, &sorted).is_err());
    }
}

#[test]
fn a_filter_too_deep_or_too_wide_is_refused() {
    let both = Both::new();
    let nested = |depth| (1..depth).fold(Filter::And(Vec::new()), |inner, _| Filter::Not(Box::new(inner)));
    let within = |count: usize| Filter::In { field: "user".into(), values: vec![true.into(); count] };
    let select = |filter: &Filter| filter.matches(&both.directory, &both.fields, &[]).map(|found| found.len());
    assert_eq!(select(&nested(MAX_DEPTH)), Ok(0));
    assert_eq!(select(&within(MAX_TERMS)), Ok(0));
    for filter in [
        nested(MAX_DEPTH + 1),
        within(MAX_TERMS + 1),
        Filter::Or(vec![within(MAX_TERMS), within(1)]),
        Filter::Or(vec![within(0); MAX_TERMS]),
    ] {
        assert!(matches!(select(&filter), Err(Error::LimitExceeded { .. })));
    }
    let named = Filter::In { field: ID.into(), values: vec!["a".into(); MAX_TERMS + 1] };
    assert_eq!(select(&named), Ok(0), "records may all be named");
    let endless = Filter::Range { field: "user".into(), low: Bound::Unbounded, high: Bound::Unbounded };
    assert!(matches!(select(&endless), Err(Error::InvalidArgument { .. })));
}

#[test]
fn the_first_values_are_the_least_also_of_fields_that_are_named_twice_or_that_nobody_has() {
    let mut both = Both::new();
    both.put("", "x", &vec![("user", "eve".into()), ("topic", "tea".into()), ("user", "ada".into())]);
    both.put("", "y", &vec![("topic", "rice".into())]);
    let numbers = ["y", "x"].map(|id| both.directory.get("", id).unwrap());
    let first = both.fields.first(&["user", "nobody", "topic", "user", "user"], &numbers);
    let (ada, tea, rice) = (Value::from("ada"), Value::from("tea"), Value::from("rice"));
    let user = vec![None, Some(&ada)];
    assert_eq!(first, [user.clone(), vec![None, None], vec![Some(&rice), Some(&tea)], user.clone(), user]);
    assert_eq!(both.fields.first(&["nobody"], &numbers), [vec![None, None]]);
}
