//! Lists with weights, and several of them as one.

use super::postings::List;

/// Slots, and how often each counts.
pub(super) type Weighed = (Vec<u16>, Vec<u32>);

/// A list with its counts times a weight.
pub(super) fn weighed((list, weight): (List<'_>, u32)) -> Weighed {
    let mut counts = Vec::with_capacity(list.slots.len());
    list.each(|_, count| counts.push(count.saturating_mul(weight)));
    (list.slots.to_vec(), counts)
}

/// Two lists as one: where both have a slot, their counts are added up. Runs of the longer one are copied whole, since most
/// often the other one is short.
pub(super) fn merged(one: &Weighed, other: &Weighed) -> Weighed {
    let (long, short) = if one.0.len() < other.0.len() { (other, one) } else { (one, other) };
    let size = long.0.len() + short.0.len();
    let (mut slots, mut counts) = (Vec::with_capacity(size), Vec::with_capacity(size));
    let mut at = 0;
    for (&slot, &count) in short.0.iter().zip(&short.1) {
        let end = at + below(&long.0[at..], slot);
        slots.extend_from_slice(&long.0[at..end]);
        counts.extend_from_slice(&long.1[at..end]);
        let is_both = long.0.get(end) == Some(&slot);
        slots.push(slot);
        counts.push(if is_both { count.saturating_add(long.1[end]) } else { count });
        at = end + usize::from(is_both);
    }
    slots.extend_from_slice(&long.0[at..]);
    counts.extend_from_slice(&long.1[at..]);
    (slots, counts)
}

/// How many of these ascending slots lie before one: found in steps that double, since the next is most often near.
fn below(slots: &[u16], slot: u16) -> usize {
    let mut step = 1;
    while slots.get(step).is_some_and(|&other| other < slot) {
        step *= 2;
    }
    let (start, end) = (step / 2, slots.len().min(step + 1));
    start + slots[start.min(end)..end].partition_point(|&other| other < slot)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::lexical::postings::Counts;

    proptest! {
        #[test]
        fn two_lists_are_added_up_as_two_maps(
            one in prop::collection::btree_map(0_u16..300, 1_u32..5, 0..200),
            other in prop::collection::btree_map(0_u16..300, prop_oneof![1_u32..5, Just(u32::MAX)], 0..20),
            weight in 1_u32..16,
        ) {
            let of = |map: &BTreeMap<u16, u32>, weight: u32| -> Weighed {
                let (slots, counts): Weighed = map.iter().map(|(&slot, &count)| (slot, count)).unzip();
                weighed((List { slots: &slots, counts: Counts::Wide(&counts) }, weight))
            };
            let mut all: BTreeMap<u16, u32> =
                one.iter().map(|(&slot, &count)| (slot, count.saturating_mul(weight))).collect();
            for (&slot, &count) in &other {
                let held = all.entry(slot).or_default();
                *held = held.saturating_add(count);
            }
            let expected: Weighed = all.into_iter().unzip();
            prop_assert_eq!(merged(&of(&one, weight), &of(&other, 1)), expected.clone());
            prop_assert_eq!(merged(&of(&other, 1), &of(&one, weight)), expected);
        }
    }
}
