//! The heap of the C library, which keeps what was freed for whoever needs it next.
#![allow(unsafe_code)]

/// Blocks of at least so many bytes come from the system each by itself, and go back to it as soon as they are freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 128 << 10;

/// Has the C library keep to [`LARGE`]. Left alone it raises that bound to the largest block ever freed, and keeps what
/// came in below it: compiled timetables and the memory of searches, which a server makes anew over and over.
pub(crate) fn return_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: takes numbers; allowed at any time, concerns blocks to come alone.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}

/// Gives freed memory back to the system, where the C library can. Takes some milliseconds: not for the event loop.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: takes a number, locks the heap itself and touches nothing that is in use.
    unsafe {
        libc::malloc_trim(0);
    }
}
