//! How urgent threads are to the system.
#![allow(unsafe_code)]

/// By how much a search is less urgent than what the event loop does, in the system's steps of "nice".
#[cfg(target_os = "linux")]
const STEPS: libc::c_int = 10;

/// Makes the calling thread give way to the event loop where processors are short: what the event loop does takes a
/// tenth of a millisecond, and everybody else waits for it. Searches still share whatever it leaves.
pub(crate) fn give_way() {
    #[cfg(target_os = "linux")]
    // SAFETY: takes numbers and touches no memory; on Linux it concerns the calling thread alone.
    unsafe {
        libc::nice(STEPS);
    }
}
