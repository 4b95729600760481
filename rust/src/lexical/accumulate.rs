//! The inner loop: one list's contributions onto the running sums of a segment.

use super::bm25::Saturation;
use super::postings::{CountsRef, List};
use super::segment::SLOTS;

/// Running sums of one segment, all zero between searches, and the slots that were touched.
#[derive(Debug)]
pub struct Sums {
    sums: Box<[f64; SLOTS]>,
    touched: Vec<u16>,
}

impl Default for Sums {
    fn default() -> Self {
        let sums = vec![0.0; SLOTS].into_boxed_slice().try_into().expect("as long as it says");
        Self { sums, touched: Vec::new() }
    }
}

impl Sums {
    /// Adds a list's contributions. With `remember`, every slot whose sum was 0 is written down.
    pub fn add(&mut self, list: List<'_>, lengths: &[u32], base: f64, saturation: Saturation, remember: bool) {
        match list.counts {
            CountsRef::Narrow(counts) => {
                let postings = list.slots.iter().zip(counts).map(|(&slot, &count)| (slot, u32::from(count)));
                self.add_all(postings, lengths, base, saturation, remember);
            }
            CountsRef::Wide(counts) => {
                let postings = list.slots.iter().zip(counts).map(|(&slot, &count)| (slot, count));
                self.add_all(postings, lengths, base, saturation, remember);
            }
        }
    }

    #[inline(always)]
    fn add_all(
        &mut self,
        postings: impl Iterator<Item = (u16, u32)>,
        lengths: &[u32],
        base: f64,
        saturation: Saturation,
        remember: bool,
    ) {
        for (slot, count) in postings {
            let part = saturation.part(base, f64::from(count), f64::from(lengths[usize::from(slot)]));
            let sum = &mut self.sums[usize::from(slot)];
            if remember && *sum == 0.0 {
                self.touched.push(slot);
            }
            *sum += part;
        }
    }

    /// Hands over every positive sum among the first `slots` and clears all. Only what was remembered is
    /// looked at when `remembered` says that every list was added so.
    pub fn drain(&mut self, slots: usize, remembered: bool, mut take: impl FnMut(u16, f64)) {
        if remembered {
            for slot in self.touched.drain(..) {
                let sum = std::mem::take(&mut self.sums[usize::from(slot)]);
                if sum > 0.0 {
                    take(slot, sum);
                }
            }
        } else {
            for (slot, sum) in self.sums[..slots].iter_mut().enumerate() {
                if *sum > 0.0 {
                    take(slot as u16, *sum);
                    *sum = 0.0;
                }
            }
        }
    }
}
