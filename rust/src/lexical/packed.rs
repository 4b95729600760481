//! The postings of a full segment, packed: no list has an allocation of its own.
//!
//! A list is its slots, two bytes each, and its counts: none where all are 1, where each that is not stands and
//! what it is where they are few, else one byte each. A segment is packed when its last slot is taken, and when many
//! records come at once. Taking records out copies the arrays, once for all that leave together; the lists that hold one
//! are written anew.

use rustc_hash::FxHashMap;

use super::postings::{Counts, Held, List};
use crate::kernel::SLOTS;

const KIND: u32 = 0xC000_0000; // of a list, in the two highest bits of where it starts
const ONES: u32 = 0;
const NARROW: u32 = 0x4000_0000;
const WIDE: u32 = 0x8000_0000;
const SPARSE: u32 = 0xC000_0000;

/// Term numbers whose lists are found by one jump and a search among them.
const JUMP: u32 = 64;

/// Slots are looked for one by one in a list that is so many times as long.
const FEW: usize = 8;

/// The smallest form that holds a list's counts.
fn kind_of(list: List<'_>) -> u32 {
    let (mut largest, mut others) = (1, 0);
    for (_, count) in list.iter() {
        largest = largest.max(count);
        others += usize::from(count != 1);
    }
    match (largest, others) {
        (1, _) => ONES,
        (0..=0xFF, _) if 1 + 2 * others < list.slots.len().div_ceil(2) => SPARSE,
        (0..=0xFF, _) => NARROW,
        _ => WIDE,
    }
}

/// Lists ordered by term, then field.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Packed {
    terms: Vec<u32>,                // by list
    fields: Vec<u8>,                // by list; empty where there is one field only
    documents: Vec<u32>,            // by list, of its term; empty where there is one field only
    starts: Vec<u32>,               // by list, into `payload`, with the kind; one more at the end
    jumps: Vec<u32>,                // by block of term numbers: its first list; one more at the end
    payload: Vec<u16>,              // slots, then counts, two to an item
    wide: FxHashMap<u32, Vec<u32>>, // by list: counts that do not fit a byte
}

/// A term of a packed segment: a run of lists.
#[derive(Debug, Clone, Copy)]
pub struct PackedEntry<'a> {
    packed: &'a Packed,
    first: usize,
    end: usize,
}

impl<'a> PackedEntry<'a> {
    /// Records of the segment that hold the term in any field.
    #[must_use]
    pub fn documents(&self) -> u32 {
        let own = || self.packed.list(self.first).slots.len() as u32;
        self.packed.documents.get(self.first).copied().unwrap_or_else(own)
    }

    /// The list of one field, if any record holds the term there.
    #[must_use]
    pub fn list(&self, field: usize) -> Option<List<'a>> {
        (self.first..self.end).find(|&at| self.packed.field(at) == field).map(|at| self.packed.list(at))
    }
}

impl Packed {
    /// The most postings whose lists the offsets can number, whatever their form.
    pub const MOST: usize = (KIND >> 4) as usize;

    /// Adds a list behind all others; `documents` where there are several fields.
    pub fn push(&mut self, term: u32, field: u8, documents: Option<u32>, list: List<'_>) {
        let at = self.terms.len() as u32;
        let kind = kind_of(list);
        self.terms.push(term);
        if let Some(documents) = documents {
            self.fields.push(field);
            self.documents.push(documents);
        }
        self.starts.push(self.payload.len() as u32 | kind);
        let others = || list.iter().enumerate().filter(|(_, (_, count))| *count != 1);
        if kind == SPARSE {
            self.payload.push(others().count() as u16);
        }
        self.payload.extend_from_slice(list.slots);
        match kind {
            SPARSE => {
                self.payload.extend(others().map(|(place, _)| place as u16));
                self.payload.extend(others().map(|(_, (_, count))| count as u16));
            }
            NARROW => {
                let bytes: Vec<u8> = list.iter().map(|(_, count)| count as u8).collect();
                let pair = |two: &[u8]| u16::from_ne_bytes([two[0], two.get(1).copied().unwrap_or(0)]);
                self.payload.extend(bytes.chunks(2).map(pair));
            }
            WIDE => drop(self.wide.insert(at, list.iter().map(|(_, count)| count).collect())),
            _ => {}
        }
    }

    /// Ends what [`Packed::push`] began.
    pub fn seal(&mut self) {
        self.starts.push(self.payload.len() as u32);
        for (at, &term) in (0..).zip(&self.terms) {
            self.jumps.resize(((term / JUMP) as usize + 1).max(self.jumps.len()), at);
        }
        self.jumps.push(self.terms.len() as u32);
        self.jumps.shrink_to_fit();
        self.terms.shrink_to_fit();
        self.fields.shrink_to_fit();
        self.documents.shrink_to_fit();
        self.starts.shrink_to_fit();
        self.payload.shrink_to_fit();
    }

    /// How many postings there are, or up to twice as many.
    #[must_use]
    pub fn postings(&self) -> usize {
        self.payload.len()
    }

    /// A term of this segment.
    #[must_use]
    pub fn entry(&self, term: u32) -> Option<PackedEntry<'_>> {
        let block = (term / JUMP) as usize;
        let (&start, &stop) = (self.jumps.get(block)?, self.jumps.get(block + 1)?);
        let first = start as usize + self.terms[start as usize..stop as usize].partition_point(|&other| other < term);
        let end = first + self.terms[first..].iter().take_while(|&&other| other == term).count();
        (end > first).then_some(PackedEntry { packed: self, first, end })
    }

    /// All terms, in order, and how many records hold each.
    pub fn terms(&self) -> impl Iterator<Item = (u32, u32)> {
        let is_first = |&at: &usize| at == 0 || self.terms[at - 1] != self.terms[at];
        let entry = |at| PackedEntry { packed: self, first: at, end: at + 1 };
        (0..self.terms.len()).filter(is_first).map(move |at| (self.terms[at], entry(at).documents()))
    }

    /// All lists, ordered by term, then field.
    pub fn held(&self) -> impl Iterator<Item = Held<'_>> {
        (0..self.terms.len()).map(|at| {
            let (term, field, list) = (self.terms[at], self.field(at) as u8, self.list(at));
            let documents = self.documents.get(at).copied().unwrap_or(list.slots.len() as u32);
            Held { term, field, documents, list }
        })
    }

    fn field(&self, at: usize) -> usize {
        self.fields.get(at).map_or(0, |&field| usize::from(field))
    }

    fn list(&self, at: usize) -> List<'_> {
        let (start, end) = ((self.starts[at] & !KIND) as usize, (self.starts[at + 1] & !KIND) as usize);
        let items = &self.payload[start..end];
        match self.starts[at] & KIND {
            ONES => List { slots: items, counts: Counts::Ones },
            NARROW => {
                // n slots and n counts, two to an item: n + ceil(n / 2) items.
                let (slots, counts) = items.split_at(items.len() * 2 / 3);
                List { slots, counts: Counts::Narrow(&bytemuck::cast_slice(counts)[..slots.len()]) }
            }
            SPARSE => {
                let (others, items) = (usize::from(items[0]), &items[1..]);
                let (slots, rest) = items.split_at(items.len() - 2 * others);
                List { slots, counts: Counts::Sparse(&rest[..others], &rest[others..]) }
            }
            _ => List { slots: items, counts: Counts::Wide(&self.wide[&(at as u32)]) },
        }
    }

    /// Takes slots out; `vanished` is told of every term that is left nowhere.
    pub fn remove(&mut self, slots: &[u16], vanished: &mut impl FnMut(u32)) {
        let mut leaving = vec![false; SLOTS];
        for &slot in slots {
            leaving[usize::from(slot)] = true;
        }
        let mut rest = Self::default();
        rest.reserve_as(self);
        let (mut at, mut copied) = (0, 0); // lists before `copied` are in `rest`, or gone
        while at < self.terms.len() {
            let term = self.terms[at];
            let end = at + self.terms[at..].iter().take_while(|&&other| other == term).count();
            if (at..end).any(|list| self.holds_any(list, slots, &leaving)) {
                rest.append(self, copied..at);
                if !self.keep(at..end, &leaving, &mut rest) {
                    vanished(term);
                }
                copied = end;
            }
            at = end;
        }
        rest.append(self, copied..at);
        rest.seal();
        *self = rest;
    }

    /// Whether a list holds one of some slots; `leaving` says the same of each slot.
    fn holds_any(&self, list: usize, slots: &[u16], leaving: &[bool]) -> bool {
        let held = self.list(list).slots;
        if slots.len() * FEW < held.len() {
            slots.iter().any(|slot| held.binary_search(slot).is_ok())
        } else {
            held.iter().any(|&slot| leaving[usize::from(slot)])
        }
    }

    fn reserve_as(&mut self, other: &Self) {
        self.terms.reserve(other.terms.len());
        self.fields.reserve(other.fields.len());
        self.documents.reserve(other.documents.len());
        self.starts.reserve(other.starts.len());
        self.payload.reserve(other.payload.len());
    }

    /// Adds lists of another one as they are.
    fn append(&mut self, other: &Self, lists: std::ops::Range<usize>) {
        let (begin, end) = ((other.starts[lists.start] & !KIND) as usize, (other.starts[lists.end] & !KIND) as usize);
        let (first, base) = (self.terms.len() as u32, self.payload.len() as u32);
        let place = |start: u32| (start & KIND) | ((start & !KIND) - begin as u32 + base);
        self.starts.extend(other.starts[lists.clone()].iter().map(|&start| place(start)));
        self.terms.extend_from_slice(&other.terms[lists.clone()]);
        if !other.fields.is_empty() {
            self.fields.extend_from_slice(&other.fields[lists.clone()]);
            self.documents.extend_from_slice(&other.documents[lists.clone()]);
        }
        self.payload.extend_from_slice(&other.payload[begin..end]);
        let wide = other.wide.iter().filter(|(list, _)| lists.contains(&(**list as usize)));
        self.wide.extend(wide.map(|(list, counts)| (list - lists.start as u32 + first, counts.clone())));
    }

    /// Copies what stays of one term's lists; false if nothing does.
    fn keep(&self, lists: std::ops::Range<usize>, leaving: &[bool], rest: &mut Self) -> bool {
        let mut kept: Vec<(usize, Vec<u16>, Vec<u32>)> = Vec::new();
        for at in lists {
            let stays = |&(slot, _): &(u16, u32)| !leaving[usize::from(slot)];
            let (slots, counts): (Vec<u16>, Vec<u32>) = self.list(at).iter().filter(stays).unzip();
            if !slots.is_empty() {
                kept.push((at, slots, counts));
            }
        }
        let mut all: Vec<u16> = kept.iter().flat_map(|(_, slots, _)| slots).copied().collect();
        all.sort_unstable();
        all.dedup();
        for (at, slots, counts) in &kept {
            let documents = (!self.fields.is_empty()).then_some(all.len() as u32);
            rest.push(self.terms[*at], self.field(*at) as u8, documents, List { slots, counts: Counts::Wide(counts) });
        }
        !kept.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Postings = Vec<(u32, u8, Vec<u16>, Vec<u32>)>;

    /// Lists of all forms, of which some are of one term.
    fn lists(fields: u8) -> Postings {
        let mut seed = 7_u32;
        let mut next = move |most: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % most
        };
        let mut made = Postings::new();
        for term in (0..400).filter(|term| term % 7 != 0) {
            for field in 0..fields {
                let step = 1 + next(500);
                let slots: Vec<u16> = (0..2_000_u16).step_by(step as usize).collect();
                let most = [1, 3, 200, 900][next(4) as usize];
                let odd = next(9) + 1;
                let counts = slots.iter().map(|_| if next(odd) == 0 { 1 + next(most) } else { 1 }).collect();
                made.push((term, field, slots, counts));
            }
        }
        made
    }

    fn packed(lists: &Postings, fields: u8) -> Packed {
        let mut made = Packed::default();
        for (term, field, slots, counts) in lists {
            let of_term = lists.iter().filter(|(other, ..)| other == term);
            let mut held: Vec<u16> = of_term.flat_map(|(_, _, slots, _)| slots).copied().collect();
            held.sort_unstable();
            held.dedup();
            let documents = (fields > 1).then_some(held.len() as u32);
            made.push(*term, *field, documents, List { slots, counts: Counts::Wide(counts) });
        }
        made.seal();
        made
    }

    #[test]
    fn what_is_taken_out_leaves_what_would_be_packed_without_it() {
        for fields in [1, 3] {
            let all = lists(fields);
            for leaving in [
                vec![],
                vec![0],
                vec![1_999],
                vec![3, 4, 5, 600],
                (0..2_000).step_by(3).collect(),
                (0..2_000).collect(),
            ] {
                let mut found = packed(&all, fields);
                let mut vanished = Vec::new();
                found.remove(&leaving, &mut |term| vanished.push(term));
                let mut left = Postings::new();
                for (term, field, slots, counts) in &all {
                    let stays = |(slot, _): &(&u16, &u32)| !leaving.contains(slot);
                    let (slots, counts): (Vec<u16>, Vec<u32>) = slots.iter().zip(counts).filter(stays).unzip();
                    if !slots.is_empty() {
                        left.push((*term, *field, slots, counts));
                    }
                }
                let expected = packed(&left, fields);
                assert_eq!(found, expected);
                let mut gone: Vec<u32> = all.iter().map(|list| list.0).collect();
                gone.dedup();
                gone.retain(|term| left.iter().all(|list| list.0 != *term));
                assert_eq!(vanished, gone);
            }
        }
    }
}
