//! Asks the processor for memory that will be needed soon.

/// Begins to fetch the value at a place without waiting for it. Where there is none, nothing happens.
#[inline(always)]
pub fn prefetch<T: Copy>(values: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch neither reads nor changes anything for the program, and ignores addresses without memory.
        #[allow(unsafe_code)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(values.as_ptr().wrapping_add(at).cast());
        }
    }
    // Where there is no such instruction in the stable language, the value is read and not used.
    #[cfg(not(target_arch = "x86_64"))]
    if let Some(&value) = values.get(at) {
        std::hint::black_box(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_place_may_be_fetched() {
        for at in [0, 2, 3, 1 << 40, usize::MAX] {
            prefetch(&[1u32, 2, 3], at);
            prefetch::<[u64; 5]>(&[], at);
        }
    }
}
