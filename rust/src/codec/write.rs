//! Writing sections.

use super::{FORMAT, MAGIC, Tag};

/// Collects sections; [`Writer::finish`] gives the bytes.
#[derive(Debug)]
pub struct Writer {
    bytes: Vec<u8>,
    kind: Tag,
    sections: u32,
}

impl Writer {
    /// A writer for an index of this kind.
    #[must_use]
    pub fn new(kind: Tag) -> Self {
        Self { bytes: Vec::new(), kind, sections: 0 }
    }

    /// Adds one section, filled by `fill`. The reader must ask for sections in the same order.
    pub fn section(&mut self, tag: Tag, fill: impl FnOnce(&mut Payload<'_>)) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&tag);
        self.bytes.extend_from_slice(&[0; 8]);
        fill(&mut Payload { bytes: &mut self.bytes });
        let length = (self.bytes.len() - start - 12) as u64;
        self.bytes[start + 4..start + 12].copy_from_slice(&length.to_le_bytes());
        let crc = crc32fast::hash(&self.bytes[start..]);
        self.bytes.extend_from_slice(&crc.to_le_bytes());
        self.sections += 1;
    }

    /// Header and sections as one block of bytes.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes.len() + 24);
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&self.kind);
        out.extend_from_slice(&FORMAT.to_le_bytes());
        out.extend_from_slice(&self.sections.to_le_bytes());
        let crc = crc32fast::hash(&out);
        out.extend_from_slice(&crc.to_le_bytes());
        out.extend_from_slice(&self.bytes);
        out
    }
}

/// The payload of a section while it is written.
#[derive(Debug)]
pub struct Payload<'a> {
    bytes: &'a mut Vec<u8>,
}

impl Payload<'_> {
    /// One byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Four bytes.
    pub fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Eight bytes.
    pub fn u64(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Eight bytes, the bits of the number.
    pub fn f64(&mut self, value: f64) {
        self.u64(value.to_bits());
    }

    /// A number in as few bytes as it needs, seven bits in each.
    pub fn varint(&mut self, mut value: u32) {
        while value >= 0x80 {
            self.bytes.push((value & 0x7F) as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// Bytes as they are; the reader must know how many.
    pub fn raw(&mut self, value: &[u8]) {
        self.bytes.extend_from_slice(value);
    }

    /// Length, then UTF-8.
    pub fn string(&mut self, value: &str) {
        self.varint(u32::try_from(value.len()).expect("strings in an index are far below 4 GiB"));
        self.raw(value.as_bytes());
    }

    /// Count, then four bytes each.
    pub fn u32s(&mut self, values: &[u32]) {
        self.u64(values.len() as u64);
        for &value in values {
            self.u32(value);
        }
    }
}
