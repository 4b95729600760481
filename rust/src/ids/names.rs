//! Strings by number, one after another in one block: eight bytes beside each, since there may be millions.

use super::reserve_eighth;

/// Strings by dense number. Numbers of removed strings are used again.
#[derive(Debug, Clone, Default)]
pub struct Names {
    block: Vec<u8>,
    spans: Vec<Span>, // by number
    free: Vec<u32>,
    unused: usize, // bytes of the block that no string uses
}

/// Where a string lies in the block: its start in the higher 48 bits, its length in the lower 16.
#[derive(Debug, Clone, Copy, Default)]
struct Span(u64);

impl Span {
    fn of(start: usize, length: usize) -> Self {
        let length = u16::try_from(length).expect("names are shorter than 65,536 bytes");
        assert!(start < 1 << 48, "memory ends before that");
        Self((start as u64) << 16 | u64::from(length))
    }

    fn range(self) -> std::ops::Range<usize> {
        let start = (self.0 >> 16) as usize;
        start..start + (self.0 & 0xFFFF) as usize
    }
}

impl Names {
    /// One more than the largest number ever handed out.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.spans.len()
    }

    /// The string behind a number that is in use; empty for one that is not.
    #[must_use]
    pub fn get(&self, number: u32) -> &str {
        std::str::from_utf8(self.bytes(number)).expect("the block holds the bytes of strings")
    }

    /// The bytes of the same.
    #[must_use]
    pub fn bytes(&self, number: u32) -> &[u8] {
        self.spans.get(number as usize).map_or(&[], |span| &self.block[span.range()])
    }

    /// Takes a string of at most 65,535 bytes in and answers its number.
    ///
    /// # Panics
    /// For a longer one, and with 2^32 strings at once; the callers' limits lie far below.
    pub fn push(&mut self, name: &str) -> u32 {
        let span = Span::of(self.block.len(), name.len());
        reserve_eighth(&mut self.block, name.len());
        self.block.extend_from_slice(name.as_bytes());
        if let Some(number) = self.free.pop() {
            self.spans[number as usize] = span;
            return number;
        }
        let number = u32::try_from(self.spans.len()).expect("fewer than 2^32 names");
        reserve_eighth(&mut self.spans, 1);
        self.spans.push(span);
        number
    }

    /// Forgets the string of a number in use. Its bytes are overwritten.
    pub fn remove(&mut self, number: u32) {
        let range = self.spans[number as usize].range();
        self.unused += range.len();
        self.block[range].fill(0);
        self.spans[number as usize] = Span::default();
        self.free.push(number);
        if self.unused > 4096 && self.unused > self.block.len() / 2 {
            self.compact();
        }
    }

    /// Bytes that the strings take, those of removed ones too.
    #[cfg(test)]
    pub(super) fn block_len(&self) -> usize {
        self.block.len()
    }

    fn compact(&mut self) {
        let mut block = Vec::with_capacity(self.block.len() - self.unused);
        for span in &mut self.spans {
            let bytes = &self.block[span.range()];
            *span = Span::of(block.len(), bytes.len());
            block.extend_from_slice(bytes);
        }
        (self.block, self.unused) = (block, 0);
    }
}
