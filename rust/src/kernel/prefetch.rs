//! Asking for memory before it is needed.

/// Asks the processor to fetch the cache line in which an item begins; it changes nothing but the time that a later
/// look at it takes. An index beyond the end asks for nothing, and so does every call where there is no such request
/// (only x86-64 has one in stable Rust).
///
/// ```
/// byheart_core::kernel::prefetch(&[1, 2, 3], 7); // no such item, no harm
/// ```
#[inline(always)]
#[allow(unsafe_code)] // for the intrinsic, which takes a pointer
pub fn prefetch<T>(items: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(item) = items.get(at) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing into the program, whatever the address; every x86-64 processor has SSE.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, at);
}
