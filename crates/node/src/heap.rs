//! The heap of the C library, which keeps freed memory for later use.
#![allow(unsafe_code)]

/// Blocks of at least this many bytes are each taken from the system on their own, and returned as soon as they are
/// freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 128 << 10;

/// Makes the C library keep to [`LARGE`]. By default it raises that bound to the largest block ever freed and keeps
/// every freed block below it, so compiled timetables and the memory of searches would never be returned.
pub(crate) fn return_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: only takes numbers; it may be called at any time and affects later allocations only.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}

/// Returns freed memory to the system, where the C library can. Takes some milliseconds: not for the event loop.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: only takes a number, locks the heap itself and does not touch memory in use.
    unsafe {
        libc::malloc_trim(0);
    }
}
