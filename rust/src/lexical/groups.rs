//! Groups of records, scored as if each group were one record with the terms of all of them.

use super::bm25::{Saturation, base, idf};
use super::index::Index;
use super::joined::JoinedLists;

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

impl Index {
    /// By number of the group its score, as if it were one record: 0 without a term of the query that finds; and what these
    /// weigh among groups. `lists` are those of a search of the same cells.
    #[must_use]
    pub fn search_groups(&self, lists: &JoinedLists<'_>, cells: &[u32], groups: &Groups<'_>) -> (Vec<f64>, f64) {
        let (_, cells) = self.cells(cells);
        let average = if groups.count == 0 { 0.0 } else { groups.total as f64 / groups.count as f64 };
        let saturation = Saturation::new(groups.k1, groups.b, average);
        let (mut counts, mut scores) = (vec![0_u32; groups.lengths.len()], vec![0.0_f64; groups.lengths.len()]);
        let (mut idf_sum, mut touched) = (0.0, Vec::new());
        for at in (0..lists.light.len()).filter(|&at| !lists.light[at]) {
            let segments = cells.iter().flat_map(|cell| &cell.segments);
            for (segment, sums) in segments.zip(lists.sums.chunks(lists.light.len())) {
                let (Some(sum), documents) = (&sums[at], segment.documents()) else { continue };
                sum.list().each(|slot, count| {
                    let group = groups.of.get(documents[usize::from(slot)] as usize).copied().unwrap_or(NO_GROUP);
                    if let Some(held) = counts.get_mut(group as usize) {
                        if *held == 0 {
                            touched.push(group as usize);
                        }
                        *held = held.saturating_add(count);
                    }
                });
            }
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
}
