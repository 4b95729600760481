//! Bytes of an index: a header, then tagged sections, each with its length and CRC-32.
//!
//! Little-endian throughout. A reader believes no length before it has compared it with the bytes that are
//! there, so damaged or hostile bytes cost at most what they weigh and end in a typed error.
//!
//! ```text
//! "byheart\0" | kind: 4 bytes | format: u32 | sections: u32 | CRC-32 of these 20 bytes
//! then, for each section: tag: 4 bytes | length: u64 | payload | CRC-32 of tag, length and payload
//! ```

mod read;
mod write;

pub use read::{Cursor, Reader};
pub use write::{Payload, Writer};

/// The format this build writes and reads.
pub const FORMAT: u32 = 2;

const MAGIC: [u8; 8] = *b"byheart\0";
const HEADER: usize = 20;

/// Four bytes that name a section or a kind of index.
pub type Tag = [u8; 4];

fn tag_name(tag: Tag) -> String {
    String::from_utf8_lossy(&tag).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    fn sample() -> Vec<u8> {
        let mut writer = Writer::new(*b"TEST");
        writer.section(*b"HEAD", |p| {
            p.string("name");
            p.f64(0.75);
        });
        writer.section(*b"DATA", |p| p.u32s(&[1, 2, 3]));
        writer.finish()
    }

    fn read(bytes: &[u8]) -> crate::Result<(String, f64, Vec<u32>)> {
        let mut reader = Reader::open(bytes, *b"TEST")?;
        let mut head = reader.section(*b"HEAD")?;
        let (name, value) = (head.string()?.to_owned(), head.f64()?);
        head.finish()?;
        let mut data = reader.section(*b"DATA")?;
        let numbers = data.u32s()?;
        data.finish()?;
        reader.finish()?;
        Ok((name, value, numbers))
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(read(&sample()).unwrap(), ("name".to_owned(), 0.75, vec![1, 2, 3]));
    }

    #[test]
    fn every_flipped_bit_and_every_truncation_is_noticed() {
        let good = sample();
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                assert!(read(&bad).is_err(), "flip of bit {bit} at {at} went unnoticed");
            }
            assert!(read(&good[..at]).is_err(), "truncation to {at} went unnoticed");
        }
        assert!(read(&[good.as_slice(), &[0]].concat()).is_err(), "a trailing byte went unnoticed");
    }

    #[test]
    fn a_newer_format_is_named() {
        let mut bytes = sample();
        bytes[12] = 9;
        let crc = crc32fast::hash(&bytes[..HEADER]);
        bytes[HEADER..HEADER + 4].copy_from_slice(&crc.to_le_bytes());
        assert_eq!(read(&bytes), Err(Error::UnsupportedFormat { found: 9, supported: FORMAT }));
    }
}
