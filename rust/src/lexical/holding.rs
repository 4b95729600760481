//! Records that hold terms: postings intersected, without a score.

use super::index::{Cell, Index};
use super::segment::{Segment, Term, VACANT};
use super::statistics::entries;

impl Index {
    /// The records of these cells that hold each of some terms, in whichever field; without a term all of them.
    ///
    /// In no order that means anything.
    #[must_use]
    pub fn holding(&self, terms: &[String], cells: &[u32]) -> Vec<u32> {
        let (_, cells) = self.cells(cells);
        let Some(terms) = terms.iter().map(|term| self.terms.get(term).map(Some)).collect::<Option<Vec<_>>>() else {
            return Vec::new();
        };
        if terms.is_empty() {
            return segments(&cells).flat_map(Segment::documents).copied().filter(|&number| number != VACANT).collect();
        }
        let mut found = Vec::new();
        for (segment, entries) in segments(&cells).zip(entries(&cells, &terms).chunks(terms.len())) {
            if let Some(mut entries) = entries.iter().copied().collect::<Option<Vec<_>>>() {
                entries.sort_by_key(Term::documents);
                let slots = self.slots_of_all(&entries);
                found.extend(slots.into_iter().map(|slot| segment.documents()[usize::from(slot)]));
            }
        }
        found
    }

    /// The slots that stand in a list of each term; the rarest term comes first.
    fn slots_of_all(&self, entries: &[Term<'_>]) -> Vec<u16> {
        let Some((first, others)) = entries.split_first() else { return Vec::new() };
        let mut slots = self.slots(first).concat();
        slots.sort_unstable();
        slots.dedup();
        for entry in others {
            let lists = self.slots(entry);
            slots.retain(|slot| lists.iter().any(|list| list.binary_search(slot).is_ok()));
        }
        slots
    }

    /// The slots that hold a term, by field.
    fn slots<'a>(&self, entry: &Term<'a>) -> Vec<&'a [u16]> {
        (0..self.settings.fields.len()).filter_map(|field| Some(entry.list(field)?.slots)).collect()
    }
}

fn segments<'a>(cells: &[&'a Cell]) -> impl Iterator<Item = &'a Segment> {
    cells.iter().flat_map(|cell| &cell.segments)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Batch, Field, Settings};
    use super::*;
    use crate::records::Directory;
    use crate::text::Analyzer;

    /// A record's number, the number of its cell, and its words.
    type Held = (u32, usize, Vec<usize>);

    const WORDS: [&str; 4] = ["red", "fox", "hen", "den"];

    fn text(words: &[usize]) -> String {
        words.iter().map(|&word| WORDS[word]).collect::<Vec<_>>().join(" ")
    }

    /// Records of two fields in cells, by which numbers they have; every third of them goes again.
    fn filled(records: &[(Vec<usize>, Vec<usize>, usize)]) -> (Index, Directory, Vec<Held>) {
        let fields = ["title", "text"].map(|name| Field { name: name.into(), weight: 1.0 });
        let settings = Settings::new(fields.to_vec(), 1.2, 0.75, Analyzer::default()).unwrap();
        let (mut index, mut directory, mut kept) = (Index::new(settings), Directory::default(), Vec::new());
        for (row, (title, body, cell)) in records.iter().enumerate() {
            let number = directory.insert(&format!("cell {cell}"), &format!("r{row}"));
            let mut batch = Batch::default();
            batch.push(index.settings(), &[(0, &text(title)), (1, &text(body))]).unwrap();
            index.put(&directory, &[number], &batch, None).unwrap();
            kept.push((number, *cell, [title.clone(), body.clone()].concat()));
        }
        let gone: Vec<u32> = kept.iter().step_by(3).map(|each| each.0).collect();
        index.remove(&gone);
        kept.retain(|each| !gone.contains(&each.0));
        (index, directory, kept)
    }

    proptest! {
        #[test]
        fn they_are_those_of_a_look_at_each(
            records in prop::collection::vec(
                (prop::collection::vec(0..4_usize, 0..3), prop::collection::vec(0..4_usize, 0..3), 0..2_usize), 0..12,
            ),
            wanted in prop::collection::vec(0..4_usize, 0..3),
            cell in 0..2_usize,
        ) {
            let (index, directory, kept) = filled(&records);
            let terms: Vec<String> = wanted.iter().map(|&word| WORDS[word].to_owned()).collect();
            let holds = |each: &&Held| each.1 == cell && wanted.iter().all(|w| each.2.contains(w));
            let mut expected: Vec<u32> = kept.iter().filter(holds).map(|each| each.0).collect();
            let key = [format!("cell {cell}")];
            let mut found = index.holding(&terms, &directory.cell_numbers(Some(&key[..])));
            expected.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_term_that_nobody_holds_leaves_nothing() {
        let (index, directory, _) = filled(&[(vec![0], vec![1], 0), (vec![0], vec![1], 0)]);
        let cells = directory.cell_numbers(None::<&[&str]>);
        assert_eq!(index.holding(&["red".into()], &cells).len(), 1);
        assert!(index.holding(&["red".into(), "owl".into()], &cells).is_empty());
    }
}
