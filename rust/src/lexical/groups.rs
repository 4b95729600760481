//! Groups of records, scored as if each group were one record with the terms of all of them.

use rustc_hash::FxHashMap;

use super::bm25::{Saturation, base, idf};
use super::explain::{Explanation, Part};
use super::index::{Cell, Index};
use super::joined::{Joined, JoinedLists};
use super::query::Query;
use crate::error::Result;

/// Groups of records, each of which can be scored as if it were one record.
pub struct Groups<'g> {
    /// The group of each record by its number; beyond its end, and where it is [`NO_GROUP`], it has none.
    pub of: &'g [u32],
    /// How many groups lie in the searched cells.
    pub count: u64,
    /// How long they are together.
    pub total: u64,
    /// How long each is, by its number.
    pub lengths: &'g [u64],
    /// As [`super::Joined`], for groups.
    pub k1: f64,
    /// As [`super::Joined`], for groups.
    pub b: f64,
}

/// Marks a record without a group.
pub const NO_GROUP: u32 = u32::MAX;

impl Groups<'_> {
    fn average(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.total as f64 / self.count as f64 }
    }

    /// Gives of each posting of a term the group, and the count.
    fn each(&self, lists: &JoinedLists<'_>, cells: &[&Cell], at: usize, mut take: impl FnMut(usize, u32)) {
        let segments = cells.iter().flat_map(|cell| &cell.segments);
        for (segment, sums) in segments.zip(lists.sums.chunks(lists.light.len())) {
            let (Some(sum), documents) = (&sums[at], segment.documents()) else { continue };
            sum.list().each(|slot, count| {
                let group = self.of.get(documents[usize::from(slot)] as usize).copied().unwrap_or(NO_GROUP);
                if (group as usize) < self.lengths.len() {
                    take(group as usize, count);
                }
            });
        }
    }
}

impl Index {
    /// By number of the group its score, as if it were one record: 0 without a term of the query that finds; and what these
    /// weigh among groups. `lists` are those of a search of the same cells.
    #[must_use]
    pub fn search_groups(&self, lists: &JoinedLists<'_>, cells: &[u32], groups: &Groups<'_>) -> (Vec<f64>, f64) {
        let (_, cells) = self.cells(cells);
        let saturation = Saturation::new(groups.k1, groups.b, groups.average());
        let (mut counts, mut scores) = (vec![0_u32; groups.lengths.len()], vec![0.0_f64; groups.lengths.len()]);
        let (mut idf_sum, mut touched) = (0.0, Vec::new());
        for at in (0..lists.light.len()).filter(|&at| !lists.light[at]) {
            groups.each(lists, &cells, at, |group, count| {
                if counts[group] == 0 {
                    touched.push(group);
                }
                counts[group] = counts[group].saturating_add(count);
            });
            let weight = idf(groups.count, touched.len() as u64);
            idf_sum += weight;
            let curve = saturation.curve(base(1.0, weight, groups.k1));
            for group in touched.drain(..) {
                let count = std::mem::take(&mut counts[group]);
                scores[group] += curve.part(f64::from(count), groups.lengths[group] as f64);
            }
        }
        (scores, idf_sum)
    }

    /// How [`Index::search_groups`] scores one group, under an id; and what the terms that find weigh among groups.
    ///
    /// # Errors
    /// For numbers outside their ranges.
    pub fn explain_group(
        &self,
        query: &Query,
        joined: &Joined,
        cells: &[u32],
        groups: &Groups<'_>,
        (group, id): (u32, &str),
    ) -> Result<(Explanation, f64)> {
        joined.check(self.settings.fields.len())?;
        let (_, cells) = self.cells(cells);
        let lists = JoinedLists { light: joined.light(query), sums: joined.sums(&cells, &joined.terms(self, query)) };
        let (average, length) = (groups.average(), groups.lengths[group as usize]);
        let saturation = Saturation::new(groups.k1, groups.b, average);
        let (mut parts, mut sum, mut idf_sum) = (Vec::new(), 0.0, 0.0);
        for (at, term) in query.terms().enumerate().filter(|&(at, _)| !lists.light[at]) {
            let mut counts = FxHashMap::<usize, u32>::default();
            groups.each(&lists, &cells, at, |group, count| {
                let held = counts.entry(group).or_default();
                *held = held.saturating_add(count);
            });
            let idf = idf(groups.count, counts.len() as u64);
            idf_sum += idf;
            let Some(&term_frequency) = counts.get(&(group as usize)) else { continue };
            let value = saturation.part(base(1.0, idf, groups.k1), f64::from(term_frequency), length as f64);
            sum += value;
            parts.push(Part {
                field: "all".to_owned(),
                term: term.to_owned(),
                weight: 1.0,
                idf,
                document_frequency: counts.len() as u64,
                ordinary_frequency: 0.0,
                term_frequency,
                length: u32::try_from(length).unwrap_or(u32::MAX),
                average_length: if average == 0.0 { 1.0 } else { average },
                value,
            });
        }
        let (records, k1, b) = (groups.count, groups.k1, groups.b);
        Ok((
            Explanation { id: id.to_owned(), parts, sum, boost: None, score: sum, records, beside: 0.0, k1, b },
            idf_sum,
        ))
    }
}
