//! Many records at once: what a segment holds and what comes are packed together, and no list ever grows by itself.

use super::packed::Packed;
use super::postings::{Counts, Held, List};
use super::turned::{Posting, Turned};

/// Slots and counts on their way into one list.
#[derive(Debug, Clone, Default)]
struct Growing {
    slots: Vec<u16>,
    counts: Vec<u32>,
}

impl Growing {
    fn extend(&mut self, list: List<'_>) {
        self.slots.extend_from_slice(list.slots);
        self.counts.extend(list.iter().map(|(_, count)| count));
    }

    /// Slots come out of order only where freed ones are used again.
    fn sort(&mut self) {
        if !self.slots.is_sorted() {
            let mut pairs: Vec<(u16, u32)> = self.slots.drain(..).zip(self.counts.drain(..)).collect();
            pairs.sort_unstable();
            (self.slots, self.counts) = pairs.into_iter().unzip();
        }
    }
}

/// What is packed, and room to work in.
struct Merge {
    packed: Packed,
    growing: Vec<Growing>, // by field
}

/// Packs the lists of a segment, ordered by term and field, together with a batch for other slots of it. `number_of`
/// turns the batch's term numbers into the index's; `appeared` is told of every term that is new to the segment.
pub fn merge<'a>(
    held: impl Iterator<Item = Held<'a>>,
    turned: &Turned,
    number_of: &[u32],
    fields: usize,
    mut appeared: impl FnMut(u32),
) -> Packed {
    let arrives = |(term, _): &(u32, &u32)| !turned.of_term(*term).is_empty();
    let mut arriving: Vec<(u32, u32)> =
        (0..).zip(number_of).filter(arrives).map(|(term, &number)| (number, term)).collect();
    if !arriving.is_sorted() {
        arriving.sort_unstable();
    }
    let mut held = held.peekable();
    let mut merge = Merge { packed: Packed::default(), growing: vec![Growing::default(); fields] };
    for (number, term) in arriving {
        while let Some(list) = held.next_if(|list| list.term < number) {
            merge.packed.push(list.term, list.field, (fields > 1).then_some(list.documents), list.list);
        }
        let mut documents = 0;
        while let Some(list) = held.next_if(|list| list.term == number) {
            documents = list.documents;
            merge.growing[usize::from(list.field)].extend(list.list);
        }
        if documents == 0 {
            appeared(number);
        }
        merge.push(number, documents, turned.of_term(term), |posting| turned.count(term, posting));
    }
    for list in held {
        merge.packed.push(list.term, list.field, (fields > 1).then_some(list.documents), list.list);
    }
    merge.packed.seal();
    merge.packed
}

impl Merge {
    /// Packs the lists of one term: what is growing already, and these postings after it.
    fn push(&mut self, number: u32, held: u32, postings: &[Posting], count: impl Fn(Posting) -> u32) {
        for &posting in postings {
            let growing = &mut self.growing[usize::from(posting.field())];
            growing.slots.push(posting.slot());
            growing.counts.push(count(posting));
        }
        // One field: the list's own length is what the search takes. Else one count for each run of a slot.
        let documents =
            (self.growing.len() > 1).then(|| held + postings.chunk_by(|a, b| a.slot() == b.slot()).count() as u32);
        for (field, growing) in self.growing.iter_mut().enumerate().filter(|(_, growing)| !growing.slots.is_empty()) {
            growing.sort();
            let list = List { slots: &growing.slots, counts: Counts::Wide(&growing.counts) };
            self.packed.push(number, field as u8, documents, list);
            growing.slots.clear();
            growing.counts.clear();
        }
    }
}
