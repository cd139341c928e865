//! The heap of the C library, which keeps what was freed for whoever needs it next.
#![allow(unsafe_code)]

/// Gives freed memory back to the system, where the C library can. Takes some milliseconds: not for the event loop.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: takes a number, locks the heap itself and touches nothing that is in use.
    unsafe {
        libc::malloc_trim(0);
    }
}
