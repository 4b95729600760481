//! A batch turned round: from terms by document to slots by term, by counting where each term's postings begin.

use rustc_hash::FxHashMap;

use super::batch::Batch;

/// Which slot holds a term in which field, and how often: 16 bits, 8 and 8. A count of 0 says that it stands elsewhere.
#[derive(Debug, Clone, Copy, Default)]
pub struct Posting(u32);

impl Posting {
    fn new(slot: u16, field: u8, count: u8) -> Self {
        Self(u32::from(slot) << 16 | u32::from(field) << 8 | u32::from(count))
    }

    /// The slot that holds the term.
    #[must_use]
    pub fn slot(self) -> u16 {
        (self.0 >> 16) as u16
    }

    /// The field that holds it.
    #[must_use]
    pub fn field(self) -> u8 {
        (self.0 >> 8) as u8
    }
}

/// Postings by term of the batch, in the order of the rows; those of one record stand next to each other.
#[derive(Debug)]
pub struct Turned {
    starts: Vec<u32>,
    postings: Vec<Posting>,
    large: FxHashMap<(u32, u32), u32>, // by place in the batch's term and posting: counts that need more than a byte
}

impl Turned {
    /// Turns documents of a batch, given as (number in the batch, slot).
    #[must_use]
    pub fn of(batch: &Batch, rows: &[(u32, u16)]) -> Self {
        let terms = batch.term_count();
        let mut starts = vec![0_u32; terms + 1];
        for count in rows.iter().flat_map(|&(row, _)| batch.counts(row as usize)) {
            starts[count.term as usize] += 1;
        }
        let mut total = 0;
        for start in &mut starts {
            total += std::mem::replace(start, total);
        }
        let mut postings = vec![Posting::default(); total as usize];
        let mut large = FxHashMap::default();
        for &(row, slot) in rows {
            for count in batch.counts(row as usize) {
                let posting = Posting::new(slot, count.field, u8::try_from(count.count).unwrap_or(0));
                if count.count > u32::from(u8::MAX) {
                    large.insert((count.term, posting.0), count.count);
                }
                let at = &mut starts[count.term as usize];
                postings[*at as usize] = posting;
                *at += 1;
            }
        }
        // Each start has moved on to where the next term's postings begin.
        starts.rotate_right(1);
        starts[0] = 0;
        Self { starts, postings, large }
    }

    /// How many postings there are in all.
    #[must_use]
    pub fn len(&self) -> usize {
        self.postings.len()
    }

    /// The postings of one of the batch's terms; none if these rows lack it.
    #[must_use]
    pub fn of_term(&self, term: u32) -> &[Posting] {
        &self.postings[self.starts[term as usize] as usize..self.starts[term as usize + 1] as usize]
    }

    /// How often a term occurs in the slot and field of one of its postings.
    #[must_use]
    pub fn count(&self, term: u32, posting: Posting) -> u32 {
        match posting.0 & 0xFF {
            0 => self.large[&(term, posting.0)],
            count => count,
        }
    }
}
