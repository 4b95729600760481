//! Records that hold terms: postings intersected, without a score.

use super::index::{Cell, Index};
use super::segment::{Segment, Term, VACANT};
use super::statistics::entries;

impl Index {
    /// The records of these cells that hold one term of each of some groups, in whichever field; without a group all.
    ///
    /// In no order that means anything.
    #[must_use]
    pub fn holding(&self, groups: &[Vec<String>], cells: &[u32]) -> Vec<u32> {
        let (_, cells) = self.cells(cells);
        let terms: Vec<Option<u32>> = groups.iter().flatten().map(|term| self.terms.get(term)).collect();
        if groups.is_empty() {
            return segments(&cells).flat_map(Segment::documents).copied().filter(|&number| number != VACANT).collect();
        }
        if terms.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (segment, mut entries) in segments(&cells).zip(entries(&cells, &terms).chunks(terms.len())) {
            let mut held = Vec::with_capacity(groups.len());
            for group in groups {
                let (own, others) = entries.split_at(group.len());
                held.push(own.iter().copied().flatten().collect::<Vec<_>>());
                entries = others;
            }
            held.sort_by_key(|group| group.iter().map(|entry| u64::from(entry.documents())).sum::<u64>());
            let slots = self.slots_of_all(&held);
            found.extend(slots.into_iter().map(|slot| segment.documents()[usize::from(slot)]));
        }
        found
    }

    /// The slots that stand in a list of each group; the rarest group comes first.
    fn slots_of_all(&self, groups: &[Vec<Term<'_>>]) -> Vec<u16> {
        let Some((first, others)) = groups.split_first() else { return Vec::new() };
        let mut slots = self.slots(first).concat();
        slots.sort_unstable();
        slots.dedup();
        for group in others {
            let lists = self.slots(group);
            slots.retain(|slot| lists.iter().any(|list| list.binary_search(slot).is_ok()));
        }
        slots
    }

    /// The slots that hold a term of a group, by term and field.
    fn slots<'a>(&self, group: &[Term<'a>]) -> Vec<&'a [u16]> {
        let fields = 0..self.settings.fields.len();
        group.iter().flat_map(|entry| fields.clone().filter_map(|field| Some(entry.list(field)?.slots))).collect()
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
            wanted in prop::collection::vec(prop::collection::vec(0..4_usize, 0..3), 0..3),
            cell in 0..2_usize,
        ) {
            let (index, directory, kept) = filled(&records);
            let named = |group: &Vec<usize>| group.iter().map(|&word| WORDS[word].to_owned()).collect();
            let groups: Vec<Vec<String>> = wanted.iter().map(named).collect();
            let holds_one = |each: &&Held, group: &Vec<usize>| group.iter().any(|word| each.2.contains(word));
            let holds = |each: &&Held| each.1 == cell && wanted.iter().all(|group| holds_one(each, group));
            let mut expected: Vec<u32> = kept.iter().filter(holds).map(|each| each.0).collect();
            let key = [format!("cell {cell}")];
            let mut found = index.holding(&groups, &directory.cell_numbers(Some(&key[..])));
            expected.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_term_that_nobody_holds_leaves_nothing() {
        let (index, directory, _) = filled(&[(vec![0], vec![1], 0), (vec![0], vec![1], 0)]);
        let cells = directory.cell_numbers(None::<&[&str]>);
        let groups = |terms: &[&[&str]]| -> Vec<Vec<String>> {
            terms.iter().map(|group| group.iter().map(|&term| term.into()).collect()).collect()
        };
        assert_eq!(index.holding(&groups(&[&["red"]]), &cells).len(), 1);
        assert_eq!(index.holding(&groups(&[&["red", "owl"]]), &cells).len(), 1);
        assert!(index.holding(&groups(&[&["red"], &["owl"]]), &cells).is_empty());
        assert!(index.holding(&groups(&[&[]]), &cells).is_empty());
    }
}
