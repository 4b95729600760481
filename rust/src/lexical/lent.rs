//! What a segment lends to one search: classes of lengths, impacts, and how both become units.

use std::sync::Arc;

use super::accumulate::Scored;
use super::bm25::Saturation;
use super::classes::Classes;
use super::estimated::Estimated;
use super::margin::{MOST_LISTS, Margin};
use super::postings::Counts;
use super::rows::{Impacts, stepped};
use super::segment::Segment;
use super::settings::Settings;
use crate::kernel::{CLASSES, Isa, Units, Worth, worth_of};

/// The averages at which impacts are computed.
pub struct Steps {
    saturations: Vec<Saturation>, // by field
    ratio: f64,                   // of the average of a step to the true one, at most
}

impl Steps {
    /// For the true averages, by field.
    #[must_use]
    pub fn of(settings: &Settings, averages: &[f64]) -> Self {
        let steps = || averages.iter().map(|&a| if a == 0.0 { 1.0 } else { a }).map(|a| (a, stepped(a)));
        let saturations = steps().map(|(_, step)| Saturation::new(settings.k1, settings.b, step)).collect();
        Self { saturations, ratio: steps().map(|(average, step)| step / average).fold(1.0, f64::max) }
    }

    /// For one average, with these k1 and b in whichever field.
    #[must_use]
    pub fn everywhere(fields: usize, (k1, b): (f64, f64), average: f64) -> Self {
        let average = if average == 0.0 { 1.0 } else { average };
        let step = stepped(average);
        Self { saturations: vec![Saturation::new(k1, b, step); fields], ratio: (step / average).max(1.0) }
    }
}

/// The classes of a field, and what one occurrence is worth in each.
struct Sorted {
    field: usize,
    classes: Arc<Classes>,
    worth: Worth,
}

/// The rows of one search in one segment.
pub struct Lent {
    sorted: Vec<Sorted>,
    impacts: Vec<Option<Arc<Impacts>>>, // by list
    bounds: Vec<f64>,                   // by list: what it adds to a score at most
    scale: f64,
    /// What estimates with these rows may be wrong by.
    pub margin: Margin,
}

impl Lent {
    /// `None` unless the rows of all fields pay and units can tell the lists apart.
    #[must_use]
    pub fn of(isa: Isa, segment: &Segment, lists: &[Scored<'_>], steps: &Steps, postings: usize) -> Option<Self> {
        if lists.len() > MOST_LISTS {
            return None;
        }
        let (mut sorted, mut impacts) = (Vec::new(), Vec::with_capacity(lists.len()));
        let mut kept = segment.rows().lock();
        for of_field in lists.chunk_by(|a, b| a.field == b.field) {
            let Scored { field, lengths, .. } = of_field[0];
            let classes = kept.classes(field, lengths, segment.slots(), postings)?;
            sorted.push(Sorted { field, classes, worth: [0.0; CLASSES] });
            impacts.extend(of_field.iter().map(|own| {
                kept.impacts((own.term, field), own.list, steps.saturations[field], lengths, segment.slots())
            }));
        }
        drop(kept);
        for Sorted { field, classes, worth } in &mut sorted {
            let own = lists.iter().find(|own| own.field == *field).expect("it came from there");
            worth_of(isa, own.curve, &classes.shortest, worth);
        }
        Self::measured(sorted, impacts, lists, steps.ratio)
    }

    fn measured(
        sorted: Vec<Sorted>,
        impacts: Vec<Option<Arc<Impacts>>>,
        lists: &[Scored<'_>],
        ratio: f64,
    ) -> Option<Self> {
        let bound = |(own, impacts): (&Scored<'_>, &Option<Arc<Impacts>>)| {
            let most =
                || most(own, sorted.iter().find(|row| row.field == own.field).map_or(1, |row| row.classes.briefest));
            own.curve.base * impacts.as_ref().map_or_else(most, |impacts| impacts.most)
        };
        let bounds: Vec<f64> = lists.iter().zip(&impacts).map(bound).collect();
        let scale = Margin::scale(lists.len(), bounds.iter().sum());
        let largest = lists.iter().map(|own| own.curve.base).fold(0.0, f64::max);
        // Beyond these, single precision could not hold the factors of lists.
        if !scale.is_finite() || largest * scale > 1e30 {
            return None;
        }
        let with_impacts = bounds.iter().zip(&impacts).filter(|(_, impacts)| impacts.is_some());
        let by_impact: f64 = with_impacts.map(|(bound, _)| bound * scale).sum();
        let spread = sorted.iter().map(|row| row.classes.spread).fold(1.0, f64::max);
        let spread = if by_impact > 0.0 { spread.max(ratio) } else { spread };
        let margin = Margin::of(scale, lists.len(), spread, by_impact);
        Some(Self { sorted, impacts, bounds, scale, margin })
    }

    /// The lists with what estimates need, shortest first; without those that add nothing.
    #[must_use]
    #[allow(clippy::cast_sign_loss)] // a bound is above 0
    pub fn estimated<'e>(&'e self, lists: &[Scored<'e>]) -> Vec<Estimated<'e>> {
        let mut estimated = Vec::with_capacity(lists.len());
        for (own, (impacts, bound)) in lists.iter().zip(self.impacts.iter().zip(&self.bounds)) {
            if own.curve.base > 0.0 {
                let row = self.sorted.iter().find(|row| row.field == own.field).expect("all fields have one");
                let bound = bound * self.scale;
                let multiplier = (bound * 256.0 / 255.0) as u16;
                let impacts = impacts.as_deref().map(|impacts| (&*impacts.by_slot, multiplier));
                let units = Units { factor: (own.curve.base * self.scale) as f32, worth: &row.worth };
                estimated.push(Estimated { list: own.list, impacts, classes: &row.classes.of, units, bound });
            }
        }
        estimated.sort_unstable_by_key(|own: &Estimated<'_>| own.list.slots.len());
        estimated
    }

    /// The sums of a few records, in the order of summation. List by list, so that the processor can look for
    /// several records at once.
    pub fn exact(&self, lists: &[Scored<'_>], slots: &[u16], sums: &mut Vec<f64>) {
        sums.clear();
        sums.resize(slots.len(), 0.0);
        for (Scored { list, lengths, curve, .. }, impacts) in lists.iter().zip(&self.impacts) {
            for (sum, &slot) in sums.iter_mut().zip(slots) {
                let at = usize::from(slot);
                let is_in = impacts.as_ref().is_none_or(|impacts| impacts.by_slot[at] > 0);
                let count = if is_in { list.count_in(slot) } else { 0 };
                if count > 0 {
                    *sum += curve.part(f64::from(count), f64::from(lengths[at]));
                }
            }
        }
    }
}

/// What a list adds at most, as a share of its base, if no record is shorter than the `briefest`.
fn most(own: &Scored<'_>, briefest: u32) -> f64 {
    let count = match own.list.counts {
        Counts::Ones => 1,
        Counts::Sparse(_, counts) => counts.iter().copied().max().unwrap_or(1),
        Counts::Narrow(_) | Counts::Wide(_) => return 1.0,
    };
    let norm = own.curve.k1 * (own.curve.rest + own.curve.ratio * f64::from(briefest));
    f64::from(count) / (f64::from(count) + norm)
}
