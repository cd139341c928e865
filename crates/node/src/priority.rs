//! How urgent threads are to the system.
#![allow(unsafe_code)]

/// How urgent a thread's work is, compared with what the event loop does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Priority {
    Search,
    /// A client waits for it anyway; searches that others wait for have the processors first.
    LongSearch,
}

impl Priority {
    /// Beginning of the names of its threads; the system keeps 15 characters.
    pub(crate) fn thread_name(self) -> &'static str {
        match self {
            Priority::Search => "trestle-search",
            Priority::LongSearch => "trestle-long",
        }
    }

    /// By how much it is less urgent, in the system's steps of "nice".
    #[cfg(target_os = "linux")]
    fn steps(self) -> libc::c_int {
        match self {
            Priority::Search => 10,
            Priority::LongSearch => 15,
        }
    }
}

/// Makes the calling thread give way to the event loop where processors are short: what the event loop does takes a
/// tenth of a millisecond, and everybody else waits for it. Searches still share whatever it leaves.
#[cfg_attr(not(target_os = "linux"), allow(unused_variables))]
pub(crate) fn give_way(priority: Priority) {
    #[cfg(target_os = "linux")]
    // SAFETY: takes numbers and touches no memory; on Linux it concerns the calling thread alone.
    unsafe {
        libc::nice(priority.steps());
    }
}
