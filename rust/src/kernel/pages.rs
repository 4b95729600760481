//! Room for many rows in large pages, where the system gives them on request (Linux).
//!
//! A scan of memory in pages of 4 KiB spends a good part of its time on looking up where they are; pages of 2 MiB
//! spare it that. Asking changes nothing but the time, and where it is refused nothing is lost.

/// Rooms smaller than this are not worth asking for.
const LARGE: usize = 4 << 20;

/// An empty vector with room for this many items.
///
/// ```
/// let rows: Vec<u64> = byheart_core::kernel::with_large_pages(1 << 20);
/// assert!(rows.is_empty() && rows.capacity() >= 1 << 20);
/// ```
#[must_use]
pub fn with_large_pages<T>(capacity: usize) -> Vec<T> {
    let items = Vec::with_capacity(capacity);
    ask(items.as_ptr(), capacity * size_of::<T>());
    items
}

/// As `items.push(item)`, with large pages for whatever the vector grows into.
///
/// ```
/// let mut items = vec![1, 2];
/// byheart_core::kernel::push_in_large_pages(&mut items, 3);
/// assert_eq!(items, [1, 2, 3]);
/// ```
pub fn push_in_large_pages<T>(items: &mut Vec<T>, item: T) {
    if items.len() == items.capacity() {
        let mut more = with_large_pages((2 * items.len()).max(4));
        more.append(items);
        *items = more;
    }
    items.push(item);
}

/// Asks for large pages for some bytes that were allocated and perhaps not yet touched.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[allow(unsafe_code)] // to ask the system
fn ask<T>(start: *const T, bytes: usize) {
    use std::ffi::{c_int, c_void};
    const PAGE: usize = 4096; // the system's own pages may be larger; then it refuses, and no harm is done
    const MADV_HUGEPAGE: c_int = 14;
    // SAFETY: the declaration is that of the C library, which std links to on this system.
    unsafe extern "C" {
        fn madvise(start: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    if bytes < LARGE {
        return;
    }
    let before = start.addr().wrapping_neg() % PAGE; // to the first whole page
    // SAFETY: the advice leaves every byte as it is, and the range lies inside one allocation of ours.
    unsafe { madvise(start.wrapping_byte_add(before).cast_mut().cast(), bytes - before, MADV_HUGEPAGE) };
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
fn ask<T>(_start: *const T, _bytes: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_keeps_its_items_while_it_grows_past_the_size_of_large_pages() {
        let mut items = Vec::new();
        for n in 0..3 * LARGE as u64 / 8 {
            push_in_large_pages(&mut items, n);
        }
        assert!(items.iter().zip(0..).all(|(&item, n)| item == n));
        assert_eq!(items.len(), 3 * LARGE / 8);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_is_asked() {
        let rows: Vec<u64> = with_large_pages(LARGE);
        let at = (rows.as_ptr().addr() + LARGE) as u64;
        let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let (mut inside, mut flags) = (false, Vec::new());
        for line in maps.lines() {
            if let Some((range, _)) = line.split_once(' ')
                && let Some((start, end)) = range.split_once('-')
                && let (Ok(start), Ok(end)) = (u64::from_str_radix(start, 16), u64::from_str_radix(end, 16))
            {
                inside = (start..end).contains(&at);
            }
            if inside && line.starts_with("VmFlags:") {
                flags.extend(line.split_whitespace().skip(1));
            }
        }
        assert!(flags.contains(&"hg"), "no advice at {at:x}: {flags:?}");
    }
}
