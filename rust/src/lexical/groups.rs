//! Groups of records, scored as if each group were one record with the terms of all of them.

use super::bm25::{Saturation, base, idf};
use super::index::Index;
use super::joined::Joined;
use super::postings::List;
use super::query::Query;

/// Groups of records, each of which can be scored as if it were one record.
pub struct Groups<'g> {
    /// The group of each record by its number; beyond its end, and where it is [`NO_GROUP`], it has none.
    pub of: &'g [u32],
    /// How many groups lie in the searched cells.
    pub count: u64,
    /// How long they are together.
    pub total: u64,
    /// How long each is, by its number.
    pub lengths: &'g dyn Fn(u32) -> u64,
    /// How many numbers of groups there are.
    pub capacity: usize,
    /// As [`Joined`], for groups.
    pub k1: f64,
    /// As [`Joined`], for groups.
    pub b: f64,
}

/// Marks a record without a group.
pub const NO_GROUP: u32 = u32::MAX;

/// The groups with a count, each once, in no order: of all, or of those in the lists, whichever are fewer.
fn touched(counts: &[u32], lists: &[(&[u32], List<'_>)], group_of: impl Fn(&[u32], u16) -> usize) -> Vec<u32> {
    let postings: usize = lists.iter().map(|(_, list)| list.slots.len()).sum();
    if counts.len() <= postings {
        return (0..counts.len()).filter(|&group| counts[group] > 0).map(|group| group as u32).collect();
    }
    let met = lists.iter().flat_map(|(documents, list)| list.slots.iter().map(|&slot| group_of(documents, slot)));
    let mut touched: Vec<u32> = met.filter(|&group| group < counts.len()).map(|group| group as u32).collect();
    touched.sort_unstable();
    touched.dedup();
    touched
}

impl Index {
    /// Groups of records scored as if each were one record, in no order, those without a term of the query left out; and
    /// what the query's terms weigh among groups.
    #[must_use]
    pub fn search_groups(
        &self,
        query: &Query,
        joined: &Joined,
        cells: &[u32],
        groups: &Groups<'_>,
    ) -> (Vec<(u32, f64)>, f64) {
        let (_, cells) = self.cells(cells);
        let numbers = joined.terms(self, query);
        let (terms, sums) = (numbers.len() / 2, joined.sums(&cells, &numbers));
        let average = if groups.count == 0 { 0.0 } else { groups.total as f64 / groups.count as f64 };
        let saturation = Saturation::new(groups.k1, groups.b, average);
        let (mut counts, mut scores) = (vec![0_u32; groups.capacity], vec![0.0_f64; groups.capacity]);
        let (mut found, mut idf_sum) = (Vec::new(), 0.0);
        for at in 0..terms {
            let segments = cells.iter().flat_map(|cell| &cell.segments);
            let lists: Vec<_> = segments
                .zip(sums.chunks(terms))
                .filter_map(|(segment, sums)| Some((segment.documents(), sums[at].as_ref()?.list())))
                .collect();
            let group_of = |documents: &[u32], slot: u16| {
                groups.of.get(documents[usize::from(slot)] as usize).copied().unwrap_or(NO_GROUP) as usize
            };
            for &(documents, list) in &lists {
                list.each(|slot, count| {
                    if let Some(held) = counts.get_mut(group_of(documents, slot)) {
                        *held = held.saturating_add(count);
                    }
                });
            }
            let touched = touched(&counts, &lists, group_of);
            let weight = idf(groups.count, touched.len() as u64);
            idf_sum += weight;
            let curve = saturation.curve(base(1.0, weight, groups.k1));
            for group in touched {
                let score = &mut scores[group as usize];
                if *score == 0.0 {
                    found.push(group);
                }
                let count = std::mem::take(&mut counts[group as usize]);
                *score += curve.part(f64::from(count), (groups.lengths)(group) as f64);
            }
        }
        (found.into_iter().map(|group| (group, scores[group as usize])).collect(), idf_sum)
    }
}
