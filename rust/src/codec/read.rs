//! Reading sections, believing nothing.

use super::{FORMAT, HEADER, MAGIC, Tag, tag_name};
use crate::error::{Error, Result};

/// Reads sections in the order in which they were written.
#[derive(Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
    left: u32,
}

impl<'a> Reader<'a> {
    /// Checks the header.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if these are no index bytes of this kind, [`Error::UnsupportedFormat`] if they are newer.
    pub fn open(bytes: &'a [u8], kind: Tag) -> Result<Self> {
        let bad = |why: &str| Error::corrupt("header", why);
        if bytes.len() < HEADER + 4 || bytes[..8] != MAGIC {
            return Err(bad("these bytes are no byheart index"));
        }
        if crc32fast::hash(&bytes[..HEADER]) != le32(&bytes[HEADER..]) {
            return Err(bad("checksum does not match"));
        }
        if bytes[8..12] != kind {
            let found = String::from_utf8_lossy(&bytes[8..12]).into_owned();
            return Err(bad(&format!("holds an index of kind {found:?}, not {:?}", tag_name(kind))));
        }
        let found = le32(&bytes[12..]);
        if found != FORMAT {
            return Err(Error::UnsupportedFormat { found, supported: FORMAT });
        }
        Ok(Self { rest: &bytes[HEADER + 4..], left: le32(&bytes[16..]) })
    }

    /// The next section, which must have this tag.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if it is missing, cut short, damaged or another one.
    pub fn section(&mut self, tag: Tag) -> Result<Cursor<'a>> {
        let name = tag_name(tag);
        let bad = |why: &str| Error::corrupt(name.clone(), why);
        if self.left == 0 || self.rest.len() < 16 {
            return Err(bad("is missing"));
        }
        let length = u64::from_le_bytes(self.rest[4..12].try_into().expect("eight bytes"));
        let available = (self.rest.len() - 16) as u64;
        if length > available {
            return Err(bad(&format!("claims {length} bytes, {available} are there")));
        }
        let end = 12 + usize::try_from(length).expect("no more than what is in memory");
        if crc32fast::hash(&self.rest[..end]) != le32(&self.rest[end..]) {
            return Err(bad("checksum does not match"));
        }
        if self.rest[..4] != tag {
            return Err(bad("another section stands in its place"));
        }
        let cursor = Cursor { bytes: &self.rest[12..end], section: name };
        self.rest = &self.rest[end + 4..];
        self.left -= 1;
        Ok(cursor)
    }

    /// Makes sure that nothing is left over.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if there are sections or bytes nobody asked for.
    pub fn finish(self) -> Result<()> {
        if self.left > 0 || !self.rest.is_empty() {
            return Err(Error::corrupt("end", "there are bytes after the last section"));
        }
        Ok(())
    }
}

/// The payload of a section while it is read.
#[derive(Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    section: String,
}

impl<'a> Cursor<'a> {
    /// How many bytes are left: an upper bound for any count of items still to come.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.bytes.len()
    }

    /// A typed error about this section.
    #[must_use]
    pub fn corrupt(&self, why: impl Into<String>) -> Error {
        Error::corrupt(self.section.clone(), why)
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if fewer are left; so for all readers below.
    #[inline]
    pub fn raw(&mut self, count: usize) -> Result<&'a [u8]> {
        let (head, tail) = self.bytes.split_at_checked(count).ok_or_else(|| self.ends_early(count))?;
        self.bytes = tail;
        Ok(head)
    }

    #[cold]
    fn ends_early(&self, count: usize) -> Error {
        self.corrupt(format!("ends {} bytes early", count - self.bytes.len()))
    }

    /// One byte.
    ///
    /// # Errors
    /// As [`Cursor::raw`].
    #[inline]
    pub fn u8(&mut self) -> Result<u8> {
        Ok(self.raw(1)?[0])
    }

    /// Four bytes.
    ///
    /// # Errors
    /// As [`Cursor::raw`].
    pub fn u32(&mut self) -> Result<u32> {
        Ok(le32(self.raw(4)?))
    }

    /// Eight bytes.
    ///
    /// # Errors
    /// As [`Cursor::raw`].
    pub fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.raw(8)?.try_into().expect("eight bytes")))
    }

    /// A finite number.
    ///
    /// # Errors
    /// As [`Cursor::raw`], and for NaN and infinities.
    pub fn f64(&mut self) -> Result<f64> {
        let value = f64::from_bits(self.u64()?);
        if value.is_finite() { Ok(value) } else { Err(self.corrupt("holds a number that is not finite")) }
    }

    /// A number written by `Payload::varint`.
    ///
    /// # Errors
    /// As [`Cursor::raw`], and for more than 32 bits.
    #[inline]
    pub fn varint(&mut self) -> Result<u32> {
        match self.bytes {
            [byte, rest @ ..] if *byte < 0x80 => {
                self.bytes = rest;
                Ok(u32::from(*byte))
            }
            _ => self.long_varint(),
        }
    }

    /// Of more than a byte.
    fn long_varint(&mut self) -> Result<u32> {
        let mut value = 0_u64;
        for shift in (0..35).step_by(7) {
            let byte = self.u8()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return u32::try_from(value).map_err(|_| self.corrupt("holds a number over 32 bits"));
            }
        }
        Err(self.corrupt("holds a number over 32 bits"))
    }

    /// A count of items that take at least `item_bytes` bytes each.
    ///
    /// # Errors
    /// As [`Cursor::raw`], and for a count that the bytes left cannot hold.
    pub fn count(&mut self, item_bytes: usize) -> Result<usize> {
        let count = self.u64()?;
        let most = (self.bytes.len() / item_bytes.max(1)) as u64;
        if count > most {
            return Err(self.corrupt(format!("claims {count} items, there is room for {most}")));
        }
        Ok(usize::try_from(count).expect("no more than what is in memory"))
    }

    /// Length, then UTF-8.
    ///
    /// # Errors
    /// As [`Cursor::raw`], and for bytes that are no UTF-8.
    pub fn string(&mut self) -> Result<&'a str> {
        let length = self.varint()? as usize;
        std::str::from_utf8(self.raw(length)?).map_err(|_| self.corrupt("holds text that is not UTF-8"))
    }

    /// Count, then four bytes each.
    ///
    /// # Errors
    /// As [`Cursor::count`].
    pub fn u32s(&mut self) -> Result<Vec<u32>> {
        let count = self.count(4)?;
        Ok(self.raw(count * 4)?.chunks_exact(4).map(le32).collect())
    }

    /// Makes sure that the payload was used up.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if bytes are left.
    pub fn finish(self) -> Result<()> {
        if self.bytes.is_empty() { Ok(()) } else { Err(self.corrupt("holds more than it should")) }
    }
}

fn le32(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes[..4].try_into().expect("four bytes"))
}
