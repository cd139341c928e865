//! Asks the processor for memory that will be needed soon.

/// Begins to fetch the value at a place, if there is one, without waiting for it.
#[inline(always)]
pub fn prefetch<T: Copy>(values: &[T], at: usize) {
    let Some(value) = values.get(at) else { return };
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the address is that of a value, and a prefetch neither reads nor changes anything for the program.
        #[allow(unsafe_code)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
        }
    }
    // Where there is no such instruction in the stable language, the value is read and not used.
    #[cfg(not(target_arch = "x86_64"))]
    std::hint::black_box(*value);
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
